import type { Problem } from '../../core/problem.js';
import { problemsOf, resultOf, success, type Result } from '../../core/result.js';
import { defineAsset, type Asset, type Needs, type ValuesOf } from '../../graph/asset.js';
import type { Context } from '../../graph/context.js';
import type { Manifest } from '../../kube/manifest.js';
import {
  sharedFieldProblems,
  requirementProblems,
  type SharedField,
} from '../../manifests/edits/edited-values.js';
import { applyEdit, type GeneratedManifest } from '../../manifests/edits/edits.js';
import { requirementsAt } from '../../manifests/edits/field-requirements.js';

interface Declaration<N extends Needs> {
  /** Unique below `manifests/`. */
  readonly name: string;
  readonly needs: N;
  /** Problems of an edited file of the family, in addition to those of `requirementsAt` for its path. */
  readonly check?: (edited: Manifest, parents: ValuesOf<N>) => readonly Problem[];
  /** Fields whose input also affects other outputs, which an edit of the manifest does not reach. */
  readonly alsoElsewhere?: (parents: ValuesOf<N>) => readonly SharedField[];
}

interface WithMake<N extends Needs> extends Declaration<N> {
  readonly make: (parents: ValuesOf<N>, context: Context) => readonly GeneratedManifest[];
}

interface Trying<N extends Needs> extends Declaration<N> {
  readonly tryMake: (parents: ValuesOf<N>, context: Context) => Result<readonly GeneratedManifest[]>;
}

/**
 * Declares a family of manifests. Its value includes the user's edits: edited files as the user wrote them, without deleted
 * files. Dependants of the family therefore follow the edits.
 * Problems: those of `applyEdit`, of `requirementsAt` and of the family's own check, manifest/edited-value.
 */
export function defineManifests<const N extends Needs>(
  declaration: WithMake<N> | Trying<N>,
): Asset<readonly Manifest[]> {
  const { name, needs, check = () => [], alsoElsewhere = () => [] } = declaration;
  return defineAsset({
    name,
    needs,
    tryMake: (parents: ValuesOf<N>, context: Context) => {
      const made =
        'make' in declaration
          ? success(declaration.make(parents, context))
          : declaration.tryMake(parents, context);
      if (!made.ok) return made;
      const edited = made.value.map((each) =>
        checked(applyEdit(each, context.inputs), (manifest) => [
          ...requirementProblems(manifest, requirementsAt(each.path, manifest.object)),
          ...check(manifest, parents),
          ...sharedFieldProblems(manifest, each.object, alsoElsewhere(parents)),
        ]),
      );
      return resultOf(
        edited.flatMap((each) => (each.ok ? each.value : [])),
        [...made.warnings, ...edited.flatMap(problemsOf)],
      );
    },
  });
}

function checked(
  result: Result<readonly Manifest[]>,
  check: (edited: Manifest) => readonly Problem[],
): Result<readonly Manifest[]> {
  if (!result.ok) return result;
  const edited = result.value.filter(({ origin }) => origin === 'edited');
  return resultOf(result.value, [...result.warnings, ...edited.flatMap(check)]);
}
