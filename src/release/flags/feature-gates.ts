import { problem, type Problem } from '../../core/problem.js';
import type { FlaggedProgram } from './flag-table.js';
import { namesAt, namesOf, nearestMinor, unknownNames, type NamesByRange } from './known-names.js';
import { featureGatesByRange, missingGatesByRange } from './tables.generated.js';

/** Programs with feature gates. */
export type GatedProgram = Exclude<FlaggedProgram, 'etcd'>;

/**
 * Names of the feature gates of the upstream Kubernetes 1.x programs, which exit at start on an unknown gate. Without `program`, returns
 * the gates of all programs. With `program`, leaves out the few gates that this program does not have.
 * @internal
 */
export function knownFeatureGates(kubernetesMinor: number, program?: GatedProgram): ReadonlySet<string> {
  const missing = missingGates(kubernetesMinor, program);
  return new Set([...namesOf(featureGatesByRange, kubernetesMinor)].filter((gate) => !missing.has(gate)));
}

/** Reports control-plane/unknown-feature-gate for each gate that the upstream program of Kubernetes 1.x does not have. */
export function featureGateProblems(
  kubernetesMinor: number,
  gates: readonly string[],
  program?: GatedProgram,
): readonly Problem[] {
  const owner = program ?? 'Kubernetes';
  const missing = missingGates(kubernetesMinor, program);
  const table = { names: featureGatesByRange, owner, major: 1, kind: 'feature gate' };
  return gates.flatMap((gate) => {
    if (!missing.has(gate)) {
      return unknownNames('control-plane/unknown-feature-gate', table, {
        minor: kubernetesMinor,
        names: [gate],
      });
    }
    const message = `${owner} 1.${kubernetesMinor} has no feature gate "${gate}"`;
    const hint = 'remove it: only other programs of this version have it';
    return [problem('control-plane/unknown-feature-gate', message, { hint })];
  });
}

const missingByProgram: Readonly<Partial<Record<GatedProgram, NamesByRange>>> = missingGatesByRange;

function missingGates(minor: number, program: GatedProgram | undefined): ReadonlySet<string> {
  const missing = program === undefined ? undefined : missingByProgram[program];
  return missing === undefined ? new Set() : namesAt(missing, nearestMinor(featureGatesByRange, minor));
}
