import { generateKeyPair, generateKeyPairSync, type ECKeyPairKeyObjectOptions } from 'node:crypto';
import { promisify } from 'node:util';

import { p256Pkcs8, type EcNumbers } from './pkcs8.js';
import { pemOf } from './private-key.js';

/**
 * An elliptic-curve private key that OpenSSL generates, PKCS#8 PEM. One of P-256 takes less time than to hand it to another thread would,
 * and less than OpenSSL takes to write it: that is asked for as numbers.
 */
export async function generateEcKey(curve: 'P-256' | 'P-384'): Promise<string> {
  if (curve === 'P-256') return pemOf('PRIVATE KEY', p256Pkcs8(numbersOfNewKey()));
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: curve });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/**
 * Of a key that is drawn at once, the numbers are asked for with it, not exported later: see rsa-key.ts. The declarations of types do not know
 * that a pair is given in any form that a key is exported in. Source: nodejs.org/api/crypto.html, generateKeyPairSync
 */
function numbersOfNewKey(): EcNumbers {
  const options: ECKeyPairKeyObjectOptions & { readonly privateKeyEncoding: { readonly format: 'jwk' } } = {
    namedCurve: 'P-256',
    privateKeyEncoding: { format: 'jwk' },
  };
  const pair: { readonly privateKey: unknown } = generateKeyPairSync('ec', options);
  return pair.privateKey as EcNumbers;
}
