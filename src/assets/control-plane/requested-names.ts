import type { Place, Problem } from '../../core/problem.js';
import type { FieldPath } from '../../formats/yaml-tree.js';
import { aioPrograms, type AioControlPlane } from '../config/aio-model.js';
import { flagProblems } from './flags/check-flags.js';
import { featureGateProblems } from './flags/feature-gates.js';
import type { ControlPlaneInputs } from './inputs.js';

/**
 * What the user asks for under `controlPlane` and the programs of this version do not know. OpenShift's own programs take
 * a feature gate that they do not know for a warning, so only upstream's are checked for these.
 * Problems: control-plane/unknown-flag, control-plane/unknown-feature-gate.
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
  return [...flags, ...gates];
}

function placed(found: Problem, at: Place | undefined): Problem {
  return at === undefined ? found : { ...found, at };
}
