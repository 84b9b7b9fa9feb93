import type { Problem } from '../../../core/problem.js';
import { problemsOf, resultOf } from '../../../core/result.js';
import { defineAsset } from '../../../graph/asset.js';
import type { Manifest } from '../../../kube/manifest.js';
import { installReading, type InstallDraft } from '../../config/install-reading.js';
import { releaseReading, type Release } from '../../config/release.js';
import { snoReading } from '../../config/sno-config.js';
import { readObjects, userManifest } from '../documents.js';
import { numberedPath } from '../paths.js';
import { computeReplicas } from '../infrastructure.js';
import { claimProblems, claimsOf, type Claims } from './check-claims.js';
import { kindProblems, type SourcedObject } from './check-kinds.js';
import { machineConfigProblems } from './check-machine-config.js';
import { namespaceProblems } from './check-namespaces.js';
import { filesInFolders, filesNamed, type UserFile } from './find-files.js';

/** A file of the user's as the manifests it holds. */
export interface UserManifests {
  readonly file: string;
  readonly manifests: readonly Manifest[];
}

/**
 * Every file of the user's, whether added or edited, read and looked through, whether the configs are sound or not: a run
 * reports all there is.
 * Problems: those of `filesInFolders`, `filesNamed`, `readObjects` and `objectProblems`.
 */
export const userManifests = defineAsset({
  name: 'manifests/user-manifests',
  needs: { reading: snoReading, install: installReading, release: releaseReading },
  tryMake: ({ reading, install, release }, { inputs, templates }) => {
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
        ...objectProblems(objects, { install: install.draft, ...release.release }, () => claimsOf(templates)),
      ],
    );
  },
});

/** Problems: those of `kindProblems`, `namespaceProblems`, `machineConfigProblems` and `claimProblems`. */
function objectProblems(
  objects: readonly SourcedObject[],
  { install, version }: { readonly install: InstallDraft | undefined; readonly version?: Release['version'] },
  claims: () => Claims,
): readonly Problem[] {
  const isSound = (...fields: readonly string[]): boolean =>
    install !== undefined && fields.every((field) => install.isSound(field));
  const decidesOnKinds = ['capabilities', 'featureSet', 'featureGates'];
  return [
    ...(install && isSound(...decidesOnKinds)
      ? kindProblems(objects, { install: install.config, version })
      : []),
    ...namespaceProblems(objects),
    ...machineConfigProblems(objects, {
      workers: install && isSound('compute') ? computeReplicas(install.config) : undefined,
      version,
    }),
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

function readFile({ file, path, bytes }: UserFile): Reading {
  const read = readObjects(file, bytes);
  const objects = read.ok ? read.value : [];
  const manifests = objects.map((object, index) =>
    userManifest(objects.length === 1 ? path : numberedPath(path, index + 1), object),
  );
  return { value: { file, manifests }, problems: problemsOf(read) };
}
