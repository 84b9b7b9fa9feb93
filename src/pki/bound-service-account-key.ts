import { createPrivateKey } from 'crypto';

import { problem } from '../core/problem.js';
import { type Result, failure } from '../core/result.js';

/** Where a user may put the key that signs bound service-account tokens, so that an outside issuer can publish it. */
export const boundKeyPath = 'tls/bound-service-account-signing-key.key';

/** The problem tls/bound-key; `reason` follows the name of the file. */
export function refused(reason: string): Result<never> {
  const hint = 'put an RSA key there (PKCS#1 or PKCS#8, without a passphrase), or remove the file';
  return failure(problem('tls/bound-key', `${boundKeyPath} ${reason}`, { at: { file: boundKeyPath }, hint }));
}

/** Tokens are signed with RS256, which asks for this length. Source: RFC 7518 §3.3 */
export const minBits = 2048;

/** The length of the modulus; undefined for whatever is not an RSA private key. */
export function rsaBits(pem: string): number | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined;
  } catch {
    return undefined;
  }
}
