import type { Problem } from '../../core/problem.js';
import type { ImageDigestSource } from '../schema/install-config-schema.js';
import { parseImageReference } from '../../formats/image-reference.js';
import type { InstallDraft } from './install-config.js';

/** Checks that the mirrors cover the release and can serve it under its pull spec. */
export function mirrorProblems(image: string, install: InstallDraft): readonly Problem[] {
  return [...taggedProblems(image, install), ...uncoveredProblems(image, install)];
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

/** Reports mirrors of the release's organization that do not cover both of its repositories. */
function uncoveredProblems(image: string, install: InstallDraft): readonly Problem[] {
  const repository = parseImageReference(image)?.repository ?? '';
  const components = componentsOf[repository];
  if (components === undefined) return [];
  if (!install.isSound('imageDigestSources') || !install.isSound('imageContentSources')) return [];
  const sources = sourcesOf(install).filter(({ mirrors }) => mirrors.length > 0);
  const own = sources.filter(({ source }) => organizationOf(source) === organizationOf(repository));
  const [first] = own;
  if (first === undefined || own.every(({ sourcePolicy }) => sourcePolicy === 'AllowContactingSource'))
    return [];
  const missing = [repository, components].filter(
    (each) => !sources.some(({ source }) => covers(source, each)),
  );
  return install.judge(
    missing.map((each) => ({
      code: 'config/mirror-incomplete' as const,
      path: [first.list, first.index, 'source'],
      message: `the release ${image} needs images of ${each}, which no source with a mirror covers`,
      hint: `add an entry with "source: ${each}" and its mirror, or make sure that the node can reach quay.io`,
    })),
  );
}

function organizationOf(repository: string): string {
  return repository.split('/').slice(0, 2).join('/');
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
function covers(source: string, repository: string): boolean {
  return repository === source || repository.startsWith(`${source}/`);
}
