import type { AioControlPlane, AioMachine } from './schema/aio-model.js';
import { defaultKubernetesVersion } from '../release/kubernetes.js';

/** What an all-in-one node has of the distribution that `controlPlane.distribution` chooses. */
export interface AioDistribution {
  /** What its machines boot where `aio.operatingSystem` says nothing. */
  readonly operatingSystem: AioMachine['operatingSystem'];
  /** The version where `controlPlane.kubernetesVersion` says none; undefined where it is the release's. */
  readonly kubernetesVersion?: string;
  /** Whether its machines boot images that are made for a release. */
  readonly hasImagesOfReleases: boolean;
  /** The labels that a kubelet may not give itself. Source: kubernetes.io, well-known labels; OpenShift's own is `master`. */
  readonly nodeRoles: readonly string[];
  /** Where the program of the pause image is, where it is not where upstream has it. */
  readonly pauseCommand?: string;
}

/** The one table that is asked; images stand in node/aio/aio-release.ts. */
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
