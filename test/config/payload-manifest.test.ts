import { describe, expect, it } from 'vitest';

import {
  innerManifestText,
  manifestText,
  readPayloadManifest,
} from '../../src/config/reading/payload-manifest.js';
import type { PayloadManifest } from '../../src/config/schema/payload-schema.js';

const digests = ['1', '2'].map((digit) => `sha256:${digit.repeat(64)}`);
const [release = '', registry = ''] = digests;
const manifest: PayloadManifest = {
  apiVersion: 'sno-install/v1alpha1',
  kind: 'Payload',
  release: {
    image: `quay.io/openshift-release-dev/ocp-release@${release}`,
    version: '4.22.0',
    architecture: 'amd64',
  },
  registry: {
    image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev@${registry}`,
    isOfRelease: true,
    isManaged: true,
  },
  images: [
    {
      image: `quay.io/openshift-release-dev/ocp-release@${release}`,
      repository: 'openshift/release-images',
      digest: release,
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      bytes: 12,
    },
    {
      name: 'docker-registry',
      image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev@${registry}`,
      repository: 'openshift/release',
      digest: registry,
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      bytes: 34,
    },
  ],
  blobs: { count: 6, bytes: 46 },
  createdBy: 'sno-install 0.1.0',
  fileSystem: { bytes: 8192, sha256: 'a'.repeat(64) },
};

describe('the manifest of a payload', () => {
  it('is read as it was written', () => {
    expect(readPayloadManifest(manifestText(manifest), 'x.json')).toEqual({
      ok: true,
      value: manifest,
      warnings: [],
    });
  });

  it('has one text, whatever the order of its fields', () => {
    const reversed = Object.fromEntries(Object.entries(manifest).toReversed()) as PayloadManifest;
    expect(manifestText(reversed)).toBe(manifestText(manifest));
  });

  it('is the same inside of the file system, without the hash of it', () => {
    const inner = readPayloadManifest(innerManifestText(manifest), 'payload.json');
    expect(inner).toEqual({ ok: true, value: { ...manifest, fileSystem: undefined }, warnings: [] });
  });

  it.each([
    [
      'text',
      'no manifest',
      'is no manifest of a payload: the document must be a map of fields, not a string',
    ],
    ['an empty file', '', 'is no manifest of a payload'],
    ['a cut file', manifestText(manifest).slice(0, 200), 'is no manifest of a payload'],
    [
      'another kind',
      manifestText({ ...manifest, kind: 'Other' }),
      'is no manifest of a payload: apiVersion and kind are others',
    ],
    [
      'a release by tag',
      manifestText({ ...manifest, release: { ...manifest.release, image: 'quay.io/a/b:1' } }),
      'has a release without a digest',
    ],
    [
      'a registry by tag',
      manifestText({ ...manifest, registry: { ...manifest.registry, image: 'quay.io/a/b:1' } }),
      'has a registry without a digest',
    ],
    [
      'a repository that leads out of the storage',
      manifestText({
        ...manifest,
        images: manifest.images.map((image) => ({ ...image, repository: '../../x' })),
      }),
      `has an image with an invalid digest or repository: ${manifest.release.image}`,
    ],
    [
      'a missing release image',
      manifestText({ ...manifest, images: manifest.images.slice(1) }),
      `does not list ${manifest.release.image}`,
    ],
    [
      'an odd size',
      manifestText({ ...manifest, fileSystem: { bytes: 4097, sha256: 'a'.repeat(64) } }),
      'has an invalid file system',
    ],
  ])('with %s is refused', (_, text, fault) => {
    const read = readPayloadManifest(text, 'x.json');
    expect(read.ok ? [] : read.problems.map(({ code, message }) => ({ code, message }))).toEqual([
      { code: 'payload/manifest', message: `x.json ${fault}` },
    ]);
  });
});
