import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { mayBeSecret } from '../../core/secrets.js';

/** Target of an ssh connection. */
export interface NodeAddress {
  readonly user: string;
  /** Host name or address, IPv6 without brackets. */
  readonly host: string;
  /** If absent, ssh uses the port in the user's ssh config, or 22. */
  readonly port?: number;
}

/** Parses `[USER@]HOST[:PORT]`; an IPv6 address with a port needs brackets. Problems: support/host. */
export function parseNodeAddress(text: string): Result<NodeAddress> {
  const { user = 'core', host = '', port } = addressForm.exec(text)?.groups ?? {};
  const hostname = host.replace(/^\[|\]$/g, '');
  const number = port === undefined ? undefined : Number(port);
  // A pasted token looks like a host name. ssh would print it and send it to name servers.
  if (
    !hostForm.test(hostname) ||
    mayBeSecret(hostname) ||
    (number !== undefined && (number < 1 || number > 65_535))
  ) {
    const message = `${quoted(text)} is not a valid host, expected [USER@]HOST[:PORT]`;
    return failure(
      problem('support/host', message, { hint: 'use a name or address, such as 192.168.126.10' }),
    );
  }
  return success({ user, host: hostname, ...(number !== undefined && { port: number }) });
}

const addressForm =
  /^(?:(?<user>[a-z_][a-z0-9_-]*)@)?(?<host>\[[^\]]+\]|[^:@[\]]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%a-z0-9]*)(?::(?<port>\d{1,5}))?$/;

/** Excludes options of ssh and everything that its config could expand. */
const hostForm = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?)$/;
