import type { StoreCredentials } from './store-credentials.js';

/** Current credentials of a store. Calls throw StoreFault. */
export interface CredentialProvider {
  readonly current: () => Promise<StoreCredentials>;
  /** Called when the store rejects credentials as expired. Undefined if there are no others. */
  readonly after: (rejected: StoreCredentials) => Promise<StoreCredentials | undefined>;
}

/** Time before the end of credentials at which they are renewed, as AWS SDKs do it. */
const marginMs = 5 * 60_000;

/** Credentials that just arrived are used for this time, whatever the clock of this machine says. */
const leastMs = 30_000;

/** A file without a time of expiry is read again after this time. */
const unknownMs = 5 * 60_000;

export function fixedCredentials(credentials: StoreCredentials): CredentialProvider {
  return { current: () => Promise.resolve(credentials), after: () => Promise.resolve(undefined) };
}

/**
 * Credentials that `load` reads again before they expire, once for all requests in progress. If that fails, the earlier ones are used
 * until their end.
 */
export function renewedCredentials(
  load: () => Promise<StoreCredentials>,
  now: () => Date,
): CredentialProvider {
  let held: { readonly credentials: StoreCredentials; readonly renewAt: number } | undefined;
  let loading: Promise<StoreCredentials> | undefined;
  const loaded = (): Promise<StoreCredentials> =>
    (loading ??= load()
      .then((credentials) => {
        held = { credentials, renewAt: renewalTime(credentials, now().getTime()) };
        return credentials;
      })
      .finally(() => {
        loading = undefined;
      }));
  return {
    current: async () => {
      const known = held;
      if (known !== undefined && now().getTime() < known.renewAt) return known.credentials;
      try {
        return await loaded();
      } catch (error) {
        const end = known?.credentials.expires?.getTime() ?? 0;
        if (known === undefined || now().getTime() >= end) throw error;
        // Ask again soon, but not with every request.
        held = { ...known, renewAt: now().getTime() + leastMs };
        return known.credentials;
      }
    },
    after: async (rejected) => {
      const known = held?.credentials;
      const next = known === undefined || isSame(known, rejected) ? await loaded() : known;
      return isSame(next, rejected) ? undefined : next;
    },
  };
}

function renewalTime({ expires }: StoreCredentials, now: number): number {
  if (expires === undefined) return now + unknownMs;
  const leftMs = expires.getTime() - now;
  // Short-lived credentials are used for half of their time.
  return now + Math.max(leastMs, leftMs - Math.min(marginMs, leftMs / 2));
}

function isSame(one: StoreCredentials, other: StoreCredentials): boolean {
  return one.accessKeyId === other.accessKeyId && one.sessionToken === other.sessionToken;
}
