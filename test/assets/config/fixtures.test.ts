import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { resolve } from '../../../src/graph/engine.js';
import { problemsOf } from '../../../src/core/result.js';
import { bootstrapInPlace } from '../../../src/assets/config/bootstrap-in-place.js';
import { release } from '../../../src/assets/config/release.js';
import { testContext } from '../../support/context.js';

const folder = 'fixtures/configs';

/** The configs of a fixture folder as inputs. */
function configsOf(name: string): Readonly<Record<string, string>> {
  const files = ['install-config.yaml', 'sno-config.yaml'].filter((file) =>
    existsSync(join(folder, name, file)),
  );
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, name, file), 'utf8')]));
}

describe('the configs in fixtures/configs are sound', () => {
  test.each(readdirSync(folder))('%s', async (name) => {
    const result = await resolve([bootstrapInPlace, release], testContext({ files: configsOf(name) }));
    expect(problemsOf(result)).toEqual([]);
  });
});
