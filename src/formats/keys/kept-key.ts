import type { KeyObject } from 'node:crypto';

import { keyObjectOf } from './pkcs8.js';

/** FIPS 186-5 §5.4: an odd exponent above 2^16. */
const minExponent = 65_537n;

/** Why a PEM text does not do as an RSA key of so many bits; undefined when it does. */
export function whyNotRsaKey(pem: string, bits: number): string | undefined {
  const key = privateKeyIn(pem);
  if (key === undefined) return 'it is no private key in PEM';
  if (key.asymmetricKeyType !== 'rsa') return 'it is no RSA key';
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < bits) return `its key has ${modulusLength} bits, and ${bits} are asked for`;
  return publicExponent < minExponent ? 'the exponent of its key is too small' : undefined;
}

/** Why a PEM text does not do as a key of a curve; undefined when it does. */
export function whyNotEcKey(pem: string, curve: 'P-256' | 'P-384'): string | undefined {
  const key = privateKeyIn(pem);
  if (key === undefined) return 'it is no private key in PEM';
  return key.asymmetricKeyDetails?.namedCurve === opensslNames[curve]
    ? undefined
    : `it is no key of ${curve}`;
}

/** Source: openssl ecparam -list_curves */
const opensslNames = { 'P-256': 'prime256v1', 'P-384': 'secp384r1' } as const;

function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return keyObjectOf(pem);
  } catch {
    return undefined;
  }
}
