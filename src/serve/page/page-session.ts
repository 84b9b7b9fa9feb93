import { createHash, timingSafeEqual } from 'node:crypto';

import type { ServingState } from '../tokens/serving-state.js';
import { tokenOf } from '../tokens/tokens.js';

/** The token that opens the status page. It gives read access to the status of all sites and cannot download media. */
export function viewerToken({
  tokenKey,
  viewerGeneration,
}: Pick<ServingState, 'tokenKey' | 'viewerGeneration'>): string {
  return tokenOf(tokenKey, { use: 'viewer', name: '', generation: viewerGeneration });
}

/** The URL that exchanges the viewer token for a session cookie. */
export function viewUrl(base: URL, state: ServingState): URL {
  return new URL(`/view/${viewerToken(state)}`, base);
}

/** Lifetime of a browser session. */
const sessionSeconds = 12 * 60 * 60;

const cookieName = 'sno-install-page';

/** Returns the `Set-Cookie` value of a new session. With a cookie, the token stays out of the address bar and of later URLs. */
export function sessionCookie(
  state: ServingState,
  { now, isSecure }: { readonly now: Date; readonly isSecure: boolean },
): string {
  const ends = Math.floor(now.getTime() / 1000) + sessionSeconds;
  const flags = `Path=/; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return `${cookieName}=${ends}.${sessionToken(state, ends)}; ${flags}`;
}

/** Whether a `Cookie` header contains a valid session. A session ends when it expires, or when the viewer token is revoked. */
export function hasSession(state: ServingState, header: string | undefined, now: Date): boolean {
  return (header ?? '').split(/; */).some((each) => {
    const [, digits = '', token = ''] = sessionPattern.exec(each) ?? [];
    const ends = Number(digits);
    return isSame(token, sessionToken(state, ends)) && ends * 1000 > now.getTime();
  });
}

const sessionPattern = new RegExp(`^${cookieName}=(\\d{1,12})\\.([\\w-]{1,64})$`);

function sessionToken(
  { tokenKey, viewerGeneration }: Pick<ServingState, 'tokenKey' | 'viewerGeneration'>,
  ends: number,
): string {
  return tokenOf(tokenKey, { use: 'session', name: String(ends), generation: viewerGeneration });
}

/** Compares hashes in constant time. */
export function isSame(left: string, right: string): boolean {
  const [one, other] = [left, right].map((each) => createHash('sha256').update(each).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
