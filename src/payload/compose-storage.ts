import { bundleName } from '../config/reading/payload.js';
import type { PayloadManifest } from '../config/schema/payload-schema.js';
import { innerManifestText } from '../config/reading/payload-manifest.js';
import { success, type Result } from '../core/result.js';
import type { Staging } from '../disk/payload/staging.js';
import { sha256 } from '../formats/sha256.js';
import { withSignatures, type CollectedImage, type CollectedImages } from './collect-images.js';
import {
  blobPath,
  hexOf,
  layerLink,
  manifestLink,
  tagLinks,
  type Digest,
  type Link,
} from '../media/payload/registry-storage.js';

/** Name of the manifest in the file system. */
export const innerManifestName = 'payload.json';
/** Folder of the registry image. Source: openshift/machine-config-operator, load-registry-image.sh */
const registryFolder = 'images/registry';

/** Puts the contents of the file system together below the root of the staging folder. Problems: dir/not-writable. */
export function composeStorage(
  { images, registry, release }: CollectedImages,
  manifest: PayloadManifest,
  staging: Staging,
): Result<void> {
  const bundle = releaseBundle(release);
  for (const { hex, contents } of bundle.blobs) {
    const written = staging.write(hex, contents);
    if (!written.ok) return written;
  }
  const all = [...withSignatures(images).map(storedImage), bundle.image];
  const digests = new Set(all.flatMap(({ manifests, blobs }) => [...manifests, ...blobs]));
  for (const digest of digests) {
    const placed = staging.place(hexOf(digest), blobPath(digest));
    if (!placed.ok) return placed;
  }
  const links = new Map(all.flatMap(linksOf).map((link) => [link.path, link]));
  const ofRegistry = images.find(({ image }) => image === registry.image);
  if (ofRegistry === undefined) throw new Error('internal error: the registry image was not collected');
  const dir = dirForm(ofRegistry);
  const files = [
    ...links.values(),
    dir.version,
    { path: innerManifestName, contents: innerManifestText(manifest) },
  ];
  for (const { path, contents } of files) {
    const put = staging.put(path, contents);
    if (!put.ok) return put;
  }
  for (const { hex, path } of dir.blobs) {
    const placed = staging.place(hex, path);
    if (!placed.ok) return placed;
  }
  return success(undefined);
}

interface StoredImage {
  readonly repository: string;
  readonly tag: string | undefined;
  readonly digest: Digest;
  readonly manifests: readonly Digest[];
  readonly blobs: readonly Digest[];
}

function storedImage({ repository, tag, digest, manifests, blobs }: CollectedImage): StoredImage {
  return { repository, tag, digest, manifests, blobs: blobs.map((blob) => blob.digest) };
}

function linksOf({ repository, tag, digest, manifests, blobs }: StoredImage): readonly Link[] {
  return [
    ...manifests.map((each) => manifestLink(repository, each)),
    ...blobs.map((each) => layerLink(repository, each)),
    ...(tag === undefined ? [] : tagLinks(repository, tag, digest)),
  ];
}

/** An image as a `dir:` folder. Source: containers/image directory/directory_transport.go, directory/directory_dest.go */
function dirForm({ manifests, blobs }: CollectedImage): {
  readonly version: Link;
  readonly blobs: readonly { readonly hex: string; readonly path: string }[];
} {
  const [own = '', ...inner] = manifests.map(hexOf);
  return {
    version: { path: `${registryFolder}/version`, contents: 'Directory Transport Version: 1.1\n' },
    blobs: [
      { hex: own, path: `${registryFolder}/manifest.json` },
      ...inner.map((hex) => ({ hex, path: `${registryFolder}/${hex}.manifest.json` })),
      ...blobs.map(({ digest }) => ({ hex: hexOf(digest), path: `${registryFolder}/${hexOf(digest)}` })),
    ],
  };
}

const bundleRepository = 'openshift/release-bundles';

/** An image without contents whose tag names the release. Source: openshift/appliance pkg/releasebundle */
function releaseBundle(release: PayloadManifest['release']): {
  readonly image: StoredImage;
  readonly blobs: readonly { readonly hex: string; readonly contents: Buffer }[];
} {
  const config = Buffer.from(
    JSON.stringify({
      architecture: release.architecture,
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: [] },
    }),
  );
  const configDigest: Digest = `sha256:${sha256(config)}`;
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        digest: configDigest,
        size: config.length,
      },
      layers: [],
    }),
  );
  const digest: Digest = `sha256:${sha256(manifest)}`;
  return {
    image: {
      repository: bundleRepository,
      tag: bundleName(release),
      digest,
      manifests: [digest],
      blobs: [configDigest],
    },
    blobs: [
      { hex: hexOf(configDigest), contents: config },
      { hex: hexOf(digest), contents: manifest },
    ],
  };
}
