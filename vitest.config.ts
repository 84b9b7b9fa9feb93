import { defineConfig } from 'vitest/config';

import { scratchParent } from './test/support/scratch-parent.js';
import { scaledMs } from './test/support/time-scale.js';

const machines = 'test/**/*.machines.test.ts';

/** The machines that .ci/run runs; the others are parts of `npm run test:full`. */
const core = [
  'test/real/bootstrap/shellcheck.machines.test.ts',
  'test/real/control-plane/aio.machines.test.ts',
  'test/real/manifests/go-readers.machines.test.ts',
  'test/real/manifests/plain-scalars.machines.test.ts',
  'test/real/media/live-iso.machines.test.ts',
  'test/real/media/minimal-iso.machines.test.ts',
  'test/real/payload/registry.machines.test.ts',
  'test/real/tls/authority-go.machines.test.ts',
  'test/shell/disk/etcd-real.machines.test.ts',
  'test/shell/disk/*-faults.machines.test.ts',
];

/** What takes minutes of both cores, and would keep .ci/run from ending within an hour. */
const long = 'test/**/*.long.test.ts';

/** `npm run test:unit`: tests of single modules, without the command, scripts, real programs and goldens. */
const modules =
  'analysis,assets,config,control-plane,core,disk,formats,graph,ignition,kube,manifests,media,node,pki,release,remote/kubernetes,remote/preflight,review,run/effects,templates';

/** Suites of those folders that resolve hundreds of whole runs. */
const wholeRuns = ['test/analysis/incidents.test.ts', 'test/run/effects/dry-run-values.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    expect: { poll: { timeout: scaledMs(10_000) } },
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/transformed' },
    projects: [
      {
        // `npm test`: what needs no compiled tools and no machine.
        extends: true,
        test: {
          name: 'tests',
          // One more than two processors: many tests wait for programs and servers.
          maxWorkers: 3,
          // Files share a process and its modules, which are not loaded anew for each of them: no test leaves anything behind.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [machines, long],
          env: { TMPDIR: scratchParent() },
          // The programs under test are real: a run of the Ignition engine or openssl takes longer than a unit test.
          testTimeout: scaledMs(120_000),
          hookTimeout: scaledMs(240_000),
          setupFiles: ['test/support/random-seed.ts', 'test/support/scratch-of-file.ts'],
        },
      },
      {
        // `npm run test:unit`: the loop of writing code, from the sources as they are, without a build.
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          env: { TMPDIR: scratchParent() },
          testTimeout: scaledMs(120_000),
          hookTimeout: scaledMs(240_000),
          include: [`test/{${modules}}/**/*.test.ts`, 'test/generated-files.test.ts'],
          exclude: [machines, long, ...wholeRuns],
          setupFiles: ['test/support/random-seed.ts', 'test/support/scratch-of-file.ts'],
        },
      },
      {
        // `npm run test:core`: the real AIO node, Go readers, etcd snapshots, coreos-installer and faults of the node's scripts.
        extends: true,
        test: {
          name: 'core',
          include: core,
          testTimeout: scaledMs(240_000),
          hookTimeout: scaledMs(240_000),
          setupFiles: ['test/support/random-seed.ts', 'test/support/scratch-of-file.ts'],
        },
      },
      {
        // `npm run test:machines`: real Kubernetes, containerd and etcd built from their modules, kills of the command, faults of the node's scripts.
        extends: true,
        test: {
          name: 'machines',
          include: [machines],
          testTimeout: scaledMs(240_000),
          hookTimeout: scaledMs(240_000),
          setupFiles: ['test/support/random-seed.ts', 'test/support/scratch-of-file.ts'],
        },
      },
      {
        // `npm run test:long`: no part of .ci/run; docs/testing.md says when it was run last, and what it took.
        extends: true,
        test: {
          name: 'long',
          include: [long],
          testTimeout: scaledMs(240_000),
          hookTimeout: scaledMs(240_000),
          setupFiles: ['test/support/random-seed.ts', 'test/support/scratch-of-file.ts'],
        },
      },
    ],
  },
});
