import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

import { systemErrorCode } from '../../disk/system-error.js';
import { parseAddress } from '../../formats/cidr.js';
import type { NameAnswer } from '../preflight/answers.js';

/** DNS client. */
export interface NameServers {
  /** A and AAAA records of a name. */
  readonly askName: (name: string) => Promise<NameAnswer>;
  /** PTR records of an address. */
  readonly askReverse: (address: string) => Promise<NameAnswer>;
  /** Lookup function for connections: uses these servers if there are any, otherwise the system's resolver. */
  readonly lookup: LookupFunction;
}

/** Uses the name servers at these addresses, with or without ports, or those of this machine. `timeoutMs` applies to each lookup. */
export function nameServers(addresses: readonly string[], timeoutMs: number): NameServers {
  const ask = async (question: (resolver: Resolver) => Promise<readonly string[]>): Promise<LookupResult> => {
    // Two tries; the second waits twice as long. Source: c-ares, ares_send
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 2 });
    if (addresses.length > 0) resolver.setServers(addresses);
    const end = setTimeout(() => {
      resolver.cancel();
    }, timeoutMs);
    try {
      return { found: await question(resolver) };
    } catch (error) {
      return { code: systemErrorCode(error) ?? 'EBADRESP' };
    } finally {
      clearTimeout(end);
    }
  };
  const askName = async (name: string): Promise<NameAnswer> => {
    const both = await Promise.all([
      ask((resolver) => resolver.resolve4(name)),
      ask((resolver) => resolver.resolve6(name)),
    ]);
    const found = both.flatMap((each) => ('found' in each ? each.found : []));
    return found.length > 0 ? { kind: 'addresses', addresses: found.toSorted() } : emptyAnswer(both);
  };
  return {
    askName,
    askReverse: async (address) => {
      const lookup = await ask((resolver) => resolver.resolvePtr(reverseName(address)));
      return 'found' in lookup && lookup.found.length > 0
        ? { kind: 'names', names: lookup.found.toSorted() }
        : emptyAnswer([lookup]);
    },
    lookup: addresses.length === 0 ? systemLookup : lookupBy(askName),
  };
}

/** Name of the PTR records of an address. Source: RFC 1035 §3.5, RFC 3596 §2.5 */
function reverseName(text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new Error('internal error: not an address');
  const [radix, digits, zone] = address.family === 'IPv4' ? [256n, 4, 'in-addr.arpa'] : [16n, 32, 'ip6.arpa'];
  const labels = Array.from({ length: digits }, (_, index) =>
    ((address.value / radix ** BigInt(index)) % radix).toString(radix === 16n ? 16 : 10),
  );
  return `${labels.join('.')}.${zone}`;
}

type LookupResult = { readonly found: readonly string[] } | { readonly code: string };

/** Source: nodejs.org/api/dns.html#error-codes */
const noRecordCodes: readonly string[] = ['ENOTFOUND', 'ENODATA'];

function emptyAnswer(results: readonly LookupResult[]): NameAnswer {
  const codes = results.flatMap((each) => ('code' in each ? [each.code] : []));
  const fault = codes.find((code) => !noRecordCodes.includes(code));
  return fault === undefined ? { kind: 'nothing' } : { kind: 'unanswered', reason: reasons[fault] ?? fault };
}

const reasons: Readonly<Record<string, string>> = {
  ETIMEOUT: 'timed out',
  ECANCELLED: 'timed out',
  ECONNREFUSED: 'connection refused',
  ESERVFAIL: 'server failure (SERVFAIL)',
  EREFUSED: 'query refused (REFUSED)',
  ENOTIMP: 'not implemented by the server (NOTIMP)',
  EFORMERR: 'format error (FORMERR)',
  EBADRESP: 'invalid response',
  EBADNAME: 'not a valid name',
};

function lookupBy(askName: NameServers['askName']): LookupFunction {
  return (host, options, callback) => {
    void askName(host).then((answer) => {
      const addresses = answer.kind === 'addresses' ? answer.addresses : [];
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4);
      else if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
