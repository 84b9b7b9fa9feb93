import { setTimeout as pause } from 'node:timers/promises';

import { timeScale } from '../../../support/time-scale.js';

export interface Patience {
  readonly tries?: number;
  readonly pauseMs?: number;
}

/**
 * Calls `ask` until it returns a value, and returns that. Throws the last error if it never does. An exception of `ask` counts as no
 * value. The limit is a number of tries, so that a slow machine gets more time for each.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { tries = 600, pauseMs = 500 }: Patience = {},
): Promise<T> {
  let last = 'nothing';
  for (let attempt = 0; attempt < tries * timeScale; attempt += 1) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await pause(pauseMs);
  }
  throw new Error(`gave up waiting for ${what}; the last failure was: ${last}`);
}
