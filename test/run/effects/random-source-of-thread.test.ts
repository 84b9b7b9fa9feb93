import { createPrivateKey } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { randomSourceOfThread } from '../../../src/run/effects/random-source-of-thread.js';

test.each([{ isFips: false }, { isFips: true }])(
  'keys are drawn one after the other, and whoever waits is answered between two: %o',
  async (settings) => {
    const randomness = randomSourceOfThread(settings);
    let [turns, isDone] = [0, false];
    const others = (async () => {
      for (; !isDone; turns += 1) await othersTurn();
    })();
    const drawn = await Promise.all(
      ['a', 'b', 'c'].map(async (label) => ({
        pem: (await randomness.rsaKey(label, 2048)).reveal(),
        at: turns,
      })),
    );
    isDone = true;
    await others;
    const moduli = drawn.map(({ pem }) => createPrivateKey(pem).export({ format: 'jwk' }).n ?? '');
    expect(moduli.map((modulus) => Buffer.from(modulus, 'base64url').length)).toEqual([256, 256, 256]);
    expect(new Set(moduli).size).toBe(3);
    expect(new Set(drawn.map(({ at }) => at)).size).toBe(3);
  },
);
