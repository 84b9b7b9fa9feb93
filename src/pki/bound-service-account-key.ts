import { createPrivateKey } from 'crypto';

import { problem } from '../core/problem.js';
import { type Result, failure } from '../core/result.js';

/** The user's optional signing key for bound service-account tokens, so that an external issuer can publish it. */
export const boundKeyPath = 'tls/bound-service-account-signing-key.key';

/** The problem tls/bound-key; `reason` follows the file name in the message. */
export function boundKeyProblem(reason: string): Result<never> {
  const hint = 'use an RSA key (PKCS#1 or PKCS#8, without a passphrase), or remove the file';
  return failure(problem('tls/bound-key', `${boundKeyPath} ${reason}`, { at: { file: boundKeyPath }, hint }));
}

/** Minimum size for RS256, which signs the tokens. Source: RFC 7518 §3.3 */
export const minBits = 2048;

/** Size of the modulus; undefined if the text is not an RSA private key. */
export function rsaBits(pem: string): number | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined;
  } catch {
    return undefined;
  }
}
