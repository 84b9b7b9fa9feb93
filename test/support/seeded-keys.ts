import { checkPrimeSync, createECDH, createHash, createPrivateKey, type JsonWebKey } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { KeyPem } from '../../src/formats/keys/key-pem.js';
import type { RandomSource } from '../../src/run/effects/generated-values.js';
import type { EcCurve, RsaBits } from '../../src/graph/context.js';

/**
 * Throwaway keys derived from public text: the same label gives the same key on every machine, so golden files need no
 * private key in git. They protect nothing.
 */
export function seededRsaKey(label: string, bits: RsaBits): string {
  return cached(`rsa-${bits}-${label}`, () => {
    const p = seededPrime(`${label}/p`, bits / 2);
    const q = seededPrime(`${label}/q`, bits / 2);
    return p > q ? rsaPem(p, q) : rsaPem(q, p);
  });
}

export function seededEcKey(label: string, curve: EcCurve): string {
  return cached(`ec-${curve}-${label}`, () => {
    const bytes = curve === 'P-256' ? 32 : 48;
    const ecdh = createECDH(curve === 'P-256' ? 'prime256v1' : 'secp384r1');
    const scalar = seededBytes(label, bytes);
    scalar[0] = 0x5a; // below the order of both curves
    ecdh.setPrivateKey(scalar);
    const point = ecdh.getPublicKey();
    const x = base64url(point.subarray(1, 1 + bytes));
    const y = base64url(point.subarray(1 + bytes));
    return pem({ kty: 'EC', crv: curve, d: base64url(scalar), x, y });
  });
}

/** Generated values that depend only on their labels: the same on every machine and in every run. */
export const seededRandomness: RandomSource = {
  rsaKey: (label, bits) => Promise.resolve(new KeyPem(seededRsaKey(label, bits))),
  ecKey: (label, curve) => Promise.resolve(new KeyPem(seededEcKey(label, curve))),
  uuid: (label) => {
    const hex = seededBytes(label, 16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
  text: (label, length, alphabet) =>
    [...seededBytes(label, length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join(''),
};

/** The first `length` bytes of a stream that depends only on the label. */
export function seededBytes(label: string, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let block = 0; block * 32 < length; block += 1) {
    blocks.push(createHash('sha256').update(`sno-install throwaway ${label} ${block}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}

function seededPrime(label: string, bits: number): bigint {
  const topTwoBits = 3n << BigInt(bits - 2);
  const start = BigInt(`0x${seededBytes(label, bits / 8).toString('hex')}`) | topTwoBits | 1n;
  // Most candidates have a small factor. Trial division with numbers finds it sooner than `checkPrime`.
  const remainders = smallPrimes.map((prime) => [prime, Number(start % BigInt(prime))] as const);
  for (let step = 0; ; step += 2) {
    if (remainders.some(([prime, remainder]) => (remainder + step) % prime === 0)) continue;
    const candidate = start + BigInt(step);
    if (candidate % 65_537n !== 1n && checkPrimeSync(candidate)) return candidate;
  }
}

const smallPrimes = Array.from({ length: 4000 }, (_, index) => index + 3).filter((number) =>
  checkPrimeSync(BigInt(number)),
);

function rsaPem(p: bigint, q: bigint): string {
  const e = 65_537n;
  const phi = (p - 1n) * (q - 1n);
  const d = inverse(e, phi);
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const members = Object.entries(numbers).map(
    ([name, value]) => [name, base64url(bigEndian(value))] as const,
  );
  return pem({ kty: 'RSA', ...Object.fromEntries<string>(members) });
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}

function bigEndian(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

function pem(jwk: JsonWebKey): string {
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }) as string;
}

const cacheFolder = '.cache/throwaway-keys';

function cached(label: string, make: () => string): string {
  const path = `${cacheFolder}/${createHash('sha256').update(label).digest('hex')}.pem`;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const text = make();
    mkdirSync(cacheFolder, { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
    return text;
  }
}
