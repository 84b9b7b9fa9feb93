import { isRecord } from '../../core/is-record.js';
import { problem, type Problem, type ProblemCode } from '../../core/problem.js';
import { maskedWord, quoted } from '../../core/quoted.js';
import { releaseRepositories } from '../../config/reading/release-mirrors.js';
import type { InstallDraft } from '../../config/reading/install-config.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { isNestedScope, isValidScope } from './image-scope.js';

export interface ImageFacts {
  /** Pull spec of the release; absent if it is unknown. */
  readonly image?: string;
  readonly install: InstallDraft | undefined;
}

interface ImageFault {
  readonly code: Extract<ProblemCode, 'manifest/image-config' | 'manifest/image-registries'>;
  readonly path: FieldPath;
  readonly message: string;
  readonly hint: string;
}

/**
 * Reports registries and signatures by which the node rejects the images of the release, and image configs that the
 * machine-config operator refuses. CRI-O compares the names in pull specs with the lists, not those of mirrors.
 * Problems: manifest/image-registries, manifest/image-config.
 * Sources: machine-config-operator pkg/controller/container-runtime-config/helpers.go, updatePolicyJSON; containers/image
 * docker/docker_image_src.go (the policy applies to the reference that the user requested)
 */
export function imageConfigProblems(
  objects: readonly SourcedObject[],
  { image, install }: ImageFacts,
): readonly Problem[] {
  const names = image === undefined ? [] : releaseRepositories(image, install);
  const configs = objects.filter((each) => isConfig(each, 'Image'));
  const lists = configs.map(({ object }) => object);
  return objects.flatMap((sourced) =>
    faultsOf(sourced, names, lists).map(({ code, path, message, hint }) =>
      problem(code, message, { at: manifestFieldPlace(sourced.source, path), hint }),
    ),
  );
}

function isConfig({ object: { apiVersion, kind } }: SourcedObject, wanted: string): boolean {
  return kind === wanted && apiVersion.startsWith('config.openshift.io/');
}

function faultsOf(
  sourced: SourcedObject,
  names: readonly string[],
  imageConfigs: readonly unknown[],
): readonly ImageFault[] {
  const { object } = sourced;
  if (isConfig(sourced, 'Image'))
    return [...listFaults(object), ...allowedFaults(object, names), ...blockedFaults(object, names)];
  if (isConfig(sourced, 'ImageContentPolicy')) return [unreadKind];
  if (!isConfig(sourced, 'ClusterImagePolicy') && !isConfig(sourced, 'ImagePolicy')) return [];
  const isClusterWide = object.kind === 'ClusterImagePolicy' || isOfPlatform(object.metadata.namespace);
  return [...scopeFaults(object, imageConfigs), ...(isClusterWide ? signatureFaults(object, names) : [])];
}

function isOfPlatform(namespace = ''): boolean {
  return /^(?:openshift|kube)-/.test(namespace);
}

const unreadKind: ImageFault = {
  code: 'manifest/image-registries',
  path: ['kind'],
  message: 'no operator reads an ImageContentPolicy, so the node does not use its mirrors',
  hint: 'write an ImageDigestMirrorSet or ImageTagMirrorSet',
};

const sources = ['spec', 'registrySources'];

function scopesAt(object: unknown, list: string): readonly string[] {
  return listAt(object, [...sources, list]).filter((each) => typeof each === 'string');
}

/** Source: machine-config-operator, the same file, validateRegistriesConfScopes and updatePolicyJSON */
function listFaults(object: unknown): readonly ImageFault[] {
  const invalid = ['allowedRegistries', 'blockedRegistries', 'insecureRegistries'].flatMap((list) =>
    scopesAt(object, list).flatMap((scope, index): readonly ImageFault[] =>
      isValidScope(scope)
        ? []
        : [
            {
              code: 'manifest/image-config',
              path: [...sources, list, index],
              message: `${quoted(scope)} is not valid in ${list}, and the machine-config operator's bootstrap ends with an error`,
              hint: 'write a registry or repository, or "*." and a domain without port and path',
            },
          ],
    ),
  );
  const areBoth = ['allowedRegistries', 'blockedRegistries'].every(
    (list) => scopesAt(object, list).length > 0,
  );
  if (!areBoth) return invalid;
  const message =
    "allowedRegistries and blockedRegistries are both set, and the machine-config operator's bootstrap ends with an error";
  return [
    ...invalid,
    {
      code: 'manifest/image-config',
      path: [...sources, 'blockedRegistries'],
      message,
      hint: 'keep one of the two lists',
    },
  ];
}

function allowedFaults(object: unknown, names: readonly string[]): readonly ImageFault[] {
  const allowed = scopesAt(object, 'allowedRegistries');
  const missing = names.filter((name) => !allowed.some((scope) => isNestedScope(name, scope)));
  const [first] = missing;
  if (allowed.length === 0 || first === undefined) return [];
  const message = `allowedRegistries does not contain ${missing.join(' and ')}: the node rejects these images of the release, also if a mirror serves them`;
  const registry = first.split('/')[0] ?? '';
  return [
    {
      code: 'manifest/image-registries',
      path: [...sources, 'allowedRegistries'],
      message,
      hint: `add ${missing.length === 1 ? first : missing.join(', ')}, or the registry ${registry}`,
    },
  ];
}

/** The operator itself leaves out an entry that contains the release image, if it has no mirror. */
function blockedFaults(object: unknown, names: readonly string[]): readonly ImageFault[] {
  return scopesAt(object, 'blockedRegistries').flatMap((scope, index): readonly ImageFault[] => {
    const blocked = names.filter((name) => isNestedScope(name, scope));
    if (blocked.length === 0) return [];
    const message = `blockedRegistries contains ${quoted(scope)}: the node rejects the images of the release in ${blocked.join(' and ')}, also if a mirror serves them, or the operator ignores the entry`;
    const hint =
      'remove it; NeverContactSource in sourcePolicy of imageDigestSources prevents pulls from the source';
    return [
      { code: 'manifest/image-registries', path: [...sources, 'blockedRegistries', index], message, hint },
    ];
  });
}

function policyScopes(object: unknown): readonly (readonly [index: number, scope: string])[] {
  return listAt(object, ['spec', 'scopes']).flatMap((scope, index) =>
    typeof scope === 'string' ? [[index, scope] as const] : [],
  );
}

/** Source: machine-config-operator, the same file, validateImagePolicyWithAllowedBlockedRegistries */
function scopeFaults(object: unknown, imageConfigs: readonly unknown[]): readonly ImageFault[] {
  const allowed = imageConfigs.flatMap((each) => scopesAt(each, 'allowedRegistries'));
  const blocked = imageConfigs.flatMap((each) => scopesAt(each, 'blockedRegistries'));
  return policyScopes(object).flatMap(([index, scope]): readonly ImageFault[] => {
    const isOutside = allowed.length > 0 && !allowed.some((each) => isNestedScope(scope, each));
    if (!isOutside && !blocked.some((each) => isNestedScope(scope, each))) return [];
    const where = isOutside ? 'is not in allowedRegistries' : 'is in blockedRegistries';
    const message = `the scope ${quoted(scope)} ${where} of the Image config, and the machine-config operator's bootstrap ends with an error`;
    return [
      {
        code: 'manifest/image-config',
        path: ['spec', 'scopes', index],
        message,
        hint: 'change one of the two',
      },
    ];
  });
}

function signatureFaults(object: SourcedObject['object'], names: readonly string[]): readonly ImageFault[] {
  const hasPolicy = isRecord(fieldAt(object, ['spec', 'policy']));
  if (!hasPolicy || textAt(object, ['spec', 'policy', 'rootOfTrust', 'policyType']) === undefined) return [];
  return policyScopes(object).flatMap(([index, scope]): readonly ImageFault[] => {
    const [name] = names.filter((each) => isNestedScope(each, scope));
    if (name === undefined) return [];
    const message = `${object.kind} ${maskedWord(object.metadata.name)} requires signatures of the images in ${name}: the node rejects images of the release without one, and a mirror must serve the signatures too`;
    return [
      {
        code: 'manifest/image-registries',
        path: ['spec', 'scopes', index],
        message,
        hint: 'narrow the scope to your own images, or mirror the signatures with the release',
      },
    ];
  });
}
