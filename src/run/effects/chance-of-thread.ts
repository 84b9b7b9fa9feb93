import { setImmediate as othersTurn } from 'node:timers/promises';

import type { RsaBits } from '../../graph/context.js';
import { chanceFor, type ChanceSource } from './draws.js';

/**
 * A random source that generates RSA keys one after another on the calling thread instead of the thread pool of the process: for a thread
 * with its own core. It yields to other callers between two keys.
 */
export function chanceOfThread(settings: { readonly isFips: boolean }): ChanceSource {
  let turn: Promise<unknown> = Promise.resolve();
  const draw = async (bits: RsaBits): Promise<string> => {
    await othersTurn();
    const keys = await import('../../formats/keys/rsa-key.js');
    return settings.isFips ? keys.generateApprovedRsaKeyAtOnce(bits) : keys.generateRsaKeyAtOnce(bits);
  };
  return {
    ...chanceFor(settings),
    rsaKey: (_label, bits) => {
      const key = turn.then(() => draw(bits));
      turn = key;
      return key;
    },
  };
}
