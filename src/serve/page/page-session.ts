import { createHash, timingSafeEqual } from 'node:crypto';

import type { ServingState } from '../tokens/serving-state.js';
import { tokenOf } from '../tokens/tokens.js';

/** The token that opens the page; whoever has it sees all sites, and can fetch nothing. */
export function viewerToken({
  tokenKey,
  viewerGeneration,
}: Pick<ServingState, 'tokenKey' | 'viewerGeneration'>): string {
  return tokenOf(tokenKey, { use: 'viewer', name: '', generation: viewerGeneration });
}

/** Where the token is given for a session. */
export function viewUrl(base: URL, state: ServingState): URL {
  return new URL(`/view/${viewerToken(state)}`, base);
}

/** How long a browser that has shown the token may look. */
const sessionSeconds = 12 * 60 * 60;

const cookieName = 'sno-install-page';

/** The cookie of a session that begins now, so that the token stays neither in the address bar nor in what is fetched from there. */
export function sessionCookie(
  state: ServingState,
  { now, isSecure }: { readonly now: Date; readonly isSecure: boolean },
): string {
  const ends = Math.floor(now.getTime() / 1000) + sessionSeconds;
  const flags = `Path=/; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return `${cookieName}=${ends}.${sessionToken(state, ends)}; ${flags}`;
}

/** Whether a `Cookie` header has a session that is good: it ends with its time, and with the token that began it. */
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

/** Compares hashes, so that the time it takes tells nothing. */
export function isSame(left: string, right: string): boolean {
  const [one, other] = [left, right].map((each) => createHash('sha256').update(each).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
