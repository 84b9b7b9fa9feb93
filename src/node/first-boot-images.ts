import type { ImageReferences } from '../config/reading/image-references.js';
import { byCodeUnit } from '../core/compare.js';
import type { FetchedFile } from '../config/schema/aio-model.js';
import { parseImageReference } from '../formats/image-reference.js';
import { writeYaml } from '../formats/yaml/write-yaml.js';
import type { Templates } from '../graph/context.js';
import { catalog, templateOf } from './live/live-catalog.js';

/** An image that is pulled before the cluster runs. */
export interface FirstImage {
  /** `release`, or the image's name in the payload or in `controlPlane.images`. */
  readonly name: string;
  /** Pull spec; absent if only the payload contains it. */
  readonly image?: string;
  /** `sha256:…`; absent if the pull spec has no digest. */
  readonly digest?: string;
  /** The components that pull it: a description or the name of a script. */
  readonly usedBy: readonly string[];
}

/** Downloads of the first boot. */
export interface FirstBootDownloads {
  /** The payload that contains the images; undefined if all images are published separately. */
  readonly release?: string;
  readonly images: readonly FirstImage[];
  /** Files that Ignition downloads, with URL and hash. */
  readonly files: readonly FetchedFile[];
}

export function firstImage(name: string, image: string | undefined, usedBy: readonly string[]): FirstImage {
  const digest = parseImageReference(image ?? '')?.digest;
  return { name, ...(image !== undefined && { image }), ...(digest !== undefined && { digest }), usedBy };
}

/** Scripts of the live system that use an image of the payload, by image name. */
export type ScriptsByImage = ReadonlyMap<string, readonly string[]>;

/** Finds the images that the live system's scripts use: the words after `image_for` in the scripts. */
export function scriptsByImage(templates: Templates): ScriptsByImage {
  const scripts = new Map<string, readonly string[]>();
  for (const entry of catalog) {
    const path = entry.kind === 'file' ? templateOf(entry) : undefined;
    if (path?.endsWith('.sh') !== true) continue;
    const text = templates.text(`live/${path}`).replaceAll(/^\s*#.*$/gm, '');
    const script = path.slice(path.lastIndexOf('/') + 1);
    for (const [, name = ''] of text.matchAll(/\bimage_for ([a-z][a-z0-9-]*)/g))
      scripts.set(name, [...new Set([...(scripts.get(name) ?? []), script])]);
  }
  return scripts;
}

/** Selects the operating system image; the node uses one, chosen by node-image-pull.sh. */
interface SystemImageFacts {
  /** Such as `rhel-9`. */
  readonly stream: string;
  readonly isOkd: boolean;
  readonly references: ImageReferences | undefined;
}

const systemImages = ['stream-coreos', 'rhel-coreos-10', 'rhel-coreos'];

/** Whether the node pulls an image that its scripts name. Of the operating system images it pulls only one. */
export function isPulled(name: string, { stream, isOkd, references }: SystemImageFacts): boolean {
  if (!systemImages.includes(name)) return true;
  const isStreamCoreOs = references === undefined ? isOkd : Object.hasOwn(references, 'stream-coreos');
  if (isStreamCoreOs) return name === 'stream-coreos';
  return name === (stream === 'rhel-10' ? 'rhel-coreos-10' : 'rhel-coreos');
}

/**
 * The oc-mirror configuration for all these images: the payload, from which oc-mirror finds its images, and images that are not part of
 * a payload. Contains only known fields, because oc-mirror rejects others. Source: openshift/oc-mirror v2 at 2630f006,
 * internal/pkg/api/v2alpha1/type_config.go (fields), internal/pkg/config/load.go (strict decoding, `mirror` is required),
 * internal/pkg/release/cincinnati.go (handling of a release)
 */
export function imageSetConfiguration(
  { release, images }: FirstBootDownloads,
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
