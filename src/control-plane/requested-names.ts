import type { Place, Problem } from '../core/problem.js';
import { aioPrograms, type AioControlPlane } from '../fields/aio-model.js';
import type { FieldPath } from '../formats/yaml/yaml-tree.js';
import type { ControlPlaneInputs } from '../loops/loop-inputs.js';
import { admissionPluginProblems, authorizationModeProblems } from '../release/flags/admission-plugins.js';
import { flagProblems } from '../release/flags/check-flags.js';
import { featureGateProblems } from '../release/flags/feature-gates.js';

/**
 * What the user asks for under `controlPlane` and the programs of this version do not know. OpenShift's own programs take
 * a feature gate that they do not know for a warning, so only upstream's are checked for these.
 * Problems: control-plane/unknown-flag, control-plane/unknown-feature-gate, control-plane/unknown-admission-plugin.
 */
export function requestedNameProblems(
  { extraArguments, featureGates }: Pick<AioControlPlane, 'extraArguments' | 'featureGates'>,
  { versions, profile }: Pick<ControlPlaneInputs, 'versions' | 'profile'>,
  placeOf: (path: FieldPath) => Place | undefined,
): readonly Problem[] {
  const flags = aioPrograms.flatMap((program) =>
    Object.keys(extraArguments[program]).flatMap((flag) =>
      flagProblems(program, versions, [flag], profile).map((each) =>
        placed(each, placeOf(['controlPlane', 'extraArguments', program, flag])),
      ),
    ),
  );
  const gates = Object.keys(profile === 'Kubernetes' ? featureGates : {}).flatMap((gate) =>
    featureGateProblems(versions.kubernetesMinor, [gate]).map((each) =>
      placed(each, placeOf(['controlPlane', 'featureGates', gate])),
    ),
  );
  const apiServer = extraArguments['kube-apiserver'];
  const named = Object.entries(profile === 'Kubernetes' ? apiServer : {}).flatMap(([flag, values]) => {
    const problemsOf = apiServerNames[flag.replaceAll('_', '-')];
    const names = values.flatMap((value) => value.split(',')).filter((name) => name !== '');
    const at = placeOf(['controlPlane', 'extraArguments', 'kube-apiserver', flag]);
    return (problemsOf?.(versions.kubernetesMinor, names) ?? []).map((each) => placed(each, at));
  });
  return [...flags, ...named, ...gates];
}

/** Arguments of kube-apiserver whose values are lists of names that it must know, else it does not start. */
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
