import { serializeState, emptyState } from '../../src/disk/state/state-file.js';
import { drawsOver } from '../../src/run/effects/draws.js';
import { resolve } from '../../src/graph/engine.js';
import { targetAssets } from '../../src/run/target-assets.js';
import type { TargetName } from '../../src/run/targets.js';
import { testContext, type TestInputs } from './context.js';
import { seededChance } from './seeded-keys.js';
import { soundValue } from './sound-value.js';

/**
 * The text of a state file whose draws depend on their labels alone, so that a run that takes it draws no keys. It has no
 * clock, so that the built command issues at the present; `more` adds draws, such as one.
 */
export async function throwawayState(
  files: NonNullable<TestInputs['files']>,
  more: Readonly<Record<string, string>> = {},
  target: TargetName = 'single-node-ignition-config',
): Promise<string> {
  const { draws, taken } = drawsOver({}, { source: seededChance });
  const { roots } = targetAssets[target];
  soundValue(await resolve(roots, { ...testContext({ files }), draws }));
  const lasting = Object.entries(taken()).filter(([label]) => /^(key|uuid|text|bcrypt)\//.test(label));
  return serializeState({ ...emptyState, draws: { ...Object.fromEntries(lasting), ...more } });
}
