import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { mayBeSecret } from '../../core/secrets.js';

/** Whom ssh talks to. */
export interface NodeAddress {
  readonly user: string;
  /** A name or an address, IPv6 without brackets. */
  readonly host: string;
  /** Absent: that of the user's ssh config, or 22. */
  readonly port?: number;
}

/** `[USER@]HOST[:PORT]`, where an IPv6 address with a port stands in brackets. Problems: support/host. */
export function parseNodeAddress(text: string): Result<NodeAddress> {
  const { user = 'core', host = '', port } = addressForm.exec(text)?.groups ?? {};
  const bare = host.replace(/^\[|\]$/g, '');
  const number = port === undefined ? undefined : Number(port);
  // A token has the form of a name, and ssh would show it and ask name servers for it.
  if (
    !hostForm.test(bare) ||
    mayBeSecret(bare) ||
    (number !== undefined && (number < 1 || number > 65_535))
  ) {
    const message = `${quoted(text)} names no machine, expected [USER@]HOST[:PORT]`;
    return failure(
      problem('support/host', message, { hint: 'write its name or address, such as 192.168.126.10' }),
    );
  }
  return success({ user, host: bare, ...(number !== undefined && { port: number }) });
}

const addressForm =
  /^(?:(?<user>[a-z_][a-z0-9_-]*)@)?(?<host>\[[^\]]+\]|[^:@[\]]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%a-z0-9]*)(?::(?<port>\d{1,5}))?$/;

/** Neither an option of ssh nor anything that its config could expand. */
const hostForm = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?)$/;
