import manifestFields from '#schemas/payload-manifest' with { type: 'json' };
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { applySchema, checkedAs } from '../../formats/apply-schema.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { PayloadImage, PayloadManifest } from '../schema/payload-schema.js';

/** The suffix of the manifest that lies beside a payload. */
export const manifestSuffix = '.json';

/** The exact bytes of the manifest beside a payload, and behind its file system. */
export function manifestText(manifest: PayloadManifest): string {
  const { apiVersion, kind, release, registry, images, blobs, createdBy, fileSystem } = manifest;
  const ordered = {
    ...{ apiVersion, kind },
    release: { image: release.image, version: release.version, architecture: release.architecture },
    registry: {
      image: registry.image,
      isOfRelease: registry.isOfRelease,
      isManaged: registry.isManaged,
    },
    images: images.map(orderedImage),
    blobs: { count: blobs.count, bytes: blobs.bytes },
    createdBy,
    ...(fileSystem && { fileSystem: { bytes: fileSystem.bytes, sha256: fileSystem.sha256 } }),
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

function orderedImage(one: PayloadImage): PayloadImage {
  const { name, image, repository, digest, mediaType, bytes, signature } = one;
  return {
    ...(name !== undefined && { name }),
    ...{ image, repository, digest, mediaType, bytes },
    ...(signature !== undefined && { signature }),
  };
}

/** The exact bytes of payload.json in the file system, which cannot contain the file system's own hash. */
export function innerManifestText(manifest: PayloadManifest): string {
  return manifestText({ ...manifest, fileSystem: undefined });
}

/** Reads the manifest of a payload. `file` names it in messages. Problems: payload/manifest. */
export function readPayloadManifest(text: string, file: string): Result<PayloadManifest> {
  const { documents, faults } = readYaml(text);
  const [root] = documents;
  if (faults.length > 0 || root === undefined || documents.length > 1)
    return refused(file, 'is no manifest of a payload');
  const { draft, misfits } = applySchema<PayloadManifest>({ schema: manifestFields }, root);
  const [misfit] = misfits;
  if (misfit !== undefined) return refused(file, `is no manifest of a payload: ${misfit.message}`);
  const manifest = checkedAs<PayloadManifest>(draft);
  const fault = faultIn(manifest);
  return fault === undefined ? success(manifest) : refused(file, fault);
}

function refused(file: string, fault: string): Result<never> {
  return failure(manifestProblem(file, fault));
}

export function manifestProblem(file: string, fault: string): Problem {
  const hint = 'use the file that `sno-install create payload` wrote beside the payload';
  return problem('payload/manifest', `${file} ${fault}`, { at: { file }, hint });
}

const digest = /^sha256:[0-9a-f]{64}$/;
/** Source of the grammar: github.com/distribution/reference reference.go */
const repository = /^[a-z0-9]+(?:(?:\.|_|__|-+|\/)[a-z0-9]+)*$/;

function faultIn({
  apiVersion,
  kind,
  release,
  registry,
  images,
  fileSystem,
}: PayloadManifest): string | undefined {
  if (apiVersion !== 'sno-install/v1alpha1' || kind !== 'Payload')
    return 'is no manifest of a payload: apiVersion and kind are others';
  if (parseImageReference(release.image)?.digest === undefined) return 'has a release without a digest';
  if (parseImageReference(registry.image)?.digest === undefined) return 'has a registry without a digest';
  const odd = images.find(
    (image) =>
      !digest.test(image.digest) ||
      !repository.test(image.repository) ||
      !digest.test(image.signature ?? image.digest),
  );
  if (odd !== undefined) return `has an image with an invalid digest or repository: ${odd.image}`;
  const spec = images.find(({ image }) => parseImageReference(image) === undefined);
  if (spec !== undefined) return 'has an image with an invalid pull spec';
  const unlisted = [release.image, registry.image].find(
    (image) => !images.some((each) => each.image === image),
  );
  if (unlisted !== undefined) return `does not list ${unlisted}`;
  const { bytes = 4096, sha256 = '' } = fileSystem ?? {};
  if (fileSystem !== undefined && (!/^[0-9a-f]{64}$/.test(sha256) || bytes % 4096 !== 0 || bytes === 0))
    return 'has an invalid file system';
  return undefined;
}
