import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { renderText } from '../../src/review/render-text.js';
import { renderManifest } from '../../src/review/render-manifest.js';
import { seededEcKey } from '../support/seeded-keys.js';

const key = seededEcKey('explode', 'P-256');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An expired certificate made with openssl; its key was not kept. */
const certificate = readFileSync('test/review/sample-certificate.pem', 'utf8');
const certificateSummary =
  '<certificate O=system:masters, CN=system:admin; issuer OU=openshift, CN=sample-signer; key ec-prime256v1 FINGERPRINT; ' +
  '2026-01-02T00:00:00Z to 2026-01-03T00:00:00Z; usage digitalSignature+keyEncipherment; for server+client; names DNS:localhost, IP Address:127.0.0.1>';

describe('readable', () => {
  const cases = [
    { name: 'plain text', given: 'set -e\n', want: 'set -e\n' },
    { name: 'a private key', given: `a\n${key}b\n`, want: 'a\n<private key ec-prime256v1 FINGERPRINT>\nb\n' },
    {
      name: 'an indented key',
      given: `k: |\n  ${key.trim().replaceAll('\n', '\n  ')}\nb: c\n`,
      want: 'k: |\n  <private key ec-prime256v1 FINGERPRINT>\nb: c\n',
    },
    {
      name: 'a key in JSON',
      given: JSON.stringify({ key }),
      want: '{"key":"<private key ec-prime256v1 FINGERPRINT>"}',
    },
    {
      name: 'a key in base64',
      given: `key: ${base64(key)}\n`,
      want: 'key: <base64 of <private key ec-prime256v1 FINGERPRINT>\n>\n',
    },
    { name: 'a certificate', given: certificate, want: `${certificateSummary}\n` },
    {
      name: 'a key in a field that is secret by its name',
      given: `client-key-data: ${base64(key)}\n`,
      want: 'client-key-data: <base64 of <private key ec-prime256v1 FINGERPRINT>\n>\n',
    },
    {
      name: 'a text in base64 that is secret by its name',
      given: `password: ${base64('a password that is long enough to be decoded')}\n`,
      want: 'password: [redacted]\n',
    },
    {
      name: 'a certificate that cannot be read',
      given: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      want: '<certificate that cannot be read>\n',
    },
    { name: 'a mark of a fact as nothing', given: 'a\uE0000\uE000b', want: 'a0b' },
    { name: 'bytes in base64', given: Buffer.alloc(60, 0xff).toString('base64'), want: '/'.repeat(80) },
    {
      name: 'a login before a host, without a scheme',
      given: 'proxy=user:word@proxy.example.com:3128\nimage: user:word@mirror.example.com/a\n',
      want: 'proxy=<secret>@proxy.example.com:3128\nimage: <secret>@mirror.example.com/a\n',
    },
    {
      name: 'what only looks like a login',
      given: 'mailto:someone@example.com a/b:tag@sha256:00 git@example.com:a getty@tty1.service a: b@c\n',
      want: 'mailto:someone@example.com a/b:tag@sha256:00 git@example.com:a getty@tty1.service a: b@c\n',
    },
    { name: 'a bcrypt hash', given: `h: $2a$10$${'a'.repeat(53)}\n`, want: 'h: <bcrypt hash>\n' },
  ];
  it.each(cases)('shows $name', ({ given, want }) => {
    expect(renderText(given).replaceAll(/(?<=ec-prime256v1 )[0-9a-f]{8}/g, 'FINGERPRINT')).toBe(want);
  });
});

describe('runs in time proportional to the text', () => {
  const times = (text: string): string => text.repeat(200_000 / text.length);
  /** Data URLs within data URLs; each is found only after the outer one is decoded. */
  const nested = Array.from({ length: 200 }).reduce<string>(
    (inner) => `data:,${inner.replaceAll('%', '%25').replace('d', '%64')}`,
    'data:,a',
  );
  const secretInSecret = Array.from({ length: 40 }).reduce<string>(
    (inner) => JSON.stringify({ kind: 'Secret', note: `data:,${encodeURIComponent(inner)}` }),
    'a',
  );
  it.each([
    ['data URLs', times('data:,')],
    ['nested data URLs', nested],
    ['a Secret in a Secret', secretInSecret],
    ['beginnings of PEM', times('-----BEGIN A-----\nAAAA\n')],
    ['PEM without an end', `-----BEGIN A-----${times('\\nAA')}`],
    ['one word', times('A')],
    ['kinds', times('kind: &a ')],
    ['fields', times('"data":')],
  ])('%s', (_name, text) => {
    expect(renderManifest(text).length).toBeLessThan(10 * text.length);
  });
});
