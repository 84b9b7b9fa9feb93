import { setTimeout as wait } from 'node:timers/promises';

import { StoreFault } from './store-fault.js';

/** How long a store that refuses is waited for. */
export interface Patience {
  /** From the first fault of a question on, in milliseconds. */
  readonly patienceMs: number;
  /** Ends a question that is under way, and every wait. */
  readonly end: AbortSignal;
  /** From 0 (included) to 1: pauses of many who ask are not the same. */
  readonly chance: () => number;
  /** A clock that only goes forward, in milliseconds. */
  readonly elapsedMs: () => number;
  /** Called before each pause. */
  readonly onWait?: (fault: StoreFault) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/** Asks until there is an answer, with pauses that double. Throws the last StoreFault when patience is at its end. */
export async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  const { patienceMs, end, chance, elapsedMs, onWait } = patience;
  let begun: number | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreFault) || !error.mayPass || end.aborted) throw error;
      begun ??= elapsedMs();
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** tries) * (0.5 + chance() / 2);
      if (elapsedMs() - begun + pauseMs > patienceMs) throw error;
      onWait?.(error);
      // Cut short, the last fault is what is said.
      if (await wait(pauseMs, false, { signal: end }).catch(() => true)) throw error;
    }
  }
}
