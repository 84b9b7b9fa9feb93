import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/lab/**/*.lab.ts'],
    // A machine boots, builds a cluster and becomes one: the waits inside are bounded.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    pool: 'forks',
    maxWorkers: 1,
    disableConsoleIntercept: true,
  },
});
