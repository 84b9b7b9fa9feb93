import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

import type { Clock } from '../remote/kubernetes/clock.js';

export const realClock: Clock = {
  nowMs: () => performance.now(),
  present: () => new Date(),
  sleep: async (durationMs, signal) => {
    try {
      await setTimeout(durationMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
};
