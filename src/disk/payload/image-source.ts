import { failure, success, type Result } from '../../core/result.js';
import { problem } from '../../core/problem.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { sha256 } from '../../formats/sha256.js';
import { signatureTag } from '../../release/image-policy.js';
import { hexOf } from '../../media/payload/registry-storage.js';
import { readBlob } from './read-blob.js';
import { findBlobs, type BlobPlaces } from './blob-places.js';
import type { Staging } from './staging.js';

/** A manifest, or why there is none. */
export type FoundManifest =
  | { readonly kind: 'found'; readonly digest: string; readonly bytes: Buffer }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** A blob to copy. */
export interface WantedBlob {
  /** Pull spec of the image that contains it. */
  readonly image: string;
  /** `sha256:<hex>` */
  readonly digest: string;
}

/** Where the images of a payload come from. */
export interface ImageSource {
  /** The manifest of an image, or with `digest` one of those that it lists. The bytes have their digest. */
  readonly manifest: (image: string, digest?: string) => Promise<FoundManifest>;
  /**
   * The signature of an image's manifest with this digest, from the place that has the image. Its blobs are those of the pull
   * spec `signatureSpec(image, digest)`.
   */
  readonly signature: (image: string, digest: string) => Promise<FoundManifest>;
  /** Puts a blob of an image into the staging folder. Problems: payload/pull, payload/missing-image, dir/not-writable. */
  readonly blob: (
    wanted: WantedBlob,
    staging: Staging,
    onBytes: (bytes: number) => void,
  ) => Promise<Result<void>>;
}

/** Pull spec of the signature of a manifest. */
export function signatureSpec(image: string, digest: string): string {
  return `${parseImageReference(image)?.repository ?? ''}:${signatureTag(digest)}`;
}

/** A manifest has some kilobytes. Source: opencontainers/distribution-spec, "Pushing Manifests" */
const maxManifestBytes = 4 * 1024 * 1024;

/** Images in folders and archives. Problems: payload/source. */
export function localSource(paths: readonly string[]): Result<ImageSource> {
  const places: BlobPlaces[] = [];
  for (const path of paths) {
    const found = findBlobs(path);
    if (!found.ok) return found;
    places.push(...found.value);
  }
  const find = (digest: string): ReturnType<BlobPlaces['find']> => {
    for (const each of places) {
      const place = each.find(digest);
      if (place !== undefined) return place;
    }
    return undefined;
  };
  const sources = paths.join(', ');
  return success({
    manifest: (image, digest) => Promise.resolve(manifestIn(image, { digest, find, places })),
    signature: (_image, of) => {
      const [digest] = places.flatMap(({ tagged }) => tagged(undefined, signatureTag(of)));
      return Promise.resolve(
        digest === undefined
          ? { kind: 'missing', reason: `no tag ${signatureTag(of)}` }
          : manifestIn('', { digest, find, places }),
      );
    },
    blob: async ({ image, digest }, staging, onBytes) => {
      const place = find(digest);
      if (place === undefined) return missing(`${image}: ${sources} has no blob ${digest}`);
      const copied = await staging.copy(hexOf(digest), place, onBytes);
      if (!copied.ok) return copied;
      return copied.value
        ? success(undefined)
        : missing(`${image}: ${place.file} does not have the hash of blob ${digest}`);
    },
  });
}

interface Lookup {
  readonly digest: string | undefined;
  readonly find: BlobPlaces['find'];
  readonly places: readonly BlobPlaces[];
}

function manifestIn(image: string, { digest, find, places }: Lookup): FoundManifest {
  const wanted = digest === undefined ? digestOf(image, places) : { digest };
  if ('reason' in wanted) return { kind: 'missing', reason: wanted.reason };
  const place = find(wanted.digest);
  if (place === undefined) return { kind: 'missing', reason: `no manifest ${wanted.digest}` };
  const bytes = place.bytes <= maxManifestBytes ? readBlob(place) : undefined;
  return bytes !== undefined && `sha256:${sha256(bytes)}` === wanted.digest
    ? { kind: 'found', digest: wanted.digest, bytes }
    : { kind: 'failed', reason: `${place.file} does not have the hash of the manifest ${wanted.digest}` };
}

function digestOf(
  image: string,
  places: readonly BlobPlaces[],
): { readonly digest: string } | { readonly reason: string } {
  const { registry = '', repository = '', tag = 'latest', digest } = parseImageReference(image) ?? {};
  if (digest !== undefined) return { digest };
  const path = repository.slice(registry.length + 1);
  // oc-mirror stores release images under another name. Source: openshift/oc-mirror v2 internal/pkg/release/local_stored_collector.go
  const found = [
    ...new Set([path, 'release-images'].flatMap((each) => places.flatMap(({ tagged }) => tagged(each, tag)))),
  ];
  const [only] = found;
  if (only === undefined) return { reason: `no image with the tag ${tag}` };
  return found.length === 1 ? { digest: only } : { reason: `several images with the tag ${tag}` };
}

function missing(message: string): Result<never> {
  const hint = 'mirror the image too, add another --from, or omit --from to copy from the registries';
  return failure(problem('payload/missing-image', message, { hint }));
}
