import { expect, it } from 'vitest';

import { Killed, rollOut, shown, stateIn, world, type World } from './rollout-world.js';

const names = 'c1 a b d h1';
const complete = 'complete; canary=done 1=done 2=done; a=done b=done c1=done d=done h1=held';

/** Runs until the kill, and then once more without one. */
async function killedOnce(killAt: number): Promise<{ readonly given: World; readonly isKilled: boolean }> {
  const given = world();
  given.killAt = killAt;
  const isKilled = await rollOut(given, names).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Killed) return true;
      throw error;
    },
  );
  given.killAt = Infinity;
  given.steps = 0;
  await rollOut(given, names);
  return { given, isKilled };
}

it('a kill at any write or step never starts a site twice, and the next run completes', async () => {
  let kills = 0;
  for (let killAt = 1; ; killAt += 1) {
    const { given, isKilled } = await killedOnce(killAt);
    const end = stateIn(given);
    expect(end && shown(end), `killed at step ${killAt}`).toBe(complete);
    expect(given.starts, `killed at step ${killAt}`).toEqual(['c1', 'a', 'b', 'd']);
    if (!isKilled) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(30);
});
