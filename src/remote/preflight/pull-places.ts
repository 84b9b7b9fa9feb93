import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import { parseImageReference, type ImageReference } from '../../formats/image-reference.js';
import { mergedSources } from '../../node/registries.js';

/** A repository from which an image can be pulled. */
export interface PullPlace {
  /** Host, with its port if there is one. */
  readonly registry: string;
  /** Registry and path. */
  readonly repository: string;
  /** Tag or digest. */
  readonly reference: string;
  readonly digest: string | undefined;
  readonly isMirror: boolean;
}

/**
 * Pull locations of an image in the order in which the node tries them: the mirrors of the longest matching source, by digest only,
 * then the image's own repository unless it is blocked. Source: containers-registries.conf(5)
 */
export function placesOf(image: string, install: InstallConfig): readonly PullPlace[] {
  const parsed = parseImageReference(image);
  if (parsed === undefined) return [];
  const [source] = mergedSources(install)
    .filter(({ location }) => covers(location, parsed.repository))
    .toSorted((left, right) => right.location.length - left.location.length);
  const mirrors = parsed.digest === undefined ? [] : (source?.mirrors ?? []);
  return [
    ...mirrors.map((mirror) =>
      placeOf(parsed, `${mirror}${parsed.repository.slice(source?.location.length)}`, true),
    ),
    ...(source?.isBlocked === true ? [] : [placeOf(parsed, parsed.repository, false)]),
  ];
}

/** The image's own repository, without mirrors. */
export function ownPlace(reference: ImageReference): PullPlace {
  return placeOf(reference, reference.repository, false);
}

function placeOf({ tag, digest }: ImageReference, repository: string, isMirror: boolean): PullPlace {
  const [registry = ''] = repository.split('/');
  return { registry, repository, reference: digest ?? tag ?? 'latest', digest, isMirror };
}

function covers(location: string, repository: string): boolean {
  if (location.startsWith('*.')) return repository.split('/')[0]?.endsWith(location.slice(1)) === true;
  return repository === location || repository.startsWith(`${location}/`);
}
