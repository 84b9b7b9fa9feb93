import type { ImageReferences } from '../config/reading/image-references.js';
import { byCodeUnit } from '../core/compare.js';
import type { FetchedFile } from '../config/schema/aio-model.js';
import { parseImageReference } from '../formats/image-reference.js';
import { writeYaml } from '../formats/yaml/write-yaml.js';
import type { Templates } from '../graph/context.js';
import { catalog, templateOf } from './live/live-catalog.js';

/** An image that is pulled before the cluster runs. */
export interface FirstImage {
  /** What it is called here: `release`, or its name in the payload or among `controlPlane.images`. */
  readonly name: string;
  /** Its pull spec; absent when only the payload says it. */
  readonly image?: string;
  /** `sha256:…`, where the pull spec says it. */
  readonly digest?: string;
  /** What of the node pulls it, in words or by the name of a script. */
  readonly usedBy: readonly string[];
}

/** What the first boot takes from the network. */
export interface FirstPulls {
  /** The payload whose parts are among the images; undefined where all are published one by one. */
  readonly release?: string;
  readonly images: readonly FirstImage[];
  /** What Ignition fetches by its URL and hash. */
  readonly files: readonly FetchedFile[];
}

/** An image with the digest that its pull spec says. */
export function firstImage(name: string, image: string | undefined, usedBy: readonly string[]): FirstImage {
  const digest = parseImageReference(image ?? '')?.digest;
  return { name, ...(image !== undefined && { image }), ...(digest !== undefined && { digest }), usedBy };
}

/** Scripts of the live system that ask the payload for an image, by the image's name there. */
export type AskingScripts = ReadonlyMap<string, readonly string[]>;

/** Which images the scripts of the live system ask for, read from the scripts: each names what it needs behind `image_for`. */
export function imagesOfScripts(templates: Templates): AskingScripts {
  const asked = new Map<string, readonly string[]>();
  for (const entry of catalog) {
    const path = entry.kind === 'file' ? templateOf(entry) : undefined;
    if (path?.endsWith('.sh') !== true) continue;
    const text = templates.text(`live/${path}`).replaceAll(/^\s*#.*$/gm, '');
    const script = path.slice(path.lastIndexOf('/') + 1);
    for (const [, name = ''] of text.matchAll(/\bimage_for ([a-z][a-z0-9-]*)/g))
      asked.set(name, [...new Set([...(asked.get(name) ?? []), script])]);
  }
  return asked;
}

/** Images of the operating system; a node takes one, as node-image-pull.sh chooses. */
interface SystemImageFacts {
  /** Such as `rhel-9`. */
  readonly stream: string;
  readonly isOkd: boolean;
  readonly references: ImageReferences | undefined;
}

const systemImages = ['stream-coreos', 'rhel-coreos-10', 'rhel-coreos'];

/** Whether a node pulls an image that its scripts name: of those of the operating system it takes one. */
export function isPulled(name: string, { stream, isOkd, references }: SystemImageFacts): boolean {
  if (!systemImages.includes(name)) return true;
  const isStreamCoreOs = references === undefined ? isOkd : Object.hasOwn(references, 'stream-coreos');
  if (isStreamCoreOs) return name === 'stream-coreos';
  return name === (stream === 'rhel-10' ? 'rhel-coreos-10' : 'rhel-coreos');
}

/**
 * What oc-mirror needs to have all of it in a mirror: the payload, which it takes apart by itself, and images that are no part
 * of one. Nothing but fields that it knows: it refuses a file with any other. Source: openshift/oc-mirror v2 at 2630f006,
 * internal/pkg/api/v2alpha1/type_config.go (fields), internal/pkg/config/load.go (strict decoding, `mirror` has to be there),
 * internal/pkg/release/cincinnati.go (what becomes of a release)
 */
export function imageSetConfiguration(
  { release, images }: FirstPulls,
  references: ImageReferences = {},
): string {
  const isInPayload = (image: string): boolean =>
    image === release || (release !== undefined && Object.values(references).includes(image));
  const others = images.flatMap(({ image }) => (image === undefined || isInPayload(image) ? [] : [image]));
  const additional = [...new Set(others)].toSorted(byCodeUnit);
  return writeYaml({
    apiVersion: 'mirror.openshift.io/v2alpha1',
    kind: 'ImageSetConfiguration',
    mirror: {
      ...(release !== undefined && { platform: { release } }),
      ...(additional.length > 0 && { additionalImages: additional.map((name) => ({ name })) }),
    },
  });
}
