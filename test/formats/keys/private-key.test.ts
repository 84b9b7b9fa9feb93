import { createPrivateKey, createPublicKey, generateKeyPair, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { describe, expect, it, test } from 'vitest';

import {
  generateEcKey,
  pemOf,
  privateKeyOf,
  readEcKey,
  readRsaKey,
  type StoredKey,
} from '../../../src/formats/keys/private-key.js';

const generate = promisify(generateKeyPair);
const rsa = (await generate('rsa', { modulusLength: 2048 })).privateKey;
const p256 = (await generate('ec', { namedCurve: 'P-256' })).privateKey;
const p384 = (await generate('ec', { namedCurve: 'P-384' })).privateKey;
const { privateKey: secp256k1 } = await generate('ec', { namedCurve: 'secp256k1' });
const { privateKey: ed25519 } = await generate('ed25519');
const { privateKey: pss } = await generate('rsa-pss', { modulusLength: 2048 });
const { privateKey: smallExponent } = await generate('rsa', { modulusLength: 2048, publicExponent: 3 });

function pemIn(key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): string {
  return key.export({ type, format: 'pem' }).toString();
}

function keptText(read: StoredKey): unknown {
  return 'value' in read ? [read.value.kind, read.value.pem.reveal()] : read;
}

describe('a private key', () => {
  test.each([
    { name: 'RSA', kind: 'RSA', pem: pemIn(rsa), hash: 'sha256' },
    { name: 'P-256', kind: 'P-256', pem: pemIn(p256), hash: 'sha256' },
    { name: 'P-384', kind: 'P-384', pem: pemIn(p384), hash: 'sha384' },
    { name: 'RSA in PKCS#1', kind: 'RSA', pem: pemIn(rsa, 'pkcs1'), hash: 'sha256' },
    { name: 'P-256 in SEC1', kind: 'P-256', pem: pemIn(p256, 'sec1'), hash: 'sha256' },
    {
      name: 'RSA with Windows line ends',
      kind: 'RSA',
      pem: pemIn(rsa).replaceAll('\n', '\r\n'),
      hash: 'sha256',
    },
    { name: 'RSA after other text', kind: 'RSA', pem: `a key:\n${pemIn(rsa)}`, hash: 'sha256' },
  ])('$name keeps its text, has its public half and signs', async ({ kind, pem, hash }) => {
    const key = privateKeyOf(pem);
    const publicKey = createPublicKey(pem);
    const message = Buffer.from('message');

    expect([key.kind, key.pem.reveal()]).toEqual([kind, pem]);
    expect(key.publicDer).toEqual(publicKey.export({ type: 'spki', format: 'der' }));
    expect(verify(hash, message, publicKey, await key.sign(message))).toBe(true);
  });

  const der = rsa.export({ type: 'pkcs8', format: 'der' });
  const offCurve = p256.export({ type: 'pkcs8', format: 'der' });
  offCurve[offCurve.length - 1] = (offCurve.at(-1) ?? 0) ^ 1;
  test.each([
    { name: 'an empty text', pem: '' },
    { name: 'a block without base64', pem: '-----BEGIN PRIVATE KEY-----\n====\n-----END PRIVATE KEY-----\n' },
    { name: 'a key that is cut off', pem: pemOf('PRIVATE KEY', der.subarray(0, 700)) },
    {
      name: 'zeros in place of the numbers',
      pem: pemOf('PRIVATE KEY', Buffer.concat([der.subarray(0, 30), Buffer.alloc(der.length - 30)])),
    },
    { name: 'a point that is not on its curve', pem: pemOf('PRIVATE KEY', offCurve) },
    { name: 'a curve that is never generated', pem: pemIn(secp256k1) },
    { name: 'Ed25519', pem: pemIn(ed25519) },
  ])('$name is rejected', ({ pem }) => {
    expect(() => privateKeyOf(pem)).toThrow();
  });
});

describe('a kept key', () => {
  test.each([
    { name: 'no key', given: readRsaKey('secret', 2048), fault: 'it is not a private key in PEM' },
    { name: 'a curve for RSA', given: readRsaKey(pemIn(p256), 2048), fault: 'it is not an RSA key' },
    { name: 'RSA-PSS for RSA', given: readRsaKey(pemIn(pss), 2048), fault: 'it is not an RSA key' },
    {
      name: 'a short key',
      given: readRsaKey(pemIn(rsa), 3072),
      fault: 'its key has 2048 bits, expected 3072',
    },
    {
      name: 'exponent 3',
      given: readRsaKey(pemIn(smallExponent), 2048),
      fault: 'the exponent of its key is too small',
    },
    {
      name: 'no key for a curve',
      given: readEcKey('secret', 'P-256'),
      fault: 'it is not a private key in PEM',
    },
    { name: 'another curve', given: readEcKey(pemIn(p384), 'P-256'), fault: 'it is not a P-256 key' },
    { name: 'RSA for a curve', given: readEcKey(pemIn(rsa), 'P-256'), fault: 'it is not a P-256 key' },
  ])('$name is rejected', ({ given, fault }) => {
    expect(given).toEqual({ fault });
  });

  it('is read with the text it was kept as', () => {
    expect(keptText(readRsaKey(pemIn(rsa), 2048))).toEqual(['RSA', pemIn(rsa)]);
    expect(keptText(readEcKey(pemIn(p384), 'P-384'))).toEqual(['P-384', pemIn(p384)]);
  });
});

it.each(['P-256', 'P-384'] as const)(
  'generates different keys of %s in the bytes of OpenSSL',
  async (curve) => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => generateEcKey(curve)));
    const pems = keys.map((key) => key.reveal());

    expect(pems).toEqual(pems.map((pem) => createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' })));
    expect(new Set(pems).size).toBe(3);
  },
);
