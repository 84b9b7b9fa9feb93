import type { OutputFile } from '../core/output-file.js';
import type { Result } from '../core/result.js';
import type { Context } from './context.js';

/**
 * A node of the graph: a value computed from the values of its parents. Its identity is the object itself. Since `needs` holds
 * finished assets, cycles are impossible.
 */
export interface Asset<T> {
  readonly name: string;
  readonly needs: Readonly<Record<string, Asset<unknown>>>;
  /** Intermediate steps in order, if there are several; shown in the graph only. */
  readonly steps: readonly string[];
  make(parents: Readonly<Record<string, unknown>>, context: Context): Promise<Result<T>>;
  files(value: T): readonly OutputFile[];
}

/** The parents of an asset, by the names that `make` uses. */
export type Needs = Readonly<Record<string, Asset<unknown>>>;

/** The values of the parents, by the same names. */
export type ValuesOf<N extends Needs> = { readonly [K in keyof N]: N[K] extends Asset<infer V> ? V : never };

interface Declaration<N extends Needs, T> {
  /** Unique; `<area>/<name>`, such as `tls/kubelet-client`. */
  readonly name: string;
  readonly needs: N;
  readonly steps?: readonly string[];
  /** The files that the asset writes if it is a root of the target. */
  readonly files?: (value: T) => readonly OutputFile[];
}

interface WithMake<N extends Needs, T> extends Declaration<N, T> {
  readonly make: (parents: ValuesOf<N>, context: Context) => T | Promise<T>;
}

interface Trying<N extends Needs, T> extends Declaration<N, T> {
  readonly tryMake: (parents: ValuesOf<N>, context: Context) => Result<T> | Promise<Result<T>>;
}

/** Declares an asset that cannot fail (`make`) or that may report problems (`tryMake`). */
export function defineAsset<const N extends Needs, T>(declaration: WithMake<N, T> | Trying<N, T>): Asset<T> {
  return {
    name: declaration.name,
    needs: declaration.needs,
    steps: declaration.steps ?? [],
    make: async (parents, context) => {
      // The engine builds `parents` from the same `needs`, so the types agree.
      const values = parents as ValuesOf<N>;
      if ('tryMake' in declaration) return declaration.tryMake(values, context);
      return { ok: true, value: await declaration.make(values, context), warnings: [] };
    },
    files: declaration.files ?? (() => []),
  };
}
