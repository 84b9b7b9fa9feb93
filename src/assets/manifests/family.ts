import { problemsOf, resultOf, success, type Result } from '../../core/result.js';
import { defineAsset, type Asset, type Needs, type ValuesOf } from '../../graph/asset.js';
import type { Context } from '../../graph/context.js';
import type { Manifest } from '../../kube/manifest.js';
import { applyEdit, type GeneratedManifest } from './edits.js';

interface Declaration<N extends Needs> {
  /** Unique, below `manifests/`. */
  readonly name: string;
  readonly needs: N;
}

interface Making<N extends Needs> extends Declaration<N> {
  readonly make: (parents: ValuesOf<N>, context: Context) => readonly GeneratedManifest[];
}

interface Trying<N extends Needs> extends Declaration<N> {
  readonly tryMake: (parents: ValuesOf<N>, context: Context) => Result<readonly GeneratedManifest[]>;
}

/**
 * Declares a family of manifests. Its value is what holds after the user's edits: a changed file as the user wrote it,
 * a deleted one not at all. Whoever needs the family therefore follows the edits.
 * Problems: those of `applyEdit`.
 */
export function defineManifests<const N extends Needs>(
  declaration: Making<N> | Trying<N>,
): Asset<readonly Manifest[]> {
  return defineAsset({
    name: declaration.name,
    needs: declaration.needs,
    tryMake: (parents: ValuesOf<N>, context: Context) => {
      const made =
        'make' in declaration
          ? success(declaration.make(parents, context))
          : declaration.tryMake(parents, context);
      return made.ok ? withEdits(made.value, made.warnings, context) : made;
    },
  });
}

function withEdits(
  generated: readonly GeneratedManifest[],
  warnings: Parameters<typeof resultOf>[1],
  { inputs }: Context,
): Result<readonly Manifest[]> {
  const edited = generated.map((each) => applyEdit(each, inputs));
  return resultOf(
    edited.flatMap((each) => (each.ok ? each.value : [])),
    [...warnings, ...edited.flatMap(problemsOf)],
  );
}
