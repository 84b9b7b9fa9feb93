import { defineConfig } from 'vitest/config';

const machines = 'test/**/*.machines.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        // `npm test`: what needs no compiled tools and no machine.
        extends: true,
        test: {
          name: 'tests',
          // Files share a process and its modules, which are not loaded anew for each of them: no test leaves anything behind.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [machines],
          // The programs under test are real: a run of the Ignition engine or openssl takes longer than a unit test.
          testTimeout: 120_000,
          hookTimeout: 240_000,
          setupFiles: ['test/support/random-seed.ts'],
        },
      },
      {
        // `npm run test:machines`: real Kubernetes, containerd and etcd built from their modules, and kills of the command.
        extends: true,
        test: {
          name: 'machines',
          include: [machines],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          setupFiles: ['test/support/random-seed.ts'],
        },
      },
    ],
  },
});
