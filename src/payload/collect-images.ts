import { unsignedText } from '../config/reading/payload.js';
import { imagesIn } from '../config/reading/image-references.js';
import type { PayloadImage, PayloadManifest } from '../config/schema/payload-schema.js';
import { byCodeUnit } from '../core/compare.js';
import { inParallel } from '../core/in-parallel.js';
import { problem, type Problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { signatureSpec, type FoundManifest, type ImageSource } from '../disk/payload/image-source.js';
import type { Staging } from '../disk/payload/staging.js';
import { parseImageReference } from '../formats/image-reference.js';
import { parseJson } from '../formats/json.js';
import { readTarGz } from '../formats/tar.js';
import { listAt, textAt } from '../kube/fields.js';
import { versionIn } from '../release/release-version.js';
import { releases } from '../release/releases.js';
import { isFromSignedRepository, needsSignature, signatureTag } from '../release/image-policy.js';
import { readImageManifest, type Descriptor, type ImageManifest } from './image-manifest.js';
import { hexOf, type Digest } from '../media/payload/registry-storage.js';

type Architecture = PayloadManifest['release']['architecture'];

/** Contents of a payload to create. Pull specs by digest or by tag. */
export interface PayloadRequest {
  readonly release: string;
  /** Version of the release as `<major>.<minor>`; undefined if the configuration does not name it. */
  readonly version: string | undefined;
  readonly architecture: Architecture;
  /** Of install-config.yaml. */
  readonly featureSet: string;
  /** Images of manifests and of payload.yaml. */
  readonly additional: readonly string[];
  /** Absent: the docker-registry image of the release. */
  readonly registryImage?: string | undefined;
}

/** An image of a payload with the digests of its parts. */
export interface CollectedImage extends Omit<PayloadImage, 'signature'> {
  /** Pull spec by which its source knows it. */
  readonly pulledAs: string;
  /** Tag in its repository, if the pull spec has no digest. */
  readonly tag?: string;
  /** Its manifest, and for several architectures also that of this one, which is the last. */
  readonly manifests: readonly Digest[];
  /** Configuration and layers. */
  readonly blobs: readonly Descriptor[];
  readonly config: Digest;
  /** Its sigstore signature. */
  readonly signature?: CollectedImage;
}

/** All images of a payload. Their manifests are in the staging folder, their blobs need not be. */
export interface CollectedImages {
  readonly release: PayloadManifest['release'];
  readonly registry: PayloadManifest['registry'];
  /** Ordered by pull spec. */
  readonly images: readonly CollectedImage[];
}

/** Images and their signatures. */
export function withSignatures(images: readonly CollectedImage[]): readonly CollectedImage[] {
  return [...images, ...images.flatMap(({ signature }) => signature ?? [])];
}

/** Effects of the collection. */
export interface Collecting {
  readonly source: ImageSource;
  readonly staging: Staging;
  /** Number of images whose manifests were read. */
  readonly onImage: (done: number, total: number) => void;
  readonly stop: AbortSignal;
}

/** Repositories in the registry of the node. Source: openshift/machine-config-operator pkg/daemon/internalreleaseimage/iriregistry.go */
export const releaseRepository = 'openshift/release-images';
const componentRepository = 'openshift/release';

/** Registries answer small requests slowly; more of them at once may be refused. */
const maxRequests = 8;

/** Finds all images. Problems: payload/release, payload/no-registry-image, payload/missing-image, payload/pull, dir/not-writable. */
export async function collectImages(
  request: PayloadRequest,
  collecting: Collecting,
): Promise<Result<CollectedImages>> {
  const { architecture } = request;
  const releaseImage = { image: request.release, repository: releaseRepository };
  const found = await collectImage(releaseImage, { architecture, collecting });
  if (!found.ok) return failure(...problemsOfFaults([found.fault], 1, request));
  const content = await readRelease(found.image, request, collecting);
  if (!content.ok) return content;
  const { version, references } = content.value;
  const registry = registryOf(request, content.value);
  if (!registry.ok) return registry;
  const wantedImages = wantedImagesOf(request, references, registry.value.image);
  let done = 1;
  const collected = await inParallel(wantedImages, maxRequests, async (wanted) => {
    const one = await collectImage(wanted, { architecture, collecting });
    done += 1;
    collecting.onImage(done, wantedImages.length + 1);
    return one;
  });
  const faults = collected.flatMap((one) => (one.ok ? [] : [one.fault]));
  if (faults.length > 0) return failure(...problemsOfFaults(faults, wantedImages.length + 1, request));
  const images = [found.image, ...collected.flatMap((one) => (one.ok ? [one.image] : []))];
  const unsigned = unsignedImages(images, { ...request, version });
  if (unsigned !== undefined) return failure(unsigned);
  const { digest } = found.image;
  const release = `${parseImageReference(request.release)?.repository ?? ''}@${digest}`;
  return success({
    release: { image: release, version, architecture },
    registry: registry.value,
    images: images
      .map((each) => (each === found.image ? { ...each, image: release, tag: hexOf(digest) } : each))
      .toSorted((left, right) => byCodeUnit(left.image, right.image)),
  });
}

interface WantedImage {
  readonly name?: string;
  readonly image: string;
  readonly repository: string;
}

/** Each pull spec once: an image of the release by its first name. */
function wantedImagesOf(
  { release, additional }: PayloadRequest,
  references: Readonly<Record<string, string>>,
  registryImage: string,
): readonly WantedImage[] {
  const wantedImages = new Map<string, WantedImage>();
  for (const [name, image] of Object.entries(references).toSorted(([left], [right]) =>
    byCodeUnit(left, right),
  ))
    if (!wantedImages.has(image)) wantedImages.set(image, { name, image, repository: componentRepository });
  for (const image of [...additional, registryImage]) {
    const { registry = '', repository = '' } = parseImageReference(image) ?? {};
    const path = repository.slice(registry.length + 1);
    if (!wantedImages.has(image)) wantedImages.set(image, { image, repository: path });
  }
  wantedImages.delete(release);
  return [...wantedImages.values()];
}

interface ImageFault {
  readonly wanted: WantedImage;
  readonly kind: 'missing' | 'failed';
  readonly reason: string;
  readonly problems?: readonly Problem[];
}

type Collected =
  { readonly ok: true; readonly image: CollectedImage } | { readonly ok: false; readonly fault: ImageFault };

interface ImageContext {
  readonly architecture: Architecture;
  readonly collecting: Collecting;
}

/** Reads the manifests of an image into the staging folder. */
async function collectImage(
  wanted: WantedImage,
  { architecture, collecting }: ImageContext,
): Promise<Collected> {
  const { source, staging, stop } = collecting;
  const fault = (kind: ImageFault['kind'], reason: string, problems?: readonly Problem[]): Collected => ({
    ok: false,
    fault: { wanted, kind, reason, ...(problems && { problems }) },
  });
  const digests: Digest[] = [];
  let [bytes, mediaType] = [0, ''];
  let manifest: ImageManifest | undefined;
  for (let digest: Digest | undefined; manifest?.kind !== 'image';) {
    if (stop.aborted) return fault('failed', 'interrupted');
    const found: FoundManifest = await source.manifest(wanted.image, digest);
    if (found.kind !== 'found') return fault(found.kind, found.reason);
    const isInner: boolean = manifest !== undefined;
    manifest = readImageManifest(found.bytes);
    if (manifest === undefined || (manifest.kind === 'list' && isInner))
      return fault('failed', 'its manifest has an unknown format');
    const written = staging.write(hexOf(found.digest), found.bytes);
    if (!written.ok) return fault('failed', '', written.problems);
    digests.push(found.digest);
    bytes += found.bytes.length;
    if (!isInner) ({ mediaType } = manifest);
    if (manifest.kind === 'list') {
      digest = manifest.of(architecture);
      if (digest === undefined) return fault('missing', `it has no image for ${architecture}`);
    }
  }
  const blobs = blobsOf(manifest);
  const { tag, digest: own } = parseImageReference(wanted.image) ?? {};
  const [digest = ''] = digests;
  const signature = await collectSignature(wanted, digests.at(-1) ?? '', collecting);
  if (signature !== undefined && !signature.ok) return signature;
  return {
    ok: true,
    image: {
      ...wanted,
      ...(signature && { signature: signature.image }),
      pulledAs: wanted.image,
      digest,
      mediaType,
      bytes: blobs.reduce((total, blob) => total + blob.bytes, bytes),
      ...(own === undefined && { tag: tag ?? 'latest' }),
      manifests: digests,
      blobs,
      config: manifest.config.digest,
    },
  };
}

/** Configuration and layers, each blob once. */
function blobsOf({ config, layers }: Extract<ImageManifest, { kind: 'image' }>): readonly Descriptor[] {
  return [...new Map([config, ...layers].map((blob) => [blob.digest, blob])).values()];
}

/** The signature of a manifest, from the repositories that a release verifies; undefined if there is none. */
async function collectSignature(
  { image, repository }: WantedImage,
  digest: Digest,
  { source, staging }: Collecting,
): Promise<Collected | undefined> {
  if (!isFromSignedRepository(image)) return undefined;
  const wanted = { image: signatureSpec(image, digest), repository };
  const found = await source.signature(image, digest);
  if (found.kind === 'missing') return undefined;
  if (found.kind === 'failed') return { ok: false, fault: { ...found, wanted } };
  const manifest = readImageManifest(found.bytes);
  if (manifest?.kind !== 'image')
    return { ok: false, fault: { wanted, kind: 'failed', reason: 'its manifest has an unknown format' } };
  const written = staging.write(hexOf(found.digest), found.bytes);
  if (!written.ok)
    return { ok: false, fault: { wanted, kind: 'failed', reason: '', problems: written.problems } };
  const blobs = blobsOf(manifest);
  return {
    ok: true,
    image: {
      ...wanted,
      pulledAs: wanted.image,
      digest: found.digest,
      mediaType: manifest.mediaType,
      bytes: found.bytes.length + blobs.reduce((total, blob) => total + blob.bytes, 0),
      tag: signatureTag(digest),
      manifests: [found.digest],
      blobs,
      config: manifest.config.digest,
    },
  };
}

/** Images without a signature that the release requires, as one problem. */
function unsignedImages(
  images: readonly CollectedImage[],
  release: { readonly version: string; readonly featureSet: string },
): Problem | undefined {
  const needed = images.filter(({ image }) => needsSignature(image, release));
  const unsigned = needed.filter(({ signature }) => signature === undefined);
  const [first] = unsigned;
  if (first === undefined) return undefined;
  return problem(
    'payload/missing-signature',
    unsignedText(
      unsigned.map(({ name, image }) => name ?? image),
      needed.length,
      release.version,
    ),
    {
      hint: `mirror the signatures too: oc-mirror copies them from 4.21 on; by hand, the tag ${signatureTag(first.manifests.at(-1) ?? '')} of the repository of the image`,
    },
  );
}

/** Missing images are one problem that names all; others one each. */
function problemsOfFaults(
  faults: readonly ImageFault[],
  total: number,
  { release }: PayloadRequest,
): readonly Problem[] {
  const missing = faults.filter(({ kind }) => kind === 'missing');
  const [first] = missing;
  const names = missing.map(
    ({ wanted }) => wanted.name ?? (wanted.image === release ? `the release ${wanted.image}` : wanted.image),
  );
  const hint = 'mirror the missing images too, or correct their pull specs';
  return [
    ...(first === undefined
      ? []
      : [
          problem(
            'payload/missing-image',
            `${missing.length} of ${total} images are missing: ${names.join(', ')} (the first: ${first.reason})`,
            { hint },
          ),
        ]),
    ...faults
      .filter(({ kind }) => kind === 'failed')
      .flatMap(({ wanted, reason, problems }) => problems ?? [pullProblem(wanted.image, reason)]),
  ];
}

function pullProblem(image: string, reason: string): Problem {
  const hint = 'run the command again: it continues the copy';
  return problem('payload/pull', `cannot copy ${image}: ${reason}`, { hint });
}

interface ReleaseContent {
  readonly version: string;
  readonly references: Readonly<Record<string, string>>;
  readonly isRegistryManaged: boolean;
}

/** Source: openshift/oc pkg/cli/admin/release/new.go */
const referencesPath = /^(?:\.?\/)?release-manifests\/image-references$/;
/** Feature gates of a single node, one file per feature set. Source: openshift/api payload-manifests/featuregates */
const featureGatesPath = /^(?:\.?\/)?release-manifests\/[^/]*featureGate-[^/]*SelfManagedHA-[^/]+\.yaml$/;
const limits = {
  totalBytes: 4 * 1024 ** 3,
  entries: 200_000,
  keptBytes: 64 * 1024 ** 2,
  keptBytesOf: (path: string): number =>
    referencesPath.test(path) ? 16 * 1024 ** 2 : featureGatesPath.test(path) ? 1024 ** 2 : 0,
};

/** Reads version, images and feature gates of a release from its layers; the manifests are in the last one. */
async function readRelease(
  image: CollectedImage,
  request: PayloadRequest,
  { source, staging }: Collecting,
): Promise<Result<ReleaseContent>> {
  const copy = async (digest: Digest): Promise<Result<void>> =>
    staging.holds(hexOf(digest))
      ? success(undefined)
      : source.blob({ image: image.pulledAs, digest }, staging, () => undefined);
  const configured = await copy(image.config);
  if (!configured.ok) return configured;
  const other = otherArchitecture(image, request.architecture, staging);
  if (other !== undefined)
    return refused(`${request.release} is for ${other}, but the configuration says ${request.architecture}`);
  const layers = image.blobs.filter(({ digest }) => digest !== image.config);
  for (const { digest } of layers.toReversed()) {
    const hex = hexOf(digest);
    const copied = await copy(digest);
    if (!copied.ok) return copied;
    const { files, end } = await readTarGz(staging.read(hex), limits);
    const text = files.find(({ path }) => referencesPath.test(path))?.text;
    if (text !== undefined) {
      const gates = files.flatMap(({ path, text: gate }) =>
        featureGatesPath.test(path) ? [gate ?? ''] : [],
      );
      return contentOf(text, {
        request,
        isRegistryManaged: gates.length > 0 && gates.every(managesRegistry),
      });
    }
    if (end === 'damaged') return refused(`layer ${digest} of ${image.image} is no gzip archive`);
  }
  return refused(`${image.image} is no release: it has no release-manifests/image-references`);
}

/** The architecture of an image whose configuration is staged, if it is another one. */
export function otherArchitecture(
  { config }: CollectedImage,
  wanted: Architecture,
  staging: Staging,
): string | undefined {
  const bytes = staging.small(hexOf(config));
  const own = bytes && textAt(parseJson(bytes.toString('utf8')), ['architecture']);
  return own === undefined || own === '' || own === wanted ? undefined : own;
}

/** Whether a feature set enables the registry on the node. Source: openshift/api config/v1 types_feature.go, FeatureGateStatus */
function managesRegistry(featureSet: string): boolean {
  const sets = listAt(parseJson(featureSet), ['status', 'featureGates']);
  return (
    sets.length > 0 &&
    sets.every((gates) =>
      listAt(gates, ['enabled']).some((gate) => textAt(gate, ['name']) === 'NoRegistryClusterInstall'),
    )
  );
}

function contentOf(
  text: string,
  {
    request: { release, version: wanted },
    isRegistryManaged,
  }: { readonly request: PayloadRequest; readonly isRegistryManaged: boolean },
): Result<ReleaseContent> {
  const data = parseJson(text);
  const [version, references] = [textAt(data, ['metadata', 'name']), imagesIn(data)];
  if (version === undefined || references === undefined)
    return refused(`${release} is no release: its image-references name no images`);
  const odd = Object.entries(references).find(
    ([, image]) => parseImageReference(image)?.digest === undefined,
  );
  if (odd !== undefined) return refused(`${release} names ${odd[0]} without a digest: ${odd[1]}`);
  const minor = versionIn(version)?.text;
  if (wanted !== undefined && minor !== wanted)
    return refused(`${release} is ${version}, but the configuration says ${wanted}`);
  return success({ version, references, isRegistryManaged });
}

function refused(message: string): Result<never> {
  const hint = 'correct releaseImage of sno-config.yaml';
  return failure(problem('payload/release', message, { hint }));
}

function registryOf(
  { registryImage }: PayloadRequest,
  { version, references, isRegistryManaged: isManaged }: ReleaseContent,
): Result<PayloadManifest['registry']> {
  if (registryImage !== undefined) return success({ image: registryImage, isOfRelease: false, isManaged });
  const own = references['docker-registry'];
  const release = versionIn(version);
  const isNew = release !== undefined && releases.like(release).hasDistributionInRegistry;
  if (own !== undefined && isNew) return success({ image: own, isOfRelease: true, isManaged });
  const message = `release ${version} contains no image that can serve the payload on the node`;
  const hint = 'set registryImage in payload.yaml to a registry image by digest';
  return failure(problem('payload/no-registry-image', message, { hint }));
}
