import type { Problem } from '../../core/problem.js';
import { defineAsset } from '../../graph/asset.js';
import { extraManifestFiles, filesInFolders } from '../../manifests/edits/find-files.js';
import { postInstallIn } from '../../manifests/post-install/post-install-objects.js';
import { readFile, uniqueFiles, type UserManifests } from '../../manifests/user-manifests.js';
import { snoReading } from '../config/sno-config.js';

/**
 * The user's manifests, without the files that cannot be read. The problems are part of the value, so this asset never fails.
 * Problems: those of `filesInFolders`, `extraManifestFiles` and `readObjects`.
 */
export const manifestFiles = defineAsset({
  name: 'manifests/files',
  needs: { reading: snoReading },
  make: ({ reading }, { inputs }) => {
    const named = reading.config.extraManifests
      .map((path, index) => ({ path, at: reading.placeOf(['extraManifests', index]) }))
      .filter(({ at }) => reading.isSound(at.path ?? 'extraManifests'));
    const found = [filesInFolders(inputs), extraManifestFiles(named, inputs)];
    const read = uniqueFiles(found.flatMap(({ files }) => files)).map(readFile);
    const users: readonly UserManifests[] = read.map(({ value }) => value);
    const problems: readonly Problem[] = [...found, ...read].flatMap((each) => each.problems);
    return { users, problems };
  },
});

/** The objects of post-install/, as `manifestFiles`. Problems: those of `postInstallIn`. */
export const postInstallReading = defineAsset({
  name: 'post-install/files',
  needs: {},
  make: (_, { inputs }) => postInstallIn(inputs),
});
