import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { parseAddress } from '../formats/cidr.js';
import { parseDuration } from '../formats/duration.js';

/** How everything is asked, as the command line says. */
export interface AskingGiven {
  readonly dnsServers: readonly string[];
  readonly timeoutMs: number;
}

/** No question may take longer; one alone takes less. */
const longestSeconds = 600;

interface Given {
  readonly dnsServer: readonly string[];
  readonly timeout: string;
}

/** What `--dns-server` and `--timeout` say. Problems: usage/unknown-argument. */
export function askingOf({ dnsServer, timeout }: Given): Result<AskingGiven> {
  const seconds = parseDuration(timeout) ?? 0;
  if (seconds < 1 || seconds > longestSeconds) {
    const message = `--timeout is ${quoted(timeout)}, expected a duration from 1s to 10m`;
    return failure(problem('usage/unknown-argument', message, { hint: 'try 30s' }));
  }
  const odd = dnsServer.find((server) => !isServer(server));
  if (odd !== undefined) {
    const message = `--dns-server is ${quoted(odd)}, expected an address`;
    return failure(
      problem('usage/unknown-argument', message, { hint: 'try 192.0.2.53, or [2001:db8::53]:53' }),
    );
  }
  return success({ dnsServers: dnsServer, timeoutMs: seconds * 1000 });
}

/** What nodejs.org/api/dns.html#dnssetserversservers takes. */
function isServer(text: string): boolean {
  if (parseAddress(text) !== undefined) return true;
  const [, v6, v4, port] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const address = parseAddress(v6 ?? v4 ?? '');
  return address?.family === (v6 === undefined ? 'IPv4' : 'IPv6') && Number(port) > 0 && Number(port) < 65536;
}
