import type { Place, Problem } from '../core/problem.js';
import { aioPrograms, type AioControlPlane } from '../config/schema/aio-model.js';
import type { FieldPath } from '../formats/yaml/yaml-tree.js';
import { admissionPluginProblems, authorizationModeProblems } from '../release/flags/admission-plugins.js';
import { flagProblems, type ProgramVersions } from '../release/flags/check-flags.js';
import { featureGateProblems } from '../release/flags/feature-gates.js';
import type { ProgramSource } from '../release/flags/program-sources.js';

/**
 * Reports names under `controlPlane` that the programs of this version do not support.
 * Problems: control-plane/unknown-flag, control-plane/unknown-feature-gate, control-plane/unknown-admission-plugin.
 */
export function requestedNameProblems(
  { extraArguments, featureGates }: Pick<AioControlPlane, 'extraArguments' | 'featureGates'>,
  { versions, programs }: { readonly versions: ProgramVersions; readonly programs: ProgramSource },
  placeOf: (path: FieldPath) => Place | undefined,
): readonly Problem[] {
  const flags = aioPrograms.flatMap((program) =>
    Object.keys(extraArguments[program]).flatMap((flag) =>
      flagProblems(program, versions, [flag], programs).map((each) =>
        placed(each, placeOf(['controlPlane', 'extraArguments', program, flag])),
      ),
    ),
  );
  if (!programs.endsAtUnknownNames) return flags;
  const gates = Object.keys(featureGates).flatMap((gate) =>
    featureGateProblems(versions.kubernetesMinor, [gate]).map((each) =>
      placed(each, placeOf(['controlPlane', 'featureGates', gate])),
    ),
  );
  const apiServer = extraArguments['kube-apiserver'];
  const named = Object.entries(apiServer).flatMap(([flag, values]) => {
    const problemsOf = apiServerNames[flag.replaceAll('_', '-')];
    const names = values.flatMap((value) => value.split(',')).filter((name) => name !== '');
    const at = placeOf(['controlPlane', 'extraArguments', 'kube-apiserver', flag]);
    return (problemsOf?.(versions.kubernetesMinor, names) ?? []).map((each) => placed(each, at));
  });
  return [...flags, ...named, ...gates];
}

/** Arguments of kube-apiserver whose values are lists of names; kube-apiserver does not start if it does not know one. */
const apiServerNames: Readonly<
  Record<string, (minor: number, names: readonly string[]) => readonly Problem[]>
> = {
  'enable-admission-plugins': admissionPluginProblems,
  'disable-admission-plugins': admissionPluginProblems,
  'authorization-mode': authorizationModeProblems,
};

function placed(found: Problem, at: Place | undefined): Problem {
  return at === undefined ? found : { ...found, at };
}
