import { join } from 'node:path';

import type { Asset } from '../../src/graph/asset.js';
import { resolve, type Resolved } from '../../src/graph/engine.js';
import { targetAssets } from '../../src/run/target-assets.js';
import type { TargetName } from '../../src/run/targets.js';
import { testContext, type TestInputs } from './context.js';
import { readTree } from './read-tree.js';
import { expectOk } from './sound-value.js';

/** Resolves assets from valid inputs. Generated values depend only on their labels. */
export async function resolveAssets(roots: readonly Asset<unknown>[], given: TestInputs): Promise<Resolved> {
  return expectOk(await resolve(roots, testContext(given)));
}

/** Resolves a target for a config of fixtures/configs. */
export function resolveFixtureTarget(target: TargetName, fixture: string): Promise<Resolved> {
  return resolveAssets(targetAssets[target].roots, { files: fixtureFiles(fixture) });
}

/** The files of a config of fixtures/configs, by path. */
export function fixtureFiles(fixture: string): Readonly<Record<string, string>> {
  return readTree(join('fixtures/configs', fixture));
}
