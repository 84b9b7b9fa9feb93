import { createPrivateKey } from 'node:crypto';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { privateKeyOf, publicKeyPem } from '../../formats/private-key.js';
import { defineAsset } from '../../graph/asset.js';
import type { Context } from '../../graph/context.js';

/** Where a user may put the key that signs bound service-account tokens, so that an outside issuer can publish it. */
const boundKeyPath = 'tls/bound-service-account-signing-key.key';

/**
 * The user's own key for bound service-account tokens, or undefined when there is none (the payload then makes one).
 * Problems: tls/bound-key.
 */
export const boundServiceAccountKey = defineAsset({
  name: 'tls/bound-service-account-signing-key',
  needs: {},
  tryMake: (
    _needs,
    { inputs }: Context,
  ): Result<{ readonly keyPem: string; readonly publicKeyPem: string } | undefined> => {
    const read = inputs.read(boundKeyPath);
    if (read.kind === 'absent') return success(undefined);
    if (read.kind === 'unreadable') return refused(`cannot be read: ${read.reason}`);
    const keyPem = Buffer.from(read.bytes).toString('utf8');
    const bits = rsaBits(keyPem);
    if (bits === undefined) return refused('is not an RSA private key in PEM');
    if (bits < minBits) return refused(`holds an RSA key of ${bits} bits, expected at least ${minBits}`);
    return success({ keyPem, publicKeyPem: publicKeyPem(privateKeyOf(keyPem)) });
  },
});

function refused(reason: string): Result<never> {
  const hint = 'put an RSA key there (PKCS#1 or PKCS#8, without a passphrase), or remove the file';
  return failure(problem('tls/bound-key', `${boundKeyPath} ${reason}`, { at: { file: boundKeyPath }, hint }));
}

/** Tokens are signed with RS256, which asks for this length. Source: RFC 7518 §3.3 */
const minBits = 2048;

/** The length of the modulus; undefined for whatever is not an RSA private key. */
function rsaBits(pem: string): number | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined;
  } catch {
    return undefined;
  }
}
