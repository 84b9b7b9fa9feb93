import type { AioControlPlane, AioMachine } from './schema/aio-model.js';
import { defaultKubernetesVersion } from '../release/kubernetes.js';

/** Properties of an all-in-one node that depend on `controlPlane.distribution`. */
export interface AioDistribution {
  /** Default of `aio.operatingSystem`. */
  readonly operatingSystem: AioMachine['operatingSystem'];
  /** Default of `controlPlane.kubernetesVersion`; undefined if the version is the release's. */
  readonly kubernetesVersion?: string;
  /** Whether machines boot images that are built for a release. */
  readonly hasImagesOfReleases: boolean;
  /** Role labels, which a kubelet may not set on its own node. Source: kubernetes.io, well-known labels; `master` is OpenShift's. */
  readonly nodeRoles: readonly string[];
  /** Path of the program in the pause image, if it differs from upstream's. */
  readonly pauseCommand?: string;
}

/** Images are in node/aio/aio-release.ts. */
export const aioDistributions: Readonly<Record<AioControlPlane['distribution'], AioDistribution>> = {
  Kubernetes: {
    operatingSystem: 'FedoraCoreOS',
    kubernetesVersion: defaultKubernetesVersion,
    hasImagesOfReleases: false,
    nodeRoles: ['control-plane', 'worker'],
  },
  OpenShift: {
    operatingSystem: 'RHCOS',
    hasImagesOfReleases: true,
    nodeRoles: ['control-plane', 'master', 'worker'],
    // Source: openshift/kubernetes build/pause/Dockerfile.Rhel
    pauseCommand: '/usr/bin/pod',
  },
};
