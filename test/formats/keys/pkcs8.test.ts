import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type ECKeyPairOptions,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

import { describe, expect, it, test } from 'vitest';

import { keyObjectOf, readPkcs8 } from '../../../src/formats/keys/pkcs8.js';
import { pemOf, privateKeyOf } from '../../../src/formats/keys/private-key.js';

const drawn = promisify(generateKeyPair);
const rsa = (await drawn('rsa', { modulusLength: 2048 })).privateKey;
const p256 = (await drawn('ec', { namedCurve: 'P-256' })).privateKey;
const keys = [
  { name: 'RSA of 2048 bits', kind: 'RSA', key: rsa },
  {
    name: 'RSA of an odd length',
    kind: 'RSA',
    key: (await drawn('rsa', { modulusLength: 2049 })).privateKey,
  },
  { name: 'P-256', kind: 'P-256', key: p256 },
  { name: 'P-384', kind: 'P-384', key: (await drawn('ec', { namedCurve: 'P-384' })).privateKey },
] as const;

/** No object: an export of one that was drawn at once can stop for ever (src/formats/keys/rsa-key.ts). */
const options: ECKeyPairOptions<'pem', 'pem'> = {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
};

function pemIn(key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): string {
  return key.export({ type, format: 'pem' }).toString();
}

function spkiOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('hex');
}

describe('a key as OpenSSL writes it', () => {
  test.each(keys)('$name is what OpenSSL reads in it', ({ kind, key }) => {
    const read = readPkcs8(pemIn(key));
    expect(read).toMatchObject({ kind, jwk: key.export({ format: 'jwk' }) });
    expect(read?.publicDer.toString('hex')).toBe(spkiOf(key));
    expect(keyObjectOf(pemIn(key)).equals(key)).toBe(true);
  });

  it('is read so whatever its numbers begin with', () => {
    for (let round = 0; round < 300; round += 1) {
      const { privateKey: pem } = generateKeyPairSync('ec', options);
      expect(readPkcs8(pem)?.jwk).toEqual(createPrivateKey(pem).export({ format: 'jwk' }));
    }
  });
});

const { privateKey: secp256k1 } = await drawn('ec', { namedCurve: 'secp256k1' });
const { privateKey: ed25519 } = await drawn('ed25519');
const { privateKey: pss } = await drawn('rsa-pss', { modulusLength: 2048 });

describe('a text of another form', () => {
  test.each([
    ['PKCS#1', pemIn(rsa, 'pkcs1')],
    ['SEC1', pemIn(p256, 'sec1')],
    ['a curve that is never drawn', pemIn(secp256k1)],
    ['Ed25519', pemIn(ed25519)],
    ['RSA-PSS', pemIn(pss)],
    ['line ends of Windows', pemIn(rsa).replaceAll('\n', '\r\n')],
    ['words before it', `a key:\n${pemIn(rsa)}`],
    ['two keys', `${pemIn(rsa)}${pemIn(p256)}`],
  ])('%s is left to OpenSSL, which reads it', (_name, pem) => {
    expect(readPkcs8(pem)).toBeUndefined();
    expect(keyObjectOf(pem).equals(createPrivateKey(pem))).toBe(true);
  });

  const der = rsa.export({ type: 'pkcs8', format: 'der' });
  test.each([
    ['nothing', ''],
    ['no base64', '-----BEGIN PRIVATE KEY-----\n====\n-----END PRIVATE KEY-----\n'],
    ['a key that is cut off', pemOf('PRIVATE KEY', der.subarray(0, 700))],
    [
      'a key that is cut off within its numbers',
      pemOf('PRIVATE KEY', Buffer.from(der.toString('hex').slice(0, 900), 'hex')),
    ],
    [
      'numbers that are none',
      pemOf('PRIVATE KEY', Buffer.concat([der.subarray(0, 30), Buffer.alloc(der.length - 30)])),
    ],
  ])('%s is none', (_name, pem) => {
    expect(readPkcs8(pem)).toBeUndefined();
    expect(() => keyObjectOf(pem)).toThrow();
    expect(() => privateKeyOf(pem)).toThrow();
  });

  it('bytes behind the key are not overlooked', () => {
    expect(readPkcs8(pemOf('PRIVATE KEY', Buffer.concat([der, Buffer.of(0)])))).toBeUndefined();
  });
});

it('a point that does not lie on its curve is refused when the key is used', () => {
  const der = p256.export({ type: 'pkcs8', format: 'der' });
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  expect(() => keyObjectOf(pemOf('PRIVATE KEY', der))).toThrow();
});
