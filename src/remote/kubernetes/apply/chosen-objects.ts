import { problem, type Problem } from '../../../core/problem.js';
import { quoted } from '../../../core/quoted.js';
import { failure, success, type Result } from '../../../core/result.js';
import { readConfigFile } from '../../../config/reading/config-file.js';
import { postInstallTimeoutSeconds } from '../../../config/sno-defaults.js';
import { toData } from '../../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../../graph/context.js';
import { listAt, textAt } from '../../../kube/fields.js';
import type { Manifest } from '../../../kube/manifest.js';
import { readPostInstall } from '../../../manifests/post-install/post-install-objects.js';
import { userManifestsIn } from '../../../manifests/user-manifests.js';
import { rejectionLimitMs, type ApplyLimits } from './apply-waves.js';
import { objectsToApply, wavesOf, type ObjectToApply } from './object-to-apply.js';

/** The objects of a run of `apply`, with its limits. */
export interface ChosenObjects {
  readonly objects: readonly ObjectToApply[];
  /** False if `--wave` selects some of them. */
  readonly isWhole: boolean;
  readonly limits: ApplyLimits;
}

export interface WantedObjects {
  /** A number, or `last`; all waves if absent. */
  readonly wave?: string;
  /** Time limit of each wave, by default that of sno-config.yaml. */
  readonly waveMs?: number;
}

/**
 * Reads the objects in post-install/, of one wave if it is given. The inputs are checked before.
 * Problems: those of `readPostInstall`, usage/unknown-argument.
 */
export function chosenObjects(
  inputs: Inputs,
  { wave, waveMs = configuredTimeoutMs(inputs) }: WantedObjects,
): Result<ChosenObjects> {
  // A shorter limit of waves also shortens the time for objects that the API rejects.
  const limits = { waveMs, rejectionMs: Math.min(rejectionLimitMs, waveMs) };
  const read = readPostInstall(inputs);
  if (!read.ok) return read;
  const objects = objectsToApply(read.value, otherManifests(inputs));
  if (wave === undefined) return success({ objects, isWhole: true, limits });
  const chosen = objects.filter((object) => object.wave === wave);
  return chosen.length > 0
    ? success({ objects: chosen, isWhole: false, limits })
    : failure(unknownWave(wave, wavesOf(objects)));
}

function unknownWave(wave: string, waves: readonly string[]): Problem {
  const hint =
    waves.length === 0 ? 'post-install/ contains no manifests' : `the waves are ${waves.join(', ')}`;
  return problem('usage/unknown-argument', `there is no wave ${quoted(wave)} in post-install/`, { hint });
}

/** postInstallTimeout of sno-config.yaml. */
function configuredTimeoutMs(inputs: Inputs): number {
  return postInstallTimeoutSeconds(textAt(snoInput(inputs), ['postInstallTimeout'])) * 1000;
}

/** The objects of manifests/, openshift/ and extraManifests. Their problems are reported before. */
function otherManifests(inputs: Inputs): readonly Manifest[] {
  const named = listAt(snoInput(inputs), ['extraManifests']).flatMap((path) =>
    typeof path === 'string' ? { path, at: { file: 'sno-config.yaml' } } : [],
  );
  return userManifestsIn(named, inputs).users.flatMap(({ manifests }) => manifests);
}

function snoInput(inputs: Inputs): unknown {
  const config = readConfigFile(inputs, 'sno-config.yaml');
  return config.kind === 'document' ? toData(config.root) : {};
}
