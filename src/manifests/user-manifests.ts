import { computeReplicas } from '../config/compute-replicas.js';
import type { InstallDraft } from '../config/reading/install-config.js';
import type { Release } from '../config/reading/release.js';
import type { Problem } from '../core/problem.js';
import { problemsOf } from '../core/result.js';
import type { Inputs } from '../graph/context.js';
import type { Manifest, SourcedObject } from '../kube/manifest.js';
import { type ReservedPaths, reservedPathProblems } from './checks/check-reserved-paths.js';
import type { ValidateIgnition } from './checks/check-ignition.js';
import { dataProblems } from './checks/check-data.js';
import { hostnameProblems } from './checks/check-hostname.js';
import { imageConfigProblems } from './checks/check-image-config.js';
import { type ClusterFacts, kindProblems, scopesIn } from './checks/check-kinds.js';
import { liveMirrorProblems } from './checks/check-live-mirrors.js';
import { machineConfigProblems } from './checks/check-machine-config.js';
import { metadataProblems } from './checks/check-metadata.js';
import { mirrorSetProblems } from './checks/check-mirror-sets.js';
import { namespaceProblems } from './checks/check-namespaces.js';
import { networkPolicyProblems } from './checks/check-network-policy.js';
import { operatorConfigProblems } from './checks/check-operator-configs.js';
import { profilePoolProblems, profileProblems } from './checks/check-performance-profile.js';
import { referenceProblems } from './checks/check-references.js';
import { selectorProblems } from './checks/check-selectors.js';
import { templateProblems } from './checks/check-templates.js';
import { unappliedProblems } from './checks/check-unapplied.js';
import type { CheckDefinitions } from './schemas/check-definitions.js';
import type { CheckSchemas } from './schemas/check-schemas.js';
import { readObjects, userManifest } from './edits/documents.js';
import {
  extraManifestFiles,
  filesInFolders,
  type ExtraManifestPath,
  type UserFile,
} from './edits/find-files.js';
import { numberedPath } from './edits/paths.js';

export interface UserManifests {
  readonly file: string;
  readonly manifests: readonly Manifest[];
}

export interface ObjectFacts {
  readonly install: InstallDraft | undefined;
  /** Pull spec of the release; absent if it is unknown. */
  readonly image?: string;
  readonly version?: Release['version'];
  readonly isOkd?: boolean;
  /** As sno-config.yaml has it; absent where that is not sound. */
  readonly named?: { readonly hostname: string | undefined };
  /** Path of the installation disk; absent if it is unknown. */
  readonly bootDisk?: string;
  readonly judge: ValidateIgnition;
  readonly checkSchemas: CheckSchemas;
  readonly checkDefinitions: CheckDefinitions;
  /** The objects of crds/. */
  readonly definitions?: readonly SourcedObject[];
  /** `manifestChecks` of sno-config.yaml. */
  readonly manifestChecks?: 'error' | 'warn';
  /** Whether the objects are applied to a cluster that may have them. */
  readonly isMerged?: true;
}

/** Problems of objects that the bootstrap creates: `kindProblems`, `namespaceProblems`, `profilePoolProblems`, `liveMirrorProblems` and `contentProblems`. */
export function objectProblems(
  objects: readonly SourcedObject[],
  facts: ObjectFacts,
  claims: () => ReservedPaths,
): readonly Problem[] {
  const cluster = clusterFacts(facts);
  return [
    ...(cluster ? kindProblems(objects, cluster) : []),
    ...namespaceProblems(objects, cluster),
    ...profilePoolProblems(objects),
    ...liveMirrorProblems(objects, facts.image, facts.install),
    ...contentProblems(objects, facts, claims),
  ];
}

/** The facts that decide on kinds; undefined if the config is invalid there. */
export function clusterFacts({ install, version }: ObjectFacts): ClusterFacts | undefined {
  const isSound = ['capabilities', 'featureSet', 'featureGates'].every((field) => install?.isSound(field));
  return install && isSound ? { install: install.config, version } : undefined;
}

/**
 * Problems that do not depend on when an object is created: those of the functions in `checks/` that `ruleProblems` calls, of
 * `definitionProblems`, and of `schemaProblems` and `networkPolicyProblems` for other fields.
 */
export function contentProblems(
  objects: readonly SourcedObject[],
  facts: ObjectFacts,
  claims: () => ReservedPaths,
): readonly Problem[] {
  const { install, version, isOkd = false, isMerged = false, definitions = [] } = facts;
  const found = [...ruleProblems(objects, facts, claims), ...facts.checkDefinitions(definitions, objects)];
  const places = new Set(found.map(placeKey));
  const featureSet = install?.isSound('featureSet') === true ? install.config.featureSet : undefined;
  const cluster = { version, isOkd, featureSet, isMerged, definitions };
  const misfits = [...facts.checkSchemas(objects, cluster), ...networkPolicyProblems(objects)];
  const others = misfits.filter((each) => !places.has(placeKey(each)));
  const isLowered = facts.manifestChecks === 'warn';
  return [...found, ...others.map((each): Problem => (isLowered ? { ...each, severity: 'warning' } : each))];
}

function placeKey({ at }: Problem): string {
  return [at?.file, at?.line, at?.col].join(':');
}

function ruleProblems(
  objects: readonly SourcedObject[],
  { install, image, version, named, bootDisk, judge, definitions = [] }: ObjectFacts,
  claims: () => ReservedPaths,
): readonly Problem[] {
  const isSound = (field: string): boolean => install?.isSound(field) === true;
  const workers = install && isSound('compute') ? computeReplicas(install.config) : undefined;
  return [
    ...metadataProblems(objects, scopesIn([...definitions, ...objects], version)),
    ...dataProblems(objects),
    ...templateProblems(objects),
    ...referenceProblems(objects),
    ...unappliedProblems(objects),
    ...machineConfigProblems(objects, {
      workers,
      version,
      judge,
      ...(bootDisk !== undefined && { bootDisk }),
      ...(named?.hostname !== undefined && { hostname: named.hostname }),
    }),
    ...operatorConfigProblems(objects, version),
    ...profileProblems(objects),
    ...imageConfigProblems(objects, { install, ...(image !== undefined && { image }) }),
    ...mirrorSetProblems(objects, install),
    ...(named ? hostnameProblems(objects, named.hostname) : []),
    ...selectorProblems(objects, { workers }),
    // Claims are expensive to read, so they are only read if the user has objects.
    ...(objects.length === 0 ? [] : reservedPathProblems(objects, claims())),
  ];
}

/** The object with its source; empty for a generated manifest. */
export function withSource({ object, source }: Manifest): readonly SourcedObject[] {
  return source === undefined ? [] : [{ object, source }];
}

/** The manifests of the folders and of extraManifests. Problems: those of `filesInFolders`, `extraManifestFiles` and `readObjects`. */
export function userManifestsIn(
  named: readonly ExtraManifestPath[],
  inputs: Inputs,
): { readonly users: readonly UserManifests[]; readonly problems: readonly Problem[] } {
  const found = [filesInFolders(inputs), extraManifestFiles(named, inputs)];
  const read = uniqueFiles(found.flatMap(({ files }) => files)).map(readFile);
  return {
    users: read.map(({ value }) => value),
    problems: [...found, ...read].flatMap((each) => each.problems),
  };
}

/** Removes repeated files, such as those of a manifest folder that extraManifests also lists. */
export function uniqueFiles(files: readonly UserFile[]): readonly UserFile[] {
  return files.filter(({ file }, index) => files.findIndex((other) => other.file === file) === index);
}

export interface UserFileReading {
  readonly value: UserManifests;
  readonly problems: readonly Problem[];
}

/** Reads the manifests of a file, numbered if there are several. Problems: those of `readObjects`. */
export function readFile({ file, path, bytes }: UserFile): UserFileReading {
  const read = readObjects(file, bytes);
  const objects = read.ok ? read.value : [];
  const manifests = objects.map((object, index) =>
    userManifest(objects.length === 1 ? path : numberedPath(path, index + 1), object),
  );
  return { value: { file, manifests }, problems: problemsOf(read) };
}
