import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { kitByKit, needsOfSites, planKits } from '../../../src/fleet/keys/plan-kits.js';
import { needFor } from '../../support/made-kits.js';

const [rsa, ecdsa] = [needFor(['a', 'b', 'c', 'd']), needFor(['a'])];
const site = (name: string, need = rsa): { name: string; need: typeof rsa } => ({ name, need });
const needs = needsOfSites([
  site('n-1'),
  site('n-2'),
  site('s-1', ecdsa),
  site('n-3'),
  site('w-1', needFor([])),
]);
const nothing = { free: [], served: new Set<string>() };
const kitsOf = (plan: ReturnType<typeof planKits>): readonly number[] => plan.map(({ kits }) => kits);

describe('what is drawn ahead', () => {
  it('is what sites draw, those together that draw the same', () => {
    expect(needs).toEqual([
      { need: rsa, sites: ['n-1', 'n-2', 'n-3'] },
      { need: ecdsa, sites: ['s-1'] },
    ]);
  });

  it('is a kit for each site that has none, less those that are there', () => {
    expect(kitsOf(planKits(needs, { ...nothing, goal: 'sites' }))).toEqual([3, 1]);
    const free = [{ need: rsa, ids: ['x'] }];
    const served = new Set(['n-2', 's-1']);
    expect(kitsOf(planKits(needs, { free, served, goal: 'sites' }))).toEqual([1, 0]);
  });

  it('is so many keys, in the proportion of the sites', () => {
    expect(kitsOf(planKits(needs, { ...nothing, goal: { keys: 26 } }))).toEqual([6, 2]);
    const free = [{ need: rsa, ids: ['x', 'y', 'z'] }];
    expect(kitsOf(planKits(needs, { ...nothing, free, goal: { keys: 13 } }))).toEqual([0, 1]);
    expect(kitsOf(planKits(needs, { ...nothing, free, goal: { keys: 12 } }))).toEqual([0, 0]);
    expect(planKits([], { ...nothing, goal: { keys: 10 } })).toEqual([]);
  });

  it('reaches what is asked for, and no kit more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 20 }), (keys, held) => {
        const free = [{ need: rsa, ids: Array.from({ length: held }, String) }];
        const plan = planKits(needs, { ...nothing, free, goal: { keys } });
        const drawn = kitByKit(plan);
        const all = drawn.reduce((sum, { labels }) => sum + labels.length, held * 4);
        expect(all).toBeGreaterThanOrEqual(keys);
        expect(drawn.length === 0 || all - (drawn.at(-1)?.labels.length ?? 0) < keys + 4).toBe(true);
      }),
    );
  });

  it('comes in an order in which every need is served from the beginning on', () => {
    const order = kitByKit([
      { need: rsa, kits: 4 },
      { need: ecdsa, kits: 2 },
    ]);
    expect(order.map(({ labels }) => labels.length)).toEqual([4, 4, 1, 4, 4, 1]);
  });
});
