import { defineConfig } from 'vitest/config';

import { scaledMs } from '../support/time-scale.js';

export default defineConfig({
  test: {
    include: ['test/lab/**/*.lab.ts'],
    // A machine boots, builds a cluster and becomes one: the waits inside are bounded.
    testTimeout: scaledMs(1_200_000),
    hookTimeout: scaledMs(1_200_000),
    pool: 'forks',
    // Each machine has a network, a disk and a folder of its own, and waits much of its time.
    maxWorkers: 2,
    disableConsoleIntercept: true,
  },
});
