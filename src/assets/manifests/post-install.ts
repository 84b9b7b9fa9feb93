import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import { scopesIn } from '../../manifests/checks/check-kinds.js';
import { metadataProblems } from '../../manifests/checks/check-metadata.js';
import { reservedPathsOf } from '../../manifests/checks/check-reserved-paths.js';
import { duplicateProblems, postInstallProblems } from '../../manifests/post-install/check-post-install.js';
import type { PostInstallObject } from '../../manifests/post-install/post-install-objects.js';
import { removalProblems } from '../../manifests/post-install/removals.js';
import { clusterFacts, contentProblems, withSource } from '../../manifests/user-manifests.js';
import { postInstallSystem } from '../../node/post-install.js';
import { installReading, installerDisk } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoConfig, snoReading } from '../config/sno-config.js';
import { definitionsReading, manifestFiles, postInstallReading } from './manifest-files.js';
import { manifests } from './manifests.js';
import { checksFor, factsOf } from './user-manifests.js';

/**
 * The objects of post-install/ in the order in which they are applied. Checked even if the configs have errors.
 * Problems: those of `postInstallReading`, `contentProblems` and `postInstallProblems`.
 */
export const postInstallObjects = defineAsset({
  name: 'post-install/objects',
  needs: {
    files: postInstallReading,
    others: manifestFiles,
    definitions: definitionsReading,
    reading: snoReading,
    install: installReading,
    release: releaseReading,
    disk: installerDisk,
  },
  tryMake: async (
    { files: { objects, problems }, others, definitions, reading, install, release, disk },
    { templates },
  ) => {
    if (objects.length === 0) return resultOf<readonly PostInstallObject[]>(objects, problems);
    const manifests = others.users.flatMap((each) => each.manifests.flatMap(withSource));
    const all = [...manifests, ...objects];
    const checks = await checksFor(all, definitions.objects);
    const facts = { ...factsOf({ install, reading, release, disk }), ...checks };
    const own = new Set(objects.map(({ path }) => path));
    return resultOf<readonly PostInstallObject[]>(objects, [
      ...problems,
      // A pool or a definition may be among the other manifests, which report their own problems.
      ...contentProblems(all, { ...facts, isMerged: true }, () => reservedPathsOf(templates)).filter(
        ({ at }) => own.has(at?.file ?? ''),
      ),
      ...postInstallProblems(objects, { manifests, cluster: clusterFacts(facts) }),
    ]);
  },
});

/**
 * Compares the objects, and those of remove.yaml, with the manifests. Problems: manifest/duplicate, manifest/metadata,
 * post-install/remove.
 */
export const postInstall = defineAsset({
  name: 'post-install/all',
  needs: { objects: postInstallObjects, files: postInstallReading, manifests },
  tryMake: ({ objects, files: { removals }, manifests }) =>
    resultOf(objects, [
      ...duplicateProblems(
        objects,
        manifests.filter(({ origin }) => origin === 'generated'),
      ),
      ...metadataProblems(removals, scopesIn([], undefined)),
      ...removalProblems(removals, [...manifests, ...objects]),
    ]),
});

/** Files of the live system that apply the post-install manifests on the installed node. */
export const postInstallNodeFiles = defineAsset({
  name: 'post-install/node-files',
  needs: { objects: postInstall, others: manifestFiles, sno: snoConfig },
  make: ({ objects, others, sno }, { templates }) =>
    postInstallSystem(objects, {
      manifests: others.users.flatMap(({ manifests }) => manifests),
      timeoutSeconds: sno.postInstallTimeoutSeconds,
      templates,
    }),
});
