import { addressBits, parseAddress } from '../../formats/cidr.js';
import type { IssuingCertificate, NameSubtrees } from '../../formats/keys/issuing-certificate.js';

type Constraints =
  Pick<IssuingCertificate, 'permitted' | 'excluded'> extends infer Given
    ? { readonly [Key in keyof Given]-?: NameSubtrees | undefined }
    : never;

/** Reports host names that violate a CA's name constraints (RFC 5280 §4.2.1.10); predicate of a sentence, undefined if none does. */
export function nameConstraintFault(
  hostnames: readonly string[],
  { permitted, excluded }: Constraints,
): string | undefined {
  const others = [permitted, excluded].some((subtrees) => subtrees?.hasOthers === true);
  if (others)
    return 'has name constraints of a form other than DNS names and addresses, which are not supported';
  const refused = hostnames.filter(
    (hostname) =>
      (permitted !== undefined && isConstrained(hostname, permitted) && !isWithin(hostname, permitted)) ||
      (excluded !== undefined && isWithin(hostname, excluded)),
  );
  const [first] = refused;
  if (first === undefined) return undefined;
  const more = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  return `has name constraints that exclude ${first}${more}`;
}

/** DNS subtrees constrain only DNS names, IP subtrees only IP addresses. */
function isConstrained(hostname: string, { domains, networks }: NameSubtrees): boolean {
  return (parseAddress(hostname) === undefined ? domains : networks).length > 0;
}

function isWithin(hostname: string, { domains, networks }: NameSubtrees): boolean {
  const address = parseAddress(hostname);
  if (address === undefined) return domains.some((domain) => isBelow(hostname.toLowerCase(), domain));
  const digits = addressBits(address.family) / 4;
  const bytes = Buffer.from(address.value.toString(16).padStart(digits, '0'), 'hex');
  return networks.some((network) => holds(network, bytes));
}

/** Go and OpenSSL match `.example.com` with subdomains only; an empty domain matches every name. */
function isBelow(hostname: string, domain: string): boolean {
  if (domain === '') return true;
  return domain.startsWith('.')
    ? hostname.endsWith(domain)
    : hostname === domain || hostname.endsWith(`.${domain}`);
}

function holds(network: Buffer, address: Buffer): boolean {
  const size = network.length / 2;
  if (size !== address.length) return false;
  return address.every(
    (byte, at) => (byte & (network[size + at] ?? 0)) === ((network[at] ?? 0) & (network[size + at] ?? 0)),
  );
}
