import { problem, type Problem } from '../../../core/problem.js';
import { quoted } from '../../../core/quoted.js';
import { failure, success, type Result } from '../../../core/result.js';
import type { RunningSite } from '../../../manifests/running-site/running-site.js';
import { rejectionLimitMs, type ApplyLimits } from './apply-waves.js';
import { manifestsToApply, objectsToApply, wavesOf, type ObjectToApply } from './object-to-apply.js';
import { listedRemovals, type ObjectToRemove } from './remove-objects.js';

/** The objects of a run of `apply`, with its limits. */
export interface ChosenObjects {
  readonly objects: readonly ObjectToApply[];
  /** Absent if `--wave` selects some of the objects. */
  readonly removals?: readonly ObjectToRemove[];
  /** False if `--wave` selects some of them. */
  readonly isWhole: boolean;
  readonly limits: ApplyLimits;
}

export interface WantedObjects {
  /** `manifests`, a number, or `last`; all waves if absent. */
  readonly wave?: string;
  /** Time limit of each wave, by default that of sno-config.yaml. */
  readonly waveMs?: number;
}

/** The objects of a running site, of one wave if it is given. Problems: usage/unknown-argument. */
export function chosenObjects(
  { manifests, postInstall, removals, added, waveTimeoutMs }: RunningSite,
  { wave, waveMs = waveTimeoutMs }: WantedObjects,
): Result<ChosenObjects> {
  // A shorter limit of waves also shortens the time for objects that the API rejects.
  const limits = { waveMs, rejectionMs: Math.min(rejectionLimitMs, waveMs) };
  const objects = [...manifestsToApply(manifests), ...objectsToApply(postInstall, added)];
  if (wave === undefined)
    return success({ objects, removals: listedRemovals(removals), isWhole: true, limits });
  const chosen = objects.filter((object) => object.wave === wave);
  return chosen.length > 0
    ? success({ objects: chosen, isWhole: false, limits })
    : failure(unknownWave(wave, wavesOf(objects)));
}

function unknownWave(wave: string, waves: readonly string[]): Problem {
  const hint = `the waves are ${waves.join(', ')}`;
  return problem('usage/unknown-argument', `there is no wave ${quoted(wave)}`, { hint });
}
