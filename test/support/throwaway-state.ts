import { serializeState, emptyState } from '../../src/disk/state/state-file.js';
import { generatedValues } from '../../src/run/effects/generated-values.js';
import { resolve } from '../../src/graph/engine.js';
import { targetAssets } from '../../src/run/target-assets.js';
import type { TargetName } from '../../src/run/targets.js';
import { testContext, type TestInputs } from './context.js';
import { seededRandomness } from './seeded-keys.js';
import { expectOk } from './sound-value.js';

/**
 * A state file whose generated values depend only on their labels, so that a run with it generates no keys. It has no
 * clock, so the built command issues certificates at the current time. `more` adds values.
 */
export async function throwawayState(
  files: NonNullable<TestInputs['files']>,
  more: Readonly<Record<string, string>> = {},
  target: TargetName = 'single-node-ignition-config',
): Promise<string> {
  const { valueSource, stateValues } = generatedValues({}, { source: seededRandomness });
  const { roots } = targetAssets[target];
  expectOk(await resolve(roots, { ...testContext({ files }), valueSource }));
  const lasting = Object.entries(stateValues()).filter(([label]) => /^(key|uuid|text|bcrypt)\//.test(label));
  return serializeState({ ...emptyState, generatedValues: { ...Object.fromEntries(lasting), ...more } });
}
