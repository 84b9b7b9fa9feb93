import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { Judge } from '../../manifests/checks/check-ignition.js';
import { isMachineConfig } from '../../manifests/checks/check-machine-config.js';
import { claimsOf } from '../../manifests/checks/check-claims.js';
import { filesInFolders, filesNamed } from '../../manifests/edits/find-files.js';
import {
  eachOnce,
  objectProblems,
  readFile,
  sourced,
  type UserManifests,
} from '../../manifests/user-manifests.js';
import { installReading } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import type { SourcedObject } from '../../kube/manifest.js';

/**
 * All added or edited files of the user, parsed and validated. Checked even if the configs have errors, so that one run reports
 * every problem.
 * Problems: those of `filesInFolders`, `filesNamed`, `readObjects` and `objectProblems`.
 */
export const userManifests = defineAsset({
  name: 'manifests/user-manifests',
  needs: { reading: snoReading, install: installReading, release: releaseReading },
  tryMake: async ({ reading, install, release }, { inputs, templates }) => {
    const named = reading.config.extraManifests
      .map((path, index) => ({ path, at: reading.placeOf(['extraManifests', index]) }))
      .filter(({ at }) => reading.isSound(at.path ?? 'extraManifests'));
    const found = [filesInFolders(inputs), filesNamed(named, inputs)];
    const read = eachOnce(found.flatMap(({ files }) => files)).map(readFile);
    const objects = read.flatMap(({ value }) => value.manifests.flatMap(sourced));
    return resultOf<readonly UserManifests[]>(
      read.map(({ value }) => value),
      [
        ...found.flatMap(({ problems }) => problems),
        ...read.flatMap(({ problems }) => problems),
        ...objectProblems(
          objects,
          {
            install: install.draft,
            ...release.release,
            ...(reading.isSound('hostname') && { named: { hostname: reading.config.hostname } }),
            judge: await judgeFor(objects),
          },
          () => claimsOf(templates),
        ),
      ],
    );
  },
});

/** Loads the schema only if there are objects to validate: it is larger than all other input checks together. */
async function judgeFor(objects: readonly SourcedObject[]): Promise<Judge> {
  if (!objects.some(isMachineConfig)) return () => [];
  return (await import('../../ignition/foreign/judge-any-spec.js')).judgeAnySpec;
}
