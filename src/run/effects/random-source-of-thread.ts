import { setImmediate as othersTurn } from 'node:timers/promises';

import type { KeyPem } from '../../formats/keys/key-pem.js';
import type { RsaBits } from '../../graph/context.js';
import { randomSourceFor, type RandomSource } from './generated-values.js';

/**
 * A random source that generates RSA keys one after another on the calling thread instead of the thread pool of the process: for a thread
 * with its own core. It yields to other callers between two keys.
 */
export function randomSourceOfThread(settings: { readonly isFips: boolean }): RandomSource {
  let turn: Promise<unknown> = Promise.resolve();
  const draw = async (bits: RsaBits): Promise<KeyPem> => {
    await othersTurn();
    const keys = await import('../../formats/keys/rsa-key.js');
    return settings.isFips ? keys.generateApprovedRsaKeySync(bits) : keys.generateRsaKeySync(bits);
  };
  return {
    ...randomSourceFor(settings),
    rsaKey: (_label, bits) => {
      const key = turn.then(() => draw(bits));
      turn = key;
      return key;
    },
  };
}
