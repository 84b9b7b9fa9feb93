import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { gzip } from '../../src/formats/gzip.js';
import { sha256 } from '../../src/formats/sha256.js';
import { tarOf, type TarFile } from '../../src/formats/tar/tar-archive.js';
import { blobPath, layerLink, manifestLink, tagLinks } from '../../src/media/payload/registry-storage.js';

const dockerManifest = 'application/vnd.docker.distribution.manifest.v2+json';
const dockerList = 'application/vnd.docker.distribution.manifest.list.v2+json';

/** An image in a registry. */
export interface MadeImage {
  readonly repository: string;
  /** Digest of its manifest or of its list. */
  readonly digest: string;
  readonly tag?: string;
  readonly manifests: readonly string[];
  readonly blobs: readonly string[];
}

interface Layer {
  readonly digest: string;
  readonly size: number;
  /** Digest of the layer before its compression. */
  readonly unpacked: string;
}

/** A release with small images, as its registries have them. */
export interface MadeRelease {
  /** `quay.io/…@sha256:…`, or with another registry. */
  readonly image: string;
  readonly images: readonly MadeImage[];
  readonly blobs: ReadonlyMap<string, Buffer>;
  readonly specs: Readonly<Record<string, string>>;
}

export interface ReleaseOptions {
  /** Default: quay.io */
  readonly registry?: string;
  readonly version?: string;
  /** Size of a layer. */
  readonly layerBytes?: number;
  readonly architecture?: string;
  /** Whether the images of the release have signatures. Default: true */
  readonly isSigned?: boolean;
  /** Feature sets that enable NoRegistryClusterInstall. Default: all */
  readonly gated?: readonly string[];
  /** Whether layers are gzip archives. Default: true */
  readonly isCompressed?: boolean;
}

const featureSets = ['Default', 'OKD', 'TechPreviewNoUpgrade', 'DevPreviewNoUpgrade'];

/** Builds the images. Layers are random, so each call gives other digests; the layer of two components is shared. */
export async function makeRelease({
  registry = 'quay.io',
  version = '4.22.0',
  layerBytes = 20_000,
  architecture = 'amd64',
  isSigned = true,
  gated = featureSets,
  isCompressed = true,
}: ReleaseOptions = {}): Promise<MadeRelease> {
  const blobs = new Map<string, Buffer>();
  const add = (bytes: Buffer): { digest: string; size: number } => {
    const digest = `sha256:${sha256(bytes)}`;
    blobs.set(digest, bytes);
    return { digest, size: bytes.length };
  };
  const layer = async (files: readonly TarFile[]): Promise<Layer> => {
    const archive = await tarOf(files);
    return { ...add(isCompressed ? gzip(archive) : archive), unpacked: `sha256:${sha256(archive)}` };
  };
  const random = (): Promise<Layer> =>
    layer([{ path: 'usr/bin/program', mode: 0o755, contents: randomBytes(layerBytes) }]);
  const shared = await random();
  const image = (repository: string, layers: readonly Layer[], of = architecture): MadeImage => {
    const rootfs = { type: 'layers', diff_ids: layers.map(({ unpacked }) => unpacked) };
    const config = add(Buffer.from(JSON.stringify({ architecture: of, os: 'linux', rootfs })));
    const manifest = {
      schemaVersion: 2,
      mediaType: dockerManifest,
      config: { mediaType: 'application/vnd.docker.container.image.v1+json', ...config },
      layers: layers.map((each) => ({
        mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
        digest: each.digest,
        size: each.size,
      })),
    };
    const { digest } = add(Buffer.from(JSON.stringify(manifest)));
    const parts = [config, ...layers].map((each) => each.digest);
    return { repository, digest, manifests: [digest], blobs: parts };
  };
  const components = 'openshift-release-dev/ocp-v4.0-art-dev';
  const made: Record<string, MadeImage> = {};
  for (const name of ['cli', 'docker-registry', 'etcd', 'hyperkube'])
    made[name] = image(components, [shared, await random()]);
  const spec = ({ repository, digest }: MadeImage): string => `${registry}/${repository}@${digest}`;
  const references = {
    kind: 'ImageStream',
    apiVersion: 'image.openshift.io/v1',
    metadata: { name: version },
    spec: {
      tags: Object.entries(made).map(([name, one]) => ({
        name,
        from: { kind: 'DockerImage', name: spec(one) },
      })),
    },
  };
  const manifestLayer = await layer([
    {
      path: 'release-manifests/image-references',
      mode: 0o644,
      contents: Buffer.from(JSON.stringify(references)),
    },
    ...featureSets.map((featureSet) => ({
      path: `release-manifests/0000_50_cluster-config-api_featureGate-4-10-SelfManagedHA-${featureSet}.yaml`,
      mode: 0o644,
      contents: Buffer.from(featureGate(gated.includes(featureSet))),
    })),
  ]);
  const release = {
    ...image('openshift-release-dev/ocp-release', [shared, manifestLayer]),
    tag: `${version}-x86_64`,
  };
  const operator = listOf(
    'operators/catalog',
    [
      { architecture: 'arm64', image: image('operators/catalog', [await random()], 'arm64') },
      { architecture: 'amd64', image: image('operators/catalog', [await random()]) },
    ],
    add,
  );
  const signed = isSigned ? [...Object.values(made), release].map((one) => signatureOf(one, add)) : [];
  const images = [...Object.values(made), release, operator, ...signed];
  const specs = Object.fromEntries(Object.entries(made).map(([name, one]) => [name, spec(one)]));
  return {
    image: spec(release),
    images,
    blobs,
    specs: { ...specs, catalog: `${registry}/operators/catalog:v1` },
  };
}

/** Source: openshift/api payload-manifests/featuregates */
function featureGate(hasRegistry: boolean): string {
  const gate = { name: 'NoRegistryClusterInstall' };
  const others = {
    enabled: [{ name: 'RouteExternalCertificate' }],
    disabled: [{ name: 'ShortCertRotation' }],
  };
  const version = hasRegistry
    ? { ...others, enabled: [...others.enabled, gate] }
    : { ...others, disabled: [...others.disabled, gate] };
  return JSON.stringify({ kind: 'FeatureGate', status: { featureGates: [{ ...version, version: '' }] } });
}

/** An image with the form of a signature. Source: sigstore/cosign specs/SIGNATURE_SPEC.md */
function signatureOf(
  { repository, digest: signed }: Pick<MadeImage, 'repository' | 'digest'>,
  add: (bytes: Buffer) => { readonly digest: string; readonly size: number },
): MadeImage {
  const claim = {
    critical: { image: { 'docker-manifest-digest': signed }, type: 'cosign container image signature' },
  };
  const layer = {
    mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
    ...add(Buffer.from(JSON.stringify(claim))),
    annotations: { 'dev.cosignproject.cosign/signature': 'c2lnbmVk' },
  };
  const config = add(
    Buffer.from(
      JSON.stringify({ architecture: '', os: '', rootfs: { type: 'layers', diff_ids: [layer.digest] } }),
    ),
  );
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: [layer],
  };
  const { digest } = add(Buffer.from(JSON.stringify(manifest)));
  const tag = `${signed.replace(':', '-')}.sig`;
  return { repository, digest, tag, manifests: [digest], blobs: [config.digest, layer.digest] };
}

function listOf(
  repository: string,
  of: readonly { readonly architecture: string; readonly image: MadeImage }[],
  add: (bytes: Buffer) => { readonly digest: string; readonly size: number },
): MadeImage {
  const list = {
    schemaVersion: 2,
    mediaType: dockerList,
    manifests: of.map(({ architecture, image: { digest } }) => ({
      mediaType: dockerManifest,
      digest,
      size: 1,
      platform: { architecture, os: 'linux' },
    })),
  };
  const { digest } = add(Buffer.from(JSON.stringify(list)));
  return {
    repository,
    tag: 'v1',
    digest,
    manifests: [digest, ...of.map(({ image }) => image.digest)],
    blobs: of.flatMap(({ image }) => image.blobs),
  };
}

/** The catalog by digest, for sources without tags. */
export function withCatalogByDigest(release: MadeRelease): MadeRelease {
  const catalog = release.images.find(({ repository }) => repository === 'operators/catalog');
  return {
    ...release,
    specs: { ...release.specs, catalog: `quay.io/operators/catalog@${catalog?.digest ?? ''}` },
  };
}

/** Writes the images as the storage of a registry, such as the cache of oc-mirror. */
export function writeStorage(folder: string, { images, blobs }: MadeRelease): void {
  for (const [digest, bytes] of blobs) write(join(folder, blobPath(digest)), bytes);
  for (const { repository, tag, digest, manifests, blobs: parts } of images)
    for (const { path, contents } of [
      ...manifests.map((each) => manifestLink(repository, each)),
      ...parts.map((each) => layerLink(repository, each)),
      ...(tag === undefined ? [] : tagLinks(repository, tag, digest)),
    ])
      write(join(folder, path), contents);
}

/** Writes the images as an OCI layout. */
export function writeLayout(folder: string, { images, blobs }: MadeRelease): void {
  write(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const manifests = images.map(({ digest, tag }) => ({
    digest,
    ...(tag !== undefined && { annotations: { 'org.opencontainers.image.ref.name': tag } }),
  }));
  write(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  for (const [digest, bytes] of blobs) write(join(folder, 'blobs/sha256', digest.slice(7)), bytes);
}

/** Writes each image as a `dir:` folder below the folder. Signatures have their tag as name. */
export function writeDirs(folder: string, { images, blobs }: Pick<MadeRelease, 'images' | 'blobs'>): void {
  const bytesOf = (digest: string): Buffer => blobs.get(digest) ?? Buffer.alloc(0);
  images.forEach(({ tag, manifests: [own = '', ...inner], blobs: parts }, index) => {
    const dir = join(folder, tag?.endsWith('.sig') === true ? tag : `image-${index}`);
    write(join(dir, 'version'), 'Directory Transport Version: 1.1\n');
    write(join(dir, 'manifest.json'), bytesOf(own));
    for (const digest of inner) write(join(dir, `${digest.slice(7)}.manifest.json`), bytesOf(digest));
    for (const digest of parts) write(join(dir, digest.slice(7)), bytesOf(digest));
  });
}

/** Writes a signature of a manifest below the folder, as a `dir:` folder. */
export function writeSignature(folder: string, signed: string): void {
  const blobs = new Map<string, Buffer>();
  const add = (bytes: Buffer): { digest: string; size: number } => {
    const digest = `sha256:${sha256(bytes)}`;
    blobs.set(digest, bytes);
    return { digest, size: bytes.length };
  };
  writeDirs(folder, { images: [signatureOf({ repository: '', digest: signed }, add)], blobs });
}

function write(path: string, contents: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
