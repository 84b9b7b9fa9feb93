import type { Problem } from '../../../core/problem.js';
import { problemsOf, resultOf } from '../../../core/result.js';
import { defineAsset } from '../../../graph/asset.js';
import type { Manifest } from '../../../kube/manifest.js';
import { installConfig } from '../../config/install-config.js';
import { release } from '../../config/release.js';
import { snoConfig, snoReading } from '../../config/sno-config.js';
import { readObjects, userManifest } from '../documents.js';
import { numberedPath } from '../paths.js';
import { claimProblems, claimsOf, type Claims } from './check-claims.js';
import { kindProblems, type ClusterFacts, type SourcedObject } from './check-kinds.js';
import { machineConfigProblems } from './check-machine-config.js';
import { namespaceProblems } from './check-namespaces.js';
import { filesInFolders, filesNamed, type UserFile } from './find-files.js';

/** A file of the user's as the manifests it holds. */
export interface UserManifests {
  readonly file: string;
  readonly manifests: readonly Manifest[];
  /** What is wrong with an edited file, in case no family of manifests reports it. */
  readonly lateProblems: readonly Problem[];
}

/**
 * Every file of the user's, whether added or edited, read and looked through.
 * Problems: those of `filesInFolders`, `filesNamed`, `readObjects` and `objectProblems`.
 */
export const userManifests = defineAsset({
  name: 'manifests/user-manifests',
  needs: { sno: snoConfig, reading: snoReading, install: installConfig, release },
  tryMake: ({ sno, reading, install, release }, { inputs, templates }) => {
    const named = sno.extraManifests.map((path, index) => ({
      path,
      at: reading.placeOf(['extraManifests', index]),
    }));
    const found = [filesInFolders(inputs), filesNamed(named, inputs)];
    const read = eachOnce(found.flatMap(({ files }) => files)).map(readFile);
    const objects = read.flatMap(({ value }) => value.manifests.flatMap(sourced));
    return resultOf<readonly UserManifests[]>(
      read.map(({ value }) => value),
      [
        ...found.flatMap(({ problems }) => problems),
        ...read.flatMap(({ problems }) => problems),
        ...objectProblems(objects, { install, version: release.version }, () => claimsOf(templates)),
      ],
    );
  },
});

/** Problems: those of `kindProblems`, `namespaceProblems`, `machineConfigProblems` and `claimProblems`. */
function objectProblems(
  objects: readonly SourcedObject[],
  cluster: ClusterFacts,
  claims: () => Claims,
): readonly Problem[] {
  return [
    ...kindProblems(objects, cluster),
    ...namespaceProblems(objects),
    ...machineConfigProblems(objects, cluster),
    // Reading what the installation writes is not worth it without objects of the user's.
    ...(objects.length === 0 ? [] : claimProblems(objects, claims())),
  ];
}

function sourced({ object, source }: Manifest): readonly SourcedObject[] {
  return source === undefined ? [] : [{ object, source }];
}

/** A folder of manifests that extraManifests names again adds nothing. */
function eachOnce(files: readonly UserFile[]): readonly UserFile[] {
  return files.filter(({ file }, index) => files.findIndex((other) => other.file === file) === index);
}

interface Reading {
  readonly value: UserManifests;
  readonly problems: readonly Problem[];
}

function readFile({ file, path, bytes, isEdited }: UserFile): Reading {
  const read = readObjects(file, bytes);
  const objects = read.ok ? read.value : [];
  const manifests = objects.map((object, index) =>
    userManifest(objects.length === 1 ? path : numberedPath(path, index + 1), object),
  );
  const problems = problemsOf(read);
  return isEdited
    ? { value: { file, manifests, lateProblems: problems }, problems: [] }
    : { value: { file, manifests, lateProblems: [] }, problems };
}
