import { problem, type Problem } from '../../core/problem.js';
import { failure, resultOf } from '../../core/result.js';
import { parseImageReference } from '../../formats/image-reference.js';
import { defineAsset } from '../../graph/asset.js';
import { defaultKubernetesVersion, kubernetesLike } from '../../release/kubernetes.js';
import { releases } from '../../release/releases.js';
import { aioImages, type AioImage } from '../config/aio-model.js';
import { imageReferences, type ImageReferences } from '../config/image-references.js';
import type { AioControlPlane } from '../config/aio-model.js';
import { releaseReading, type Release } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import type { Versions } from '../control-plane/inputs.js';
import { imagesByTag } from './images-by-tag.js';

/** What runs on the node. */
export interface AioRelease {
  readonly versions: Versions;
  readonly images: Readonly<Record<AioImage, string>>;
}

/**
 * Versions and images of the control plane: the user's own, else those of the distribution.
 * Problems: aio/missing-image, aio/image-by-tag.
 */
export const aioRelease = defineAsset({
  name: 'aio/release',
  needs: { reading: snoReading, payload: imageReferences, release: releaseReading },
  tryMake: ({ reading, payload, release: { release } }) => {
    const { controlPlane } = reading.config;
    const versions = aioVersions(controlPlane, release);
    // Another check has said that the version is not known.
    if (versions === undefined) return failure();
    const usual =
      controlPlane.distribution === 'OpenShift'
        ? imagesOfPayload(payload ?? {})
        : upstreamImages(
            controlPlane.kubernetesVersion ?? defaultKubernetesVersion,
            versions.kubernetesMinor,
          );
    const images = { ...usual, ...controlPlane.images };
    const missing = aioImages.filter((name) => images[name] === undefined);
    const at = reading.placeOf(['controlPlane', 'distribution']);
    return resultOf<AioRelease>({ versions, images: allOf(images) }, [
      ...(missing.length === 0 ? [] : [missingImages(missing, payload !== undefined, at)]),
      ...(controlPlane.imagesByDigest
        ? imagesByTag(images, reading.placeOf(['controlPlane', 'imagesByDigest']))
        : []),
    ]);
  },
});

/** The versions that the config asks for, or undefined where neither it nor the release says them. */
export function aioVersions(
  { distribution, kubernetesVersion, images }: AioControlPlane,
  release: Release,
): Versions | undefined {
  const given = kubernetesVersion ?? (distribution === 'OpenShift' ? undefined : defaultKubernetesVersion);
  const minor = given === undefined ? minorOfRelease(release) : Number(given.split('.')[1]);
  // A version that cannot be read is refused by its rule.
  return minor === undefined || !Number.isInteger(minor)
    ? undefined
    : { kubernetesMinor: minor, etcd: etcdVersion(images.etcd ?? '', minor) };
}

/** Names in a payload. Source: openshift/release, image-references of 4.14 to 4.21 */
const payloadNames = {
  etcd: 'etcd',
  'kube-apiserver': 'hyperkube',
  'kube-controller-manager': 'hyperkube',
  'kube-scheduler': 'hyperkube',
  'kube-proxy': 'kube-proxy',
  coredns: 'coredns',
  pause: 'pod',
} as const satisfies Readonly<Record<AioImage, string>>;

type SomeImages = Readonly<Partial<Record<AioImage, string>>>;

function imagesOfPayload(payload: ImageReferences): SomeImages {
  return Object.fromEntries(
    aioImages.flatMap((name) => {
      const image = payload[payloadNames[name]];
      return image === undefined ? [] : [[name, image]];
    }),
  );
}

/** Where Kubernetes publishes. Source: kubernetes/kubernetes cmd/kubeadm/app/images/images.go */
function upstreamImages(version: string, minor: number): SomeImages {
  const { etcd, coredns, pause } = kubernetesLike(minor);
  const registry = 'registry.k8s.io';
  return {
    etcd: `${registry}/etcd:${etcd}`,
    'kube-apiserver': `${registry}/kube-apiserver:v${version}`,
    'kube-controller-manager': `${registry}/kube-controller-manager:v${version}`,
    'kube-scheduler': `${registry}/kube-scheduler:v${version}`,
    'kube-proxy': `${registry}/kube-proxy:v${version}`,
    coredns: `${registry}/coredns/coredns:${coredns}`,
    pause: `${registry}/pause:${pause}`,
  };
}

function allOf(images: SomeImages): AioRelease['images'] {
  return {
    etcd: images.etcd ?? '',
    'kube-apiserver': images['kube-apiserver'] ?? '',
    'kube-controller-manager': images['kube-controller-manager'] ?? '',
    'kube-scheduler': images['kube-scheduler'] ?? '',
    'kube-proxy': images['kube-proxy'] ?? '',
    coredns: images.coredns ?? '',
    pause: images.pause ?? '',
  };
}

/** As its tag says; an image by digest is taken to be that of its time. */
function etcdVersion(image: string, minor: number): Versions['etcd'] {
  const usual = kubernetesLike(minor).etcd;
  const tag = parseImageReference(image)?.tag ?? usual;
  const [, major = 3, ofTag] = /^v?(\d+)\.(\d+)(?:\.|-|$)/.exec(tag) ?? /^(\d+)\.(\d+)/.exec(usual) ?? [];
  return `${Number(major)}.${Number(ofTag ?? 6)}`;
}

function minorOfRelease({ version }: Release): number | undefined {
  return version && releases.knownAs(version)?.kubernetesMinor;
}

type Place = Problem['at'];

function missingImages(names: readonly AioImage[], hasPayload: boolean, at: Place): Problem {
  const message = `distribution OpenShift needs ${hasPayload ? '' : 'imageReferences, or '}the images ${names.join(', ')}`;
  const hint =
    'write `oc adm release info RELEASE --output=json` into a file and name it in imageReferences, or give controlPlane.images';
  return problem('aio/missing-image', message, { at, hint });
}
