import { inspect } from 'node:util';

import { expect, test } from 'vitest';

import { KeyPem } from '../../../src/formats/keys/key-pem.js';
import { privateKeyOf } from '../../../src/formats/keys/private-key.js';
import { certificateKey } from '../../../src/formats/keys/x509.js';
import { seededEcKey } from '../../support/seeded-keys.js';

const text = seededEcKey('key-pem', 'P-256');
const key = new KeyPem(text);
/** As deep in a value as certificates hold their keys. */
const certificate = { certPem: 'certificate', keyPem: key, key: certificateKey(privateKeyOf(text)) };

test.each([
  { name: 'a template string', given: `the key ${String(key)}`, want: 'the key [private key]' },
  { name: 'JSON', given: JSON.stringify({ key }), want: '{"key":"[private key]"}' },
  { name: 'inspect', given: inspect({ key }, { showHidden: true }), want: '{ key: [private key] }' },
  { name: 'an error message', given: new Error(String(key)).message, want: '[private key]' },
  { name: 'an array joined', given: [key, key].join(), want: '[private key],[private key]' },
])('$name shows a placeholder', ({ given, want }) => {
  expect(given).toBe(want);
});

test.each([
  { name: 'JSON', given: JSON.stringify(certificate) },
  { name: 'inspect', given: inspect(certificate, { depth: Infinity, showHidden: true }) },
])('a certificate shows no line of its key as $name', ({ given }) => {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('---'));
  expect(lines.filter((line) => given.includes(line))).toEqual([]);
  expect(given).toContain('[private key]');
});

test('reveal returns the text', () => {
  expect(key.reveal()).toBe(text);
});
