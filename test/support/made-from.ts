import { join } from 'node:path';

import type { Asset } from '../../src/graph/asset.js';
import { resolve, type Resolved } from '../../src/graph/engine.js';
import { targetAssets } from '../../src/run/target-assets.js';
import type { TargetName } from '../../src/run/targets.js';
import { testContext, type TestInputs } from './context.js';
import { readTree } from './read-tree.js';
import { soundValue } from './sound-value.js';

/** What assets are made into from inputs that must be sound; draws depend on their labels alone. */
export async function madeFrom(roots: readonly Asset<unknown>[], given: TestInputs): Promise<Resolved> {
  return soundValue(await resolve(roots, testContext(given)));
}

/** What a target makes of a config of fixtures/configs. */
export function targetMade(target: TargetName, fixture: string): Promise<Resolved> {
  return madeFrom(targetAssets[target].roots, { files: fixtureFiles(fixture) });
}

/** The files of a config of fixtures/configs, by their paths. */
export function fixtureFiles(fixture: string): Readonly<Record<string, string>> {
  return readTree(join('fixtures/configs', fixture));
}
