import { expect, test } from 'vitest';

import { hasSession, sessionCookie, viewerToken } from '../../../src/serve/page/page-session.js';
import { siteToken } from '../../../src/serve/site-catalogue.js';
import { KeyPem } from '../../../src/formats/keys/key-pem.js';
import { Redacted } from '../../../src/core/redacted.js';

const state = {
  tokenKey: new Redacted(Buffer.alloc(32, 7).toString('base64url')),
  generations: {},
  viewerGeneration: 0,
  authority: { keyPem: new KeyPem(''), certPem: '' },
};
const now = new Date('2026-11-22T12:00:00Z');
const cookie = (isSecure = true): string => sessionCookie(state, { now, isSecure });
const [sent = ''] = cookie().split(';');
const hoursLater = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);

test('a session is for no script, no other site, and over TLS alone where there is TLS', () => {
  expect(cookie()).toMatch(
    /^sno-install-page=\d+\.[\w-]{32}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookie(false)).toBe(cookie().replace('; Secure', ''));
});

test.each([
  { name: 'is good until its end', header: sent, at: hoursLater(11.99), want: true },
  { name: 'beside other cookies', header: `a=b; ${sent}; c=d`, at: now, want: true },
  { name: 'ends', header: sent, at: hoursLater(12), want: false },
  { name: 'has an end that nobody changes', header: sent.replace('=1', '=2'), at: now, want: false },
  { name: 'is not there', header: undefined, at: now, want: false },
  { name: 'is empty', header: 'sno-install-page=', at: now, want: false },
  { name: 'is the token itself', header: `sno-install-page=1.${viewerToken(state)}`, at: now, want: false },
])('a session that $name', ({ header, at, want }) => {
  expect(hasSession(state, header, at)).toBe(want);
});

test('it ends with the token that began it, which is none of a site', () => {
  const next = { ...state, viewerGeneration: 1 };
  expect(hasSession(next, sent, now)).toBe(false);
  expect(viewerToken(next)).not.toBe(viewerToken(state));
  expect(siteToken(state, { name: '', generation: 0 })).not.toBe(viewerToken(state));
});
