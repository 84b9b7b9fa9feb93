import type { OutputFile } from '../core/output-file.js';
import type { Result } from '../core/result.js';
import type { Context } from './context.js';

/**
 * One node of the graph: a value made from the values of the assets it needs. Its identity is the object itself,
 * and since `needs` holds finished assets, a cycle cannot be written.
 */
export interface Asset<T> {
  readonly name: string;
  readonly needs: Readonly<Record<string, Asset<unknown>>>;
  /** What it is made by, in order, where that is more than one step; for the graph. */
  readonly steps: readonly string[];
  make(parents: Readonly<Record<string, unknown>>, context: Context): Promise<Result<T>>;
  files(value: T): readonly OutputFile[];
}

/** The assets that another is made of, by the names that `make` calls them. */
export type Needs = Readonly<Record<string, Asset<unknown>>>;

/** The values of a set of needs, by the same names. */
export type ValuesOf<N extends Needs> = { readonly [K in keyof N]: N[K] extends Asset<infer V> ? V : never };

interface Declaration<N extends Needs, T> {
  /** Unique, with `/` between area and name, such as `tls/kubelet-client`. */
  readonly name: string;
  readonly needs: N;
  readonly steps?: readonly string[];
  /** What the asset writes when it is a root of the target. */
  readonly files?: (value: T) => readonly OutputFile[];
}

interface Making<N extends Needs, T> extends Declaration<N, T> {
  readonly make: (parents: ValuesOf<N>, context: Context) => T | Promise<T>;
}

interface Trying<N extends Needs, T> extends Declaration<N, T> {
  readonly tryMake: (parents: ValuesOf<N>, context: Context) => Result<T> | Promise<Result<T>>;
}

/** Declares an asset that cannot fail (`make`) or whose inputs may be wrong (`tryMake`). */
export function defineAsset<const N extends Needs, T>(declaration: Making<N, T> | Trying<N, T>): Asset<T> {
  return {
    name: declaration.name,
    needs: declaration.needs,
    steps: declaration.steps ?? [],
    make: async (parents, context) => {
      // The engine fills `parents` by walking this very `needs`, so the shapes agree.
      const values = parents as ValuesOf<N>;
      if ('tryMake' in declaration) return declaration.tryMake(values, context);
      return { ok: true, value: await declaration.make(values, context), warnings: [] };
    },
    files: declaration.files ?? (() => []),
  };
}
