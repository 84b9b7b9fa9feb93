import { problem, type Problem } from '../../../core/problem.js';
import { quotedName } from '../../../core/quoted.js';
import { namesOf, unknownNameHint } from './known-names.js';
import { featureGatesByRange } from './tables.generated.js';

/** Names of the feature gates that an upstream program of Kubernetes 1.x knows; an unknown one ends its start. */
export function knownFeatureGates(kubernetesMinor: number): ReadonlySet<string> {
  return namesOf(featureGatesByRange, kubernetesMinor);
}

/** Problems (control-plane/unknown-feature-gate) for each gate that upstream programs of Kubernetes 1.x do not know. */
export function featureGateProblems(kubernetesMinor: number, gates: readonly string[]): readonly Problem[] {
  const known = knownFeatureGates(kubernetesMinor);
  const versionOf = (minor: number): string => `1.${minor}`;
  return gates
    .filter((gate) => !known.has(gate))
    .map((name) =>
      problem(
        'control-plane/unknown-feature-gate',
        `Kubernetes 1.${kubernetesMinor} has no feature gate ${quotedName(name)}`,
        {
          hint: unknownNameHint(featureGatesByRange, { name, minor: kubernetesMinor, versionOf }),
        },
      ),
    );
}
