import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Inputs } from '../../graph/context.js';
import { readPostInstall } from '../../manifests/post-install/post-install-objects.js';
import { rejectionLimitMs, type ApplyLimits } from '../../remote/kubernetes/apply/apply-waves.js';
import { setToApply, wavesOf, type ObjectToApply } from '../../remote/kubernetes/apply/object-to-apply.js';
import { waitTimeout } from '../wait/wait-goals.js';

/** The objects of a run of `apply`. */
export interface ChosenObjects {
  readonly objects: readonly ObjectToApply[];
  /** Digest of the set; absent if `--wave` selects some of it. */
  readonly digest?: string;
}

/** Reads the objects in post-install/, of one wave if it is given. Problems: those of `readPostInstall`, usage/unknown-argument. */
export function chosenObjects(inputs: Inputs, wave: string | undefined): Result<ChosenObjects> {
  const read = readPostInstall(inputs);
  if (!read.ok) return read;
  const { objects, digest } = setToApply(read.value);
  if (wave === undefined) return success({ objects, digest }, read.warnings);
  const chosen = objects.filter((object) => object.wave === wave);
  return chosen.length > 0
    ? success({ objects: chosen }, read.warnings)
    : failure(unknownWave(wave, wavesOf(objects)));
}

export function unknownWave(wave: string, waves: readonly string[]): Problem {
  const hint =
    waves.length === 0 ? 'post-install/ contains no manifests' : `the waves are ${waves.join(', ')}`;
  return problem('usage/unknown-argument', `there is no wave ${quoted(wave)} in post-install/`, { hint });
}

/** Problems: usage/unknown-argument. */
export function applyLimits(timeout: string | undefined, postInstallTimeoutMs: number): Result<ApplyLimits> {
  const wave = timeout === undefined ? success(postInstallTimeoutMs) : waitTimeout(timeout);
  if (!wave.ok) return wave;
  // A shorter --timeout also shortens the time for objects that the API rejects.
  return success({ waveMs: wave.value, rejectionMs: Math.min(rejectionLimitMs, wave.value) });
}
