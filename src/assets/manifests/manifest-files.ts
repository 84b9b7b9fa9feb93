import type { Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { filesInDefinitions } from '../../manifests/edits/find-files.js';
import { readObjects } from '../../manifests/edits/documents.js';
import { postInstallIn } from '../../manifests/post-install/post-install-objects.js';
import { userManifestsIn } from '../../manifests/user-manifests.js';
import { snoReading } from '../config/sno-config.js';

/**
 * The user's manifests, without the files that cannot be read. The problems are part of the value, so this asset never fails.
 * Problems: those of `userManifestsIn`.
 */
export const manifestFiles = defineAsset({
  name: 'manifests/files',
  needs: { reading: snoReading },
  make: ({ reading }, { inputs }) => {
    const named = reading.config.extraManifests
      .map((path, index) => ({ path, at: reading.placeOf(['extraManifests', index]) }))
      .filter(({ at }) => reading.isSound(at.path ?? 'extraManifests'));
    return userManifestsIn(named, inputs);
  },
});

/** The objects of post-install/, as `manifestFiles`. Problems: those of `postInstallIn`. */
export const postInstallReading = defineAsset({
  name: 'post-install/files',
  needs: {},
  make: (_, { inputs }) => postInstallIn(inputs),
});

/** The objects of crds/, as `manifestFiles`. Problems: those of `filesInDefinitions` and `readObjects`. */
export const definitionsReading = defineAsset({
  name: 'manifests/definitions',
  needs: {},
  make: (_, { inputs }) => {
    const found = filesInDefinitions(inputs);
    const read = found.files.map(({ file, bytes }) => readObjects(file, bytes, { isApplied: false }));
    const objects: readonly SourcedObject[] = read.flatMap((each) => (each.ok ? each.value : []));
    const problems: readonly Problem[] = [...found.problems, ...read.flatMap(problemsOf)];
    return { objects, problems };
  },
});
