import { problem, type Problem } from '../../core/problem.js';
import type { FlaggedProgram } from './flag-table.js';
import { namesAt, namesOf, nearestMinor, unknownNames, type NamesByRange } from './known-names.js';
import { featureGatesByRange, missingGatesByRange } from './tables.generated.js';

/** The programs of Kubernetes, all of which have feature gates. */
export type GatedProgram = Exclude<FlaggedProgram, 'etcd'>;

/**
 * Names of the feature gates that upstream programs of Kubernetes 1.x know; an unknown one ends their start. They are
 * the same for all programs but for single gates, which are left out where a program that lacks them is named.
 * @internal
 */
export function knownFeatureGates(kubernetesMinor: number, program?: GatedProgram): ReadonlySet<string> {
  const missing = missingGates(kubernetesMinor, program);
  return new Set([...namesOf(featureGatesByRange, kubernetesMinor)].filter((gate) => !missing.has(gate)));
}

/** Problems (control-plane/unknown-feature-gate) for each gate that the upstream program of 1.x does not know. */
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
    const hint = 'leave it out: only other programs of this version have it';
    return [problem('control-plane/unknown-feature-gate', message, { hint })];
  });
}

const missingByProgram: Readonly<Partial<Record<GatedProgram, NamesByRange>>> = missingGatesByRange;

function missingGates(minor: number, program: GatedProgram | undefined): ReadonlySet<string> {
  const missing = program === undefined ? undefined : missingByProgram[program];
  return missing === undefined ? new Set() : namesAt(missing, nearestMinor(featureGatesByRange, minor));
}
