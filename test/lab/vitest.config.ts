import { defineConfig } from 'vitest/config';

import { scaledMs } from '../support/time-scale.js';

export default defineConfig({
  test: {
    include: ['test/lab/**/*.lab.ts'],
    // Bounded waits inside: a machine boots, bootstraps a cluster and becomes a node.
    testTimeout: scaledMs(1_200_000),
    hookTimeout: scaledMs(1_200_000),
    pool: 'forks',
    // Each machine has its own network, disk and folder, and waits most of the time.
    maxWorkers: 2,
    disableConsoleIntercept: true,
  },
});
