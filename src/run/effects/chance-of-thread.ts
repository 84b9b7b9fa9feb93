import { setImmediate as othersTurn } from 'node:timers/promises';

import type { RsaBits } from '../../graph/context.js';
import { chanceFor, type ChanceSource } from './draws.js';

/**
 * Chance whose RSA keys are drawn by the thread that asks, one after the other, and not by the few that all threads of the process share: for
 * a thread that has a core to itself. Between two keys it answers whoever waits for it.
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
