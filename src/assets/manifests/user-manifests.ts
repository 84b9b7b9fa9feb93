import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { ValidateIgnition } from '../../manifests/checks/check-ignition.js';
import { isMachineConfig } from '../../manifests/checks/check-machine-config.js';
import { reservedPathsOf } from '../../manifests/checks/check-reserved-paths.js';
import { filesInFolders, extraManifestFiles } from '../../manifests/edits/find-files.js';
import {
  uniqueFiles,
  objectProblems,
  readFile,
  withSource,
  type UserManifests,
} from '../../manifests/user-manifests.js';
import { installReading } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import type { SourcedObject } from '../../kube/manifest.js';

/**
 * All added or edited files of the user, parsed and validated. Checked even if the configs have errors, so that one run reports
 * every problem.
 * Problems: those of `filesInFolders`, `extraManifestFiles`, `readObjects` and `objectProblems`.
 */
export const userManifests = defineAsset({
  name: 'manifests/user-manifests',
  needs: { reading: snoReading, install: installReading, release: releaseReading },
  tryMake: async ({ reading, install, release }, { inputs, templates }) => {
    const named = reading.config.extraManifests
      .map((path, index) => ({ path, at: reading.placeOf(['extraManifests', index]) }))
      .filter(({ at }) => reading.isSound(at.path ?? 'extraManifests'));
    const found = [filesInFolders(inputs), extraManifestFiles(named, inputs)];
    const read = uniqueFiles(found.flatMap(({ files }) => files)).map(readFile);
    const objects = read.flatMap(({ value }) => value.manifests.flatMap(withSource));
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
          () => reservedPathsOf(templates),
        ),
      ],
    );
  },
});

/** Loads the schema only if there are objects to validate: it is larger than all other input checks together. */
async function judgeFor(objects: readonly SourcedObject[]): Promise<ValidateIgnition> {
  if (!objects.some(isMachineConfig)) return () => [];
  return (await import('../../ignition/foreign/validate-any-spec.js')).validateAnySpec;
}
