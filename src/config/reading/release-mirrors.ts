import type { Problem } from '../../core/problem.js';
import type { ImageDigestSource } from '../../fields/install-config-schema.js';
import { parseImageReference } from '../../formats/image-reference.js';
import type { InstallDraft } from './install-config.js';

/** What is wrong with mirrors that cover a release image given by tag. */
export function mirrorProblems(image: string, install: InstallDraft): readonly Problem[] {
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
      message: `mirrors are asked for images by digest only, and the release ${image} is named by its tag`,
      hint: `give releaseImage in sno-config.yaml by digest (and releaseVersion beside it), or at the mirror: ${mirror}:${reference.tag ?? 'TAG'}`,
    },
  ]);
}

/** A mirror list with its place in the config. */
export interface ListedSource extends ImageDigestSource {
  readonly list: 'imageDigestSources' | 'imageContentSources';
  readonly index: number;
}

function sourcesOf({ config }: InstallDraft): readonly ListedSource[] {
  const lists = ['imageDigestSources', 'imageContentSources'] as const;
  return lists.flatMap((list) => config[list].map((entry, index) => ({ ...entry, list, index })));
}

/** Whether a location of registries.conf is that of a repository, or a part before it. */
function covers(source: string, repository: string): boolean {
  return repository === source || repository.startsWith(`${source}/`);
}
