import type { OutputFile } from '../core/output-file.js';
import type { Problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import type { Asset } from './asset.js';
import type { Context } from './context.js';
import type { InputRecorder } from './input-recorder.js';

/** Result of a run without errors. */
export interface Resolved {
  /** Files of the root assets, in the order of the roots. */
  readonly files: readonly OutputFile[];
  /** The value of an asset of this run. */
  readonly valueOf: <T>(asset: Asset<T>) => T;
}

/** Called whenever another asset has succeeded, failed or been skipped. `total` is constant. */
export type Progress = (done: number, total: number) => void;

/** Resolves assets of one context. Values are shared between calls with different roots. */
export interface Engine {
  /**
   * Resolves the roots and their ancestors: each asset once, independent ones concurrently.
   * Problems: those of all assets that could be made, without duplicates, parents first, in declared order.
   */
  resolve(roots: readonly Asset<unknown>[], onProgress?: Progress): Promise<Result<Resolved>>;
}

/** An engine without cached values. `watch` records the inputs of each asset. */
export function createEngine(context: Context, watch?: InputRecorder): Engine {
  const results = new Map<Asset<unknown>, Promise<Outcome>>();
  return {
    resolve: (roots, onProgress) => {
      const order = parentsFirst(roots);
      for (const asset of order) {
        if (!results.has(asset))
          results.set(asset, makeOne(asset, results, { context, ...(watch && { watch }) }));
      }
      if (onProgress !== undefined) count(order, results, onProgress);
      return settle(roots, order, results);
    },
  };
}

/**
 * Resolves roots with a new engine.
 * @internal
 */
export function resolve(roots: readonly Asset<unknown>[], context: Context): Promise<Result<Resolved>> {
  return createEngine(context).resolve(roots);
}

function count(
  order: readonly Asset<unknown>[],
  results: ReadonlyMap<Asset<unknown>, Promise<Outcome>>,
  onProgress: Progress,
): void {
  let done = 0;
  const another = (): void => {
    done += 1;
    onProgress(done, order.length);
  };
  // Rejections are internal errors; `settle` reports them.
  for (const asset of order) lookUp(results, asset).then(another, () => undefined);
}

async function settle(
  roots: readonly Asset<unknown>[],
  order: readonly Asset<unknown>[],
  results: ReadonlyMap<Asset<unknown>, Promise<Outcome>>,
): Promise<Result<Resolved>> {
  const outcomes = new Map(
    await Promise.all(order.map(async (asset) => [asset, await lookUp(results, asset)] as const)),
  );
  const problems = eachOnce(order.flatMap((asset) => problemsFoundBy(asset, lookUp(outcomes, asset))));
  if ([...outcomes.values()].some((outcome) => outcome.kind !== 'made')) return failure(...problems);
  const valueOf = <T>(asset: Asset<T>): T => madeValue(lookUp(outcomes, asset)) as T;
  return success({ files: roots.flatMap((root) => root.files(valueOf(root))), valueOf }, problems);
}

/** All assets reachable from the roots, parents first, without duplicates, in declared order. */
export function parentsFirst(roots: readonly Asset<unknown>[]): readonly Asset<unknown>[] {
  const seen = new Set<Asset<unknown>>();
  const visit = (asset: Asset<unknown>): readonly Asset<unknown>[] => {
    if (seen.has(asset)) return [];
    seen.add(asset);
    return [...Object.values(asset.needs).flatMap(visit), asset];
  };
  return roots.flatMap(visit);
}

type Outcome =
  | { readonly kind: 'made'; readonly value: unknown; readonly warnings: readonly Problem[] }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] }
  | { readonly kind: 'skipped' };

interface EngineOptions {
  readonly context: Context;
  readonly watch?: InputRecorder;
}

async function makeOne(
  asset: Asset<unknown>,
  results: ReadonlyMap<Asset<unknown>, Promise<Outcome>>,
  { context, watch }: EngineOptions,
): Promise<Outcome> {
  const names = Object.keys(asset.needs);
  const parents = await Promise.all(Object.values(asset.needs).map((need) => lookUp(results, need)));
  if (parents.some((parent) => parent.kind !== 'made')) return { kind: 'skipped' };
  const values = Object.fromEntries(names.map((name, index) => [name, madeValue(parents[index])]));
  const given = watch?.around(asset, { values, context }) ?? { values, context };
  const result = await asset.make(given.values, given.context);
  return result.ok
    ? { kind: 'made', value: result.value, warnings: result.warnings }
    : { kind: 'failed', problems: result.problems };
}

function problemsFoundBy(asset: Asset<unknown>, outcome: Outcome): readonly Problem[] {
  if (outcome.kind === 'skipped') return [];
  const found = outcome.kind === 'made' ? outcome.warnings : outcome.problems;
  return found.map((each) => ({ ...each, asset: each.asset ?? asset.name }));
}

/** Removes duplicates: two assets that read the same file report the same problems. */
function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  const first = new Map<string, Problem>();
  for (const found of problems) {
    const key = JSON.stringify([found.code, found.message, found.at]);
    if (!first.has(key)) first.set(key, found);
  }
  return [...first.values()];
}

function madeValue(outcome: Outcome | undefined): unknown {
  if (outcome?.kind !== 'made')
    throw new Error('internal error: an asset was requested before it was created');
  return outcome.value;
}

function lookUp<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error('internal error: an asset is missing from its own run');
  return value;
}
