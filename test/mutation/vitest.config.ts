import { defineConfig } from 'vitest/config';

import { scratchParent } from '../support/scratch-parent.js';
import { scaledMs } from '../support/time-scale.js';

const room = process.env['MUTATED_ROOM'] ?? 'none';

/** The tests of one folder, run on the sources. Stryker cannot select a project of the main config. */
export default defineConfig({
  test: {
    include: [`test/${room}/**/*.test.ts`],
    exclude: ['test/**/*.{machines,long}.test.ts'],
    env: { TMPDIR: scratchParent() },
    testTimeout: scaledMs(120_000),
    hookTimeout: scaledMs(240_000),
    setupFiles: ['test/support/random-seed.ts', 'test/support/scratch-of-file.ts'],
  },
});
