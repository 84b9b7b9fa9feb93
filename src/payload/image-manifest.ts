import { isRecord } from '../core/is-record.js';
import { parseJson } from '../formats/json.js';
import { listAt, textAt } from '../kube/fields.js';
import type { Digest } from '../media/payload/registry-storage.js';

/** A blob that a manifest names. */
export interface Descriptor {
  readonly digest: Digest;
  readonly bytes: number;
}

/** Manifest of one image. */
interface SingleManifest {
  readonly kind: 'image';
  readonly mediaType: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** Manifests for several architectures. */
interface ManifestList {
  readonly kind: 'list';
  readonly mediaType: string;
  /** The manifest of the architecture; undefined if there is none. */
  readonly of: (architecture: string) => Digest | undefined;
}

export type ImageManifest = SingleManifest | ManifestList;

const ociImage = 'application/vnd.oci.image.manifest.v1+json';
const ociIndex = 'application/vnd.oci.image.index.v1+json';

/**
 * Reads a manifest; undefined if it is none with SHA-256 digests, such as one of schema 1. Source: opencontainers/image-spec manifest.md,
 * image-index.md; distribution/distribution docs/spec/manifest-v2-2.md
 */
export function readImageManifest(bytes: Buffer): ImageManifest | undefined {
  const data = parseJson(bytes.toString('utf8'));
  if (!isRecord(data)) return undefined;
  const manifests = listAt(data, ['manifests']);
  if (manifests.length > 0)
    return {
      kind: 'list',
      mediaType: textAt(data, ['mediaType']) ?? ociIndex,
      of: (architecture) => {
        const one = manifests.find(
          (each) =>
            textAt(each, ['platform', 'architecture']) === architecture &&
            textAt(each, ['platform', 'os']) === 'linux',
        );
        return descriptor(one)?.digest;
      },
    };
  const config = descriptor(data['config']);
  const layers = listAt(data, ['layers']).map(descriptor);
  const sound = layers.flatMap((layer) => layer ?? []);
  if (config === undefined || sound.length < layers.length) return undefined;
  return { kind: 'image', mediaType: textAt(data, ['mediaType']) ?? ociImage, config, layers: sound };
}

function descriptor(data: unknown): Descriptor | undefined {
  if (!isRecord(data)) return undefined;
  const [digest, size] = [data['digest'], data['size']];
  const isSound = typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest);
  return isSound && typeof size === 'number' && Number.isSafeInteger(size) && size >= 0
    ? { digest, bytes: size }
    : undefined;
}
