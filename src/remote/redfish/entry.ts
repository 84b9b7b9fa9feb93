import type { Redacted } from '../../core/redacted.js';
import { BmcFault } from './bmc-fault.js';
import type { Asking } from './bmc-request.js';
import { linkAt, textAt } from './resource.js';

/** An account of a BMC. */
export interface BmcUser {
  readonly name: string;
  readonly password: Redacted<string>;
}

/** What opens a BMC. */
export interface Entry {
  readonly headers: () => Readonly<Record<string, string>>;
  /** Begins a session again that has ended; false where there is none, or it was begun again before. */
  readonly renew: () => Promise<boolean>;
  readonly leave: () => Promise<void>;
}

/** How a BMC is asked. */
interface EntryMeans {
  readonly asking: Asking;
  /** The same when everything else has ended. */
  readonly parting: Asking;
}

/** Source: DSP0266, "Service root": it is read without an account. */
const root = '/redfish/v1/';

/** Answers of who has no sessions. */
const withoutSessions: ReadonlySet<number> = new Set([404, 405, 501]);

/** Begins a session, or falls back to HTTP Basic. Source: DSP0266, "Authentication". Throws BmcFault. */
export async function enter(user: BmcUser, { asking, parting }: EntryMeans): Promise<Entry> {
  const { status, data } = await asking({ method: 'GET', path: root });
  if (status === 200 && textAt(data, 'RedfishVersion') === undefined)
    throw new BmcFault('unsupported', 'what answers is no Redfish service');
  if (status === 404) throw new BmcFault('unsupported', 'what answers is no Redfish service (HTTP 404)');
  const sessions = linkAt(data, 'Links', 'Sessions');
  const session = sessions === undefined ? undefined : await beginSession(sessions, user, asking);
  return session === undefined || sessions === undefined
    ? basicEntry(user)
    : sessionEntry(session, () => beginSession(sessions, user, asking), parting);
}

function basicEntry({ name, password }: BmcUser): Entry {
  const authorization = `Basic ${Buffer.from(`${name}:${password.reveal()}`).toString('base64')}`;
  return {
    headers: () => ({ authorization }),
    renew: () => Promise.resolve(false),
    leave: () => Promise.resolve(),
  };
}

interface Session {
  readonly token: string;
  /** Where it is ended. */
  readonly path?: string;
}

async function beginSession(
  path: string,
  { name, password }: BmcUser,
  asking: Asking,
): Promise<Session | undefined> {
  const body = { UserName: name, Password: password.reveal() };
  const { status, headers, data } = await asking({ method: 'POST', path, body });
  if (withoutSessions.has(status)) return undefined;
  // Asked once: after a few wrong ones a BMC locks the account.
  if ([400, 401, 403].includes(status))
    throw new BmcFault('credentials', 'it refuses the user or the password', { status });
  const token = headers['x-auth-token'];
  // All sessions taken, most often: those without one are still let in.
  if (status >= 300 || typeof token !== 'string') return undefined;
  const own = headers.location ?? linkAt(data);
  return { token, ...(own !== undefined && { path: own }) };
}

function sessionEntry(first: Session, begin: () => Promise<Session | undefined>, parting: Asking): Entry {
  let session: Session | undefined = first;
  let isRenewed = false;
  return {
    headers: () => (session === undefined ? {} : { 'x-auth-token': session.token }),
    renew: async () => {
      if (isRenewed) return false;
      isRenewed = true;
      session = await begin();
      return session !== undefined;
    },
    leave: async () => {
      if (session?.path === undefined) return;
      try {
        // Some give a whole URL. Source: DSP0266, "Session login"
        const { pathname } = new URL(session.path, 'https://bmc');
        await parting({ method: 'DELETE', path: pathname, headers: { 'x-auth-token': session.token } });
      } catch {
        // It ends by itself some time later.
      }
    },
  };
}
