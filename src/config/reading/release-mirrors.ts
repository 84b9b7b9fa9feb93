import type { Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import type { ImageDigestSource } from '../schema/install-config-schema.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { isCoveredBy, registriesOf } from '../rules/install/pull-secret.js';
import type { InstallDraft } from './install-config.js';

/** Checks that the release can be pulled: mirrors cover it and serve it under its pull spec, and its registry has credentials. */
export function releasePullProblems(image: string, install: InstallDraft): readonly Problem[] {
  return [
    ...taggedProblems(image, install),
    ...uncoveredProblems(image, install),
    ...withoutCredentialsProblems(image, install),
  ];
}

/** Repository of the images in a release image. Source: `oc adm release info` of any release of OpenShift and OKD */
const componentsOf: Readonly<Record<string, string>> = {
  'quay.io/openshift-release-dev/ocp-release': 'quay.io/openshift-release-dev/ocp-v4.0-art-dev',
  'quay.io/okd/scos-release': 'quay.io/okd/scos-content',
};

/**
 * Repositories in the pull specs of the release's images, which mirrors do not change: that of the release image, and that of its
 * components if it is known by the release image or by the mirrors.
 */
export function releaseRepositories(image: string, install: InstallDraft | undefined): readonly string[] {
  const repository = parseImageReference(image)?.repository;
  if (repository === undefined) return [];
  const components = componentsOf[repository];
  if (components !== undefined) return [repository, components];
  const isSound = install?.isSound('imageDigestSources') === true && install.isSound('imageContentSources');
  const sources = install && isSound ? sourcesOf(install) : [];
  const mirrored = Object.values(componentsOf).filter((each) =>
    sources.some(({ source, mirrors }) => mirrors.length > 0 && covers(source, each)),
  );
  return [repository, ...mirrored];
}

/** Reports mirrors that do not cover both repositories of the release: that of its image and that of its components. */
function uncoveredProblems(image: string, install: InstallDraft): readonly Problem[] {
  const repository = parseImageReference(image)?.repository;
  if (repository === undefined) return [];
  if (!install.isSound('imageDigestSources') || !install.isSound('imageContentSources')) return [];
  const sources = sourcesOf(install).filter(({ mirrors }) => mirrors.length > 0);
  const [first] = sources;
  if (first === undefined || sources.every(({ sourcePolicy }) => sourcePolicy === 'AllowContactingSource'))
    return [];
  const origin = originOf(repository, sources);
  const components = componentsOf[origin ?? repository];
  const missing = [
    ...(origin === undefined ? [repository] : []),
    ...(components === undefined ? [] : [components]),
  ]
    .filter((each) => !sources.some(({ source }) => covers(source, each)))
    .map((each) => ({
      message: `the release ${image} needs images of ${each}, which no source with a mirror covers`,
      hint: `add an entry with "source: ${each}" and its mirror, or make sure that the node can reach ${each.split('/')[0] ?? each}`,
    }));
  const isUnknown = missing.length === 0 && components === undefined;
  const mayServe = ({ source }: ListedSource): boolean =>
    Object.values(componentsOf).some((each) => covers(source, each)) ||
    (source !== repository && registryOf(source) === registryOf(repository));
  const unknown = {
    message: `the release ${image} needs images of another repository, and no source with a mirror is likely to be that one`,
    hint: 'add an entry for the repository of its images, which "oc adm release info" prints: quay.io/openshift-release-dev/ocp-v4.0-art-dev for OpenShift',
  };
  const at = { code: 'config/mirror-incomplete' as const, path: [first.list, first.index, 'source'] };
  const faults = isUnknown && !sources.some(mayServe) ? [unknown] : missing;
  return install.judge(faults.map((each) => ({ ...at, ...each })));
}

/** The source whose mirror a release image names; undefined for an image of a source. */
function originOf(repository: string, sources: readonly ListedSource[]): string | undefined {
  const named = sources.filter(({ mirrors }) => mirrors.some((mirror) => covers(mirror, repository)));
  const known = named.find(({ source }) => componentsOf[source] !== undefined) ?? named[0];
  if (known !== undefined) return known.source;
  // A release in the registry of mirrors, and of no source, needs no mirror.
  const registry = registryOf(repository);
  const isSource = sources.some(({ source }) => registryOf(source) === registry);
  const isMirror = sources.some(({ mirrors }) => mirrors.some((mirror) => registryOf(mirror) === registry));
  return isMirror && !isSource ? repository : undefined;
}

function registryOf(repository: string): string {
  return repository.split('/')[0] ?? repository;
}

/** Whether install-config.yaml has a mirror for a repository, so that the live system uses it. */
export function hasLiveMirror(install: InstallDraft, repository: string): boolean {
  return sourcesOf(install).some(({ source, mirrors }) => mirrors.length > 0 && covers(source, repository));
}

/** Repositories that an installation may pull from: that of the release image, and of its components, of all systems if unknown. */
export function pulledRepositories(image: string): readonly string[] {
  const repository = parseImageReference(image)?.repository;
  if (repository === undefined) return [];
  const components = componentsOf[repository];
  return [repository, ...(components === undefined ? Object.values(componentsOf) : [components])];
}

/** Reports mirrors of a release image with a tag, because these mirrors are used for digests only. */
function taggedProblems(image: string, install: InstallDraft): readonly Problem[] {
  const reference = parseImageReference(image);
  if (reference === undefined || reference.digest !== undefined) return [];
  if (!install.isSound('imageDigestSources') || !install.isSound('imageContentSources')) return [];
  const covering = sourcesOf(install).filter(
    ({ source, mirrors }) => mirrors.length > 0 && covers(source, reference.repository),
  );
  const [first] = covering;
  if (first === undefined) return [];
  const mayContact = covering.every(({ sourcePolicy }) => sourcePolicy === 'AllowContactingSource');
  const mirror = reference.repository.replace(first.source, first.mirrors[0] ?? '');
  return install.judge([
    {
      code: mayContact ? 'config/mirror-bypassed' : 'config/mirror-not-asked',
      path: [first.list, first.index, 'source'],
      message: `the release ${image} is referenced by tag, but mirrors are used only for digests`,
      hint: `set releaseImage in sno-config.yaml to a digest (and set releaseVersion), or to the mirror: ${mirror}:${reference.tag ?? 'TAG'}`,
    },
  ]);
}

/** Prefix of the repositories of OKD, which need no credentials. */
const publicRepositories = 'quay.io/okd';

/** Reports the repositories of the release that no mirror covers and no entry of the pull secret opens. */
function withoutCredentialsProblems(image: string, install: InstallDraft): readonly Problem[] {
  const registries = registriesOf(install.config.pullSecret.reveal());
  if (!registries || !install.isSound('pullSecret')) return [];
  const closed = releaseRepositories(image, install).find(
    (repository) =>
      !covers(publicRepositories, repository) &&
      !hasLiveMirror(install, repository) &&
      !isCoveredBy(registries, repository),
  );
  if (closed === undefined) return [];
  const registry = registryOf(closed);
  return install.judge([
    {
      code: 'config/release-without-credentials',
      path: ['pullSecret'],
      message: `pullSecret has no credentials for ${quoted(registry)}, from which the release ${image} is pulled`,
      hint: 'download the pull secret from https://console.redhat.com/openshift/install/pull-secret, or add the entry of the registry, unless it allows anonymous pulls',
    },
  ]);
}

/** An entry of a mirror list with its position in the config. */
export interface ListedSource extends ImageDigestSource {
  readonly list: 'imageDigestSources' | 'imageContentSources';
  readonly index: number;
}

function sourcesOf({ config }: InstallDraft): readonly ListedSource[] {
  const lists = ['imageDigestSources', 'imageContentSources'] as const;
  return lists.flatMap((list) => config[list].map((entry, index) => ({ ...entry, list, index })));
}

/** Whether a location of registries.conf is the repository or a prefix of it. */
export function covers(source: string, repository: string): boolean {
  return repository === source || repository.startsWith(`${source}/`);
}
