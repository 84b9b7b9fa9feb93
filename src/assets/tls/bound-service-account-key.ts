import { success, type Result } from '../../core/result.js';
import { keyPairPem, privateKeyOf, type KeyPairPem } from '../../formats/keys/private-key.js';
import { defineAsset } from '../../graph/asset.js';
import type { Context } from '../../graph/context.js';
import { boundKeyPath, minBits, boundKeyProblem, rsaBits } from '../../pki/bound-service-account-key.js';

/**
 * The user's own key for bound service-account tokens; undefined if there is none (the payload then generates one).
 * Problems: tls/bound-key.
 */
export const boundServiceAccountKey = defineAsset({
  name: 'tls/bound-service-account-signing-key',
  needs: {},
  tryMake: (_needs, { inputs }: Context): Result<KeyPairPem | undefined> => {
    const read = inputs.read(boundKeyPath);
    if (read.kind === 'absent') return success(undefined);
    if (read.kind === 'unreadable') return boundKeyProblem(`cannot be read: ${read.reason}`);
    const text = Buffer.from(read.bytes).toString('utf8');
    const bits = rsaBits(text);
    if (bits === undefined) return boundKeyProblem('is not an RSA private key in PEM');
    if (bits < minBits)
      return boundKeyProblem(`holds an RSA key of ${bits} bits, expected at least ${minBits}`);
    return success(keyPairPem(privateKeyOf(text)));
  },
});
