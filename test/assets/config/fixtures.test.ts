import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { aioIgnition } from '../../../src/assets/aio/ignition.js';
import { bootstrapInPlace } from '../../../src/assets/config/bootstrap-in-place.js';
import { release } from '../../../src/assets/config/release.js';
import { problemsOf } from '../../../src/core/result.js';
import { resolve } from '../../../src/graph/engine.js';
import { testContext } from '../../support/context.js';
import { readTree } from '../../support/read-tree.js';

const folder = 'fixtures/configs';

describe('the configs in fixtures/configs are sound', () => {
  test.each(readdirSync(folder))('%s', async (name) => {
    const roots = name.startsWith('aio-') ? [aioIgnition] : [bootstrapInPlace, release];
    const result = await resolve(roots, testContext({ files: readTree(join(folder, name)) }));
    expect(problemsOf(result)).toEqual([]);
  });
});
