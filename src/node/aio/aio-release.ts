import { aioDistributions } from '../../config/aio-distributions.js';
import type { ImageReferences } from '../../config/reading/image-references.js';
import type { Release } from '../../config/reading/release.js';
import { problem, type Problem } from '../../core/problem.js';
import { aioImages, type AioImage, type AioControlPlane } from '../../config/schema/aio-model.js';
import { parseImageReference } from '../../formats/image-reference.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';
import { defaultKubernetesVersion, kubernetesReleaseOf } from '../../release/kubernetes.js';
import { releases } from '../../release/releases.js';

/** Versions and images of the node's components. */
export interface AioRelease {
  readonly versions: ProgramVersions;
  readonly images: Readonly<Record<AioImage, string>>;
}

/** The versions in the config, else those of the release; undefined if neither is known. */
export function aioVersions(
  { distribution, kubernetesVersion, images }: AioControlPlane,
  release: Release,
): ProgramVersions | undefined {
  const given = kubernetesVersion ?? aioDistributions[distribution].kubernetesVersion;
  const minor = given === undefined ? minorOfRelease(release) : Number(given.split('.')[1]);
  // A schema rule already reports an invalid version.
  return minor === undefined || !Number.isInteger(minor)
    ? undefined
    : { kubernetesMinor: minor, etcd: etcdVersion(images.etcd ?? '', minor) };
}

/** Image names in a payload. Source: openshift/release, image-references of 4.14 to 4.21 */
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

interface ImageFacts {
  /** The contents of the user's imageReferences file. */
  readonly payload: ImageReferences | undefined;
  /** The user's Kubernetes version. */
  readonly version: string | undefined;
  readonly minor: number;
}

/** Default images of a distribution, if known. Images in the user's config override them. */
export const defaultImages: Readonly<
  Record<AioControlPlane['distribution'], (facts: ImageFacts) => SomeImages>
> = {
  OpenShift: ({ payload = {} }) => imagesOfPayload(payload),
  Kubernetes: ({ version = defaultKubernetesVersion, minor }) => upstreamImages(version, minor),
};

/** The images of a release payload by component; images that the payload does not contain are left out. */
function imagesOfPayload(payload: ImageReferences): SomeImages {
  return Object.fromEntries(
    aioImages.flatMap((name) => {
      const image = payload[payloadNames[name]];
      return image === undefined ? [] : [[name, image]];
    }),
  );
}

/** Images published by Kubernetes. Source: kubernetes/kubernetes cmd/kubeadm/app/images/images.go */
function upstreamImages(version: string, minor: number): SomeImages {
  const { etcd, coredns, pause } = kubernetesReleaseOf(minor);
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

/** Completes a set of images; an unknown image is the empty string. */
export function completeImages(images: SomeImages): AioRelease['images'] {
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

/** The version in the image tag. An image without a tag is assumed to have the version that kubeadm of this minor uses. */
function etcdVersion(image: string, minor: number): ProgramVersions['etcd'] {
  const usual = kubernetesReleaseOf(minor).etcd;
  const tag = parseImageReference(image)?.tag ?? usual;
  const [, major = 3, ofTag] = /^v?(\d+)\.(\d+)(?:\.|-|$)/.exec(tag) ?? /^(\d+)\.(\d+)/.exec(usual) ?? [];
  return `${Number(major)}.${Number(ofTag ?? 6)}`;
}

function minorOfRelease({ version }: Release): number | undefined {
  return version && releases.knownAs(version)?.kubernetesMinor;
}

type Place = Problem['at'];

/** Problem aio/missing-image for images without a reference. */
export function missingImages(names: readonly AioImage[], hasPayload: boolean, at: Place): Problem {
  const message = `distribution OpenShift needs ${hasPayload ? '' : 'imageReferences, or '}the images ${names.join(', ')}`;
  const hint =
    'write the output of `oc adm release info RELEASE --output=json` to a file and name it in imageReferences, or set controlPlane.images';
  return problem('aio/missing-image', message, { at, hint });
}
