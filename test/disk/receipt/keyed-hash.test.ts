import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { isGuessable, keyedHash } from '../../../src/disk/receipt/keyed-hash.js';
import { sha256 } from '../../../src/formats/sha256.js';

const login = (password: string): string =>
  `pullSecret: '{"auths":{"quay.io":{"auth":"${Buffer.from(`robot:${password}`).toString('base64')}"}}}'`;
const cases: readonly { name: string; text: string; want: boolean }[] = [
  { name: 'no secret', text: 'apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n', want: false },
  { name: 'the long login of a registry', text: login('A3BCDEFGHIJKLMNOPQRS'), want: false },
  { name: 'a short one', text: login('A3BCDEFGHIJKLMNOPQR'), want: true },
  { name: 'a short one beside a long one', text: `${login('1234')}\n${login('a'.repeat(40))}`, want: false },
  { name: 'a login that is escaped', text: JSON.stringify(login('b'.repeat(40)).slice(12)), want: false },
  { name: 'the password of a proxy', text: 'httpProxy: http://user:1234@proxy.example.com', want: true },
  { name: 'a Secret', text: 'kind: Secret\nstringData: {pin: "1234"}\n', want: true },
  { name: 'a Secret in JSON', text: '{"kind": "Secret", "data": {"a": "MTIzNA=="}}', want: true },
  { name: 'a file in a MachineConfig', text: 'source: data:;base64,MTIzNA==', want: true },
  { name: 'the key of a wireless network', text: '[wifi-security]\npsk=12345678\n', want: true },
  { name: 'nothing', text: '', want: false },
];

describe('a plain hash would let a secret be found by trying', () => {
  it.each(cases)('$name: $want', ({ text, want }) => {
    expect(isGuessable(Buffer.from(text))).toBe(want);
  });
});

describe('a keyed hash', () => {
  const holder = Buffer.from('a kubeconfig with a private key, longer than one block of SHA-256 is');
  const file = Buffer.from('pin: 1234\n');

  it('can be computed with the key holder', () => {
    const key = sha256(Buffer.concat([Buffer.from('sno-install receipt key\0'), holder]));
    const want = createHmac('sha256', Buffer.from(key, 'hex')).update(file).digest('hex');
    expect(keyedHash(holder, file)).toBe(want);
  });

  it('cannot be computed from the hash of the holder, which HMAC would take for a long key (RFC 2104 §3)', () => {
    const shown = Buffer.from(sha256(holder), 'hex');
    expect(keyedHash(holder, file)).not.toBe(createHmac('sha256', shown).update(file).digest('hex'));
  });
});
