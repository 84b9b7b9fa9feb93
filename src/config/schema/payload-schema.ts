import { z } from 'zod';

import { optional, required } from './schema-parts.js';

/** Schema of payload.yaml: images of a payload that neither the release nor a manifest names. */
export const payloadSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `sno-install/v1alpha1`.', {
      examples: ['sno-install/v1alpha1'],
    }),
    kind: required(z.string(), 'Always `PayloadConfig`.', { examples: ['PayloadConfig'] }),
    additionalImages: optional(
      z.array(
        z.strictObject({
          name: required(z.string(), 'Pull spec, by digest or by tag.', {
            examples: ['registry.redhat.io/redhat/redhat-operator-index:v4.22'],
          }),
        }),
      ),
      'Other images, in the form of oc-mirror: catalogs, the bundles and images of operators, images that are pulled later.',
      { examples: [[{ name: 'registry.redhat.io/redhat/redhat-operator-index:v4.22' }]] },
    ),
    registryImage: optional(
      z.string(),
      'Pull spec, by digest, of the registry that serves the payload on the node. Required for releases before 4.21, whose docker-registry image contains no `/usr/bin/distribution`. Omitted means the docker-registry image of the release.',
      {
        examples: [
          'quay.io/libpod/registry@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        ],
      },
    ),
  })
  .meta({ title: 'sno-install payload' });

/** payload.yaml as written by the user. */
export type PayloadInput = z.infer<typeof payloadSchema>;

const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const payloadImage = z.strictObject({
  name: optional(z.string(), 'Name in the release, such as `etcd`. Absent for other images.'),
  image: required(z.string(), 'Pull spec that the release, a manifest or payload.yaml contains.'),
  repository: required(z.string(), 'Repository in the registry of the payload.'),
  digest: required(z.string(), 'Digest of the manifest: `sha256:` and 64 hex digits.'),
  mediaType: required(z.string(), 'Media type of the manifest.'),
  bytes: required(bytes, 'Size of all blobs of the image.'),
  signature: optional(
    z.string(),
    'Digest of its sigstore signature, an image in the same repository whose tag names the digest of the signed manifest.',
  ),
});

/** Schema of the manifest of a payload, payload.json. */
export const payloadManifestSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `sno-install/v1alpha1`.'),
    kind: required(z.string(), 'Always `Payload`.'),
    release: required(
      z.strictObject({
        image: required(z.string(), 'Pull spec of the release image, by digest.'),
        version: required(z.string(), 'Version, such as `4.22.0`.'),
        architecture: required(
          z.enum(['amd64', 'arm64', 'ppc64le', 's390x']),
          'Architecture, as in install-config.yaml.',
        ),
      }),
      'The release.',
    ),
    registry: required(
      z.strictObject({
        image: required(z.string(), 'Pull spec, by digest.'),
        isOfRelease: required(
          z.boolean(),
          'Whether it is the docker-registry image of the release, whose registry is `/usr/bin/distribution`.',
        ),
        isManaged: required(
          z.boolean(),
          'Whether the machine-config operator of the release runs a registry on the installed node: all its feature sets enable the gate `NoRegistryClusterInstall`.',
        ),
      }),
      'Image that serves the payload on the node.',
    ),
    images: required(z.array(payloadImage), 'All images, ordered by pull spec.'),
    blobs: required(
      z.strictObject({
        count: required(z.int().min(0), 'Number.'),
        bytes: required(bytes, 'Size of all of them.'),
      }),
      'Manifests, configurations and layers.',
    ),
    createdBy: required(z.string(), 'Program and version.'),
    fileSystem: optional(
      z.strictObject({
        bytes: required(bytes, 'Size, a multiple of 4096.'),
        sha256: required(z.string(), 'SHA-256 in hex.'),
      }),
      'The read-only file system, the first part of the payload. Absent in the copy of the manifest that it contains.',
    ),
  })
  .meta({ title: 'sno-install payload manifest' });

/** The manifest of a payload. */
export type PayloadManifest = z.infer<typeof payloadManifestSchema>;
export type PayloadImage = PayloadManifest['images'][number];

/** The manifest beside a payload. */
export type WholePayloadManifest = PayloadManifest & {
  readonly fileSystem: NonNullable<PayloadManifest['fileSystem']>;
};
