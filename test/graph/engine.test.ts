import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { publicFile } from '../../src/core/output-file.js';
import { problem } from '../../src/core/problem.js';
import { failure, success } from '../../src/core/result.js';
import { defineAsset, type Asset, type Needs } from '../../src/graph/asset.js';
import { createEngine, parentsFirst, resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';

/** An asset with a bug. */
const broken = defineAsset({
  name: 'broken',
  needs: {},
  make: (): number => {
    throw new Error('internal error: broken');
  },
});

describe('resolve', () => {
  it('resolves each asset of a diamond once, with typed values', async () => {
    const made: string[] = [];
    const base = defineAsset({ name: 'base', needs: {}, make: () => (made.push('base'), 2) });
    const left = defineAsset({
      name: 'left',
      needs: { base },
      make: ({ base: n }) => (made.push('left'), n + 1),
    });
    const right = defineAsset({
      name: 'right',
      needs: { base },
      make: ({ base: n }) => (made.push('right'), n * 10),
    });
    const top = defineAsset({
      name: 'top',
      needs: { left, right },
      make: ({ left: l, right: r }) => (made.push('top'), `${l}/${r}`),
      files: (value) => [publicFile('top.txt', value)],
    });

    const result = await resolve([top, left], testContext());

    expect(result.ok && result.value.files).toEqual([publicFile('top.txt', '3/20')]);
    expect(result.ok && result.value.valueOf(base)).toBe(2);
    expect(made.toSorted()).toEqual(['base', 'left', 'right', 'top']);
  });

  it('makes independent assets together', async () => {
    const order: string[] = [];
    let startSecond = (): void => undefined;
    const secondStarted = new Promise<void>((started) => {
      startSecond = started;
    });
    const first = defineAsset({
      name: 'first',
      needs: {},
      // Ends only after the second has started; sequential execution would hang.
      make: async () => {
        await secondStarted;
        order.push('first');
        return 1;
      },
    });
    const second = defineAsset({
      name: 'second',
      needs: {},
      make: () => {
        startSecond();
        order.push('second');
        return 2;
      },
    });

    await resolve([first, second], testContext());

    expect(order).toEqual(['second', 'first']);
  });

  it('reports each problem of all parents once, in declared order, and skips dependants', async () => {
    const bad = (name: string): Asset<number> =>
      defineAsset({
        name,
        needs: {},
        tryMake: () =>
          failure(problem('dir/locked', `${name} is wrong`), problem('dir/reissued', `${name} warns`)),
      });
    const warned = defineAsset({
      name: 'warned',
      needs: {},
      tryMake: () => success(1, [problem('dir/reissued', 'look here')]),
    });
    const shared = bad('shared');
    const other = bad('other');
    const left = defineAsset({ name: 'left', needs: { warned, shared }, make: () => 0 });
    const right = defineAsset({ name: 'right', needs: { other, shared }, make: () => 0 });

    const result = await resolve([left, right], testContext());

    expect(result.ok).toBe(false);
    expect(!result.ok && result.problems.map(({ asset, message }) => [asset, message])).toEqual([
      ['warned', 'look here'],
      ['shared', 'shared is wrong'],
      ['shared', 'shared warns'],
      ['other', 'other is wrong'],
      ['other', 'other warns'],
    ]);
  });

  it('lets a bug of an asset through as it is', async () => {
    const fine = defineAsset({ name: 'fine', needs: {}, make: () => 1 });
    const top = defineAsset({ name: 'top', needs: { fine, broken }, make: () => 1 });

    await expect(resolve([top], testContext())).rejects.toThrow('internal error: broken');
  });
});

describe('an engine', () => {
  it('resolves each asset once for several sets of roots, and reports problems only for roots that depend on it', async () => {
    let times = 0;
    const key = defineAsset({ name: 'key', needs: {}, make: () => (times += 1) });
    const bad = defineAsset({ name: 'bad', needs: {}, tryMake: () => failure(problem('dir/locked', 'bad')) });
    const top = defineAsset({ name: 'top', needs: { key }, make: ({ key: value }) => value * 10 });
    const engine = createEngine(testContext());

    const fine = await engine.resolve([top]);
    const spoilt = await engine.resolve([top, bad]);

    expect(times).toBe(1);
    expect(fine.ok && fine.value.valueOf(top)).toBe(10);
    expect(!spoilt.ok && spoilt.problems.map(({ message }) => message)).toEqual(['bad']);
  });

  it('counts progress towards a constant total, also after failures and earlier runs', async () => {
    const seen: (readonly [number, number])[] = [];
    const first = defineAsset({ name: 'first', needs: {}, make: () => 1 });
    const bad = defineAsset({ name: 'bad', needs: {}, tryMake: () => failure(problem('dir/locked', 'bad')) });
    const late = defineAsset({ name: 'late', needs: { first, bad }, make: () => 1 });
    const engine = createEngine(testContext());

    await engine.resolve([first]);
    await engine.resolve([late], (done, total) => seen.push([done, total]));

    expect(seen).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });
});

describe('parentsFirst, on random graphs', () => {
  /** For each asset, the earlier assets that are its parents. */
  const shapes = fc.array(fc.array(fc.nat(), { maxLength: 4 }), { minLength: 1, maxLength: 30 });

  it('sorts every parent before its dependants, and lists and resolves every asset once', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const timesMade = new Map<string, number>();
        const assets = buildGraph(shape, (name) => timesMade.set(name, (timesMade.get(name) ?? 0) + 1));

        const order = parentsFirst(assets);
        const result = await resolve(assets, testContext());

        expect(new Set(order)).toEqual(new Set(assets));
        expect(order.length).toBe(assets.length);
        for (const asset of order) {
          const parents = Object.values(asset.needs).map((need) => order.indexOf(need));
          expect(parents.every((parent) => parent < order.indexOf(asset))).toBe(true);
        }
        expect(result.ok).toBe(true);
        expect([...timesMade.values()]).toEqual(assets.map(() => 1));
      }),
      { seed: 20260102 },
    );
  });
});

function buildGraph(shape: readonly (readonly number[])[], onMake: (name: string) => void): Asset<number>[] {
  const assets: Asset<number>[] = [];
  shape.forEach((choices, index) => {
    const parents = index === 0 ? [] : [...new Set(choices.map((choice) => choice % index))];
    const needs: Needs = Object.fromEntries(
      parents.flatMap((parent) => {
        const asset = assets[parent];
        return asset === undefined ? [] : [[`n${parent}`, asset]];
      }),
    );
    const name = `asset/${index}`;
    assets.push(defineAsset({ name, needs, make: () => (onMake(name), index) }));
  });
  return assets;
}
