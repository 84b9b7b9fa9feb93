import type { Redacted } from '../../core/redacted.js';
import { BmcFault } from './bmc-fault.js';
import type { SendBmcRequest } from './bmc-request.js';
import { linkAt, textAt } from './resource.js';
import { loginFault } from './response-fault.js';

export interface BmcUser {
  readonly name: string;
  readonly password: Redacted<string>;
}

/** Authentication with a BMC. */
export interface BmcAuthentication {
  readonly headers: () => Readonly<Record<string, string>>;
  /** Renews an expired session. False without sessions, or if it was renewed before. */
  readonly renew: () => Promise<boolean>;
  readonly leave: () => Promise<void>;
}

/** Functions that send requests. */
interface AuthenticateOptions {
  readonly send: SendBmcRequest;
  /** Sends requests after cancellation as well, to end the session. */
  readonly parting: SendBmcRequest;
  /** Secrets that a response may repeat. */
  readonly hidden: readonly string[];
}

/** Readable without authentication. Source: DSP0266, "Service root" */
const root = '/redfish/v1/';

/** Statuses of a BMC without sessions. */
const withoutSessions: ReadonlySet<number> = new Set([404, 405, 501]);

/** Creates a session, or falls back to HTTP Basic. Source: DSP0266, "Authentication". Throws BmcFault. */
export async function authenticate(
  user: BmcUser,
  { send, parting, hidden }: AuthenticateOptions,
): Promise<BmcAuthentication> {
  const { status, data } = await send({ method: 'GET', path: root });
  if (status === 200 && textAt(data, 'RedfishVersion') === undefined)
    throw new BmcFault('unsupported', 'not a Redfish service');
  if (status === 404) throw new BmcFault('unsupported', 'not a Redfish service (HTTP 404)');
  // A service without this link has its sessions below SessionService. Source: DSP0266, "Session login"; openstack/sushy, use-sessions-url-from-root
  const service = linkAt(data, 'SessionService');
  const sessions =
    linkAt(data, 'Links', 'Sessions') ?? (service && `${service.replace(/\/+$/, '')}/Sessions`);
  if (sessions === undefined) return basicAuthentication(user);
  const openSession = (): Promise<Session | undefined> => createSession(sessions, user, { send, hidden });
  const session = await openSession();
  return session === undefined
    ? basicAuthentication(user)
    : sessionAuthentication(session, openSession, parting);
}

function basicAuthentication({ name, password }: BmcUser): BmcAuthentication {
  const authorization = `Basic ${Buffer.from(`${name}:${password.reveal()}`).toString('base64')}`;
  return {
    headers: () => ({ authorization }),
    renew: () => Promise.resolve(false),
    leave: () => Promise.resolve(),
  };
}

interface Session {
  readonly token: string;
  /** Path of the session resource; deleting it ends the session. */
  readonly path?: string;
}

async function createSession(
  path: string,
  { name, password }: BmcUser,
  { send, hidden }: Pick<AuthenticateOptions, 'send' | 'hidden'>,
): Promise<Session | undefined> {
  const body = { UserName: name, Password: password.reveal() };
  const answer = await send({ method: 'POST', path, body });
  const { status, headers, data } = answer;
  if (withoutSessions.has(status)) return undefined;
  // Not retried: BMCs lock an account after a few wrong passwords.
  if ([400, 401, 403].includes(status)) throw loginFault(answer, hidden);
  const token = headers['x-auth-token'];
  // Usually the limit of sessions is reached; Basic authentication still works then.
  if (status >= 300 || typeof token !== 'string') return undefined;
  const own = headers.location ?? linkAt(data);
  return { token, ...(own !== undefined && { path: own }) };
}

function sessionAuthentication(
  first: Session,
  openSession: () => Promise<Session | undefined>,
  parting: SendBmcRequest,
): BmcAuthentication {
  let session: Session | undefined = first;
  let isRenewed = false;
  return {
    headers: () => (session === undefined ? {} : { 'x-auth-token': session.token }),
    renew: async () => {
      if (isRenewed) return false;
      isRenewed = true;
      session = await openSession();
      return session !== undefined;
    },
    leave: async () => {
      if (session?.path === undefined) return;
      try {
        // Some BMCs return a complete URL. Source: DSP0266, "Session login"
        const { pathname } = new URL(session.path, 'https://bmc');
        await parting({ method: 'DELETE', path: pathname, headers: { 'x-auth-token': session.token } });
      } catch {
        // The session expires after a while.
      }
    },
  };
}
