import { serializeState, emptyState } from '../../src/disk/state-file.js';
import { drawsOver } from '../../src/effects.js';
import { resolve } from '../../src/graph/engine.js';
import { targets } from '../../src/targets.js';
import { testContext, testNow, type TestInputs } from './context.js';
import { seededChance } from './seeded-keys.js';

/**
 * The text of a state file whose draws depend on their labels alone: a run with `--state` of it is quick, and gives the
 * same bytes on every machine but for the salt of a bcrypt hash.
 */
export async function throwawayState(files: NonNullable<TestInputs['files']>): Promise<string> {
  const { draws, taken } = drawsOver({ clock: testNow.toISOString() }, { source: seededChance });
  const { roots } = await targets['single-node-ignition-config'].load();
  const result = await resolve(roots, { ...testContext({ files }), draws });
  if (!result.ok)
    throw new Error(`the config has problems: ${result.problems.map(({ message }) => message).join('; ')}`);
  return serializeState({ ...emptyState, draws: taken() });
}
