import { apiHost, internalApiHost } from '../../config/cluster-domain.js';
import { computeReplicas } from '../../config/compute-replicas.js';
import type { ExternalPlatform, InstallConfig } from '../../config/schema/install-config-schema.js';
import type { Infrastructure, PlatformSpec, PlatformStatus } from '../../kube/openshift-objects.js';
import { controlPlaneTopology, infrastructureTopology } from '../../manifests/topology.js';
import { installConfig } from '../config/install-config.js';
import { clusterId } from '../identity/cluster-id.js';
import { defineManifests } from './family.js';

/** Platform, API names and topology of the cluster. */
export const infrastructure = defineManifests({
  name: 'manifests/infrastructure',
  needs: { install: installConfig, id: clusterId },
  make: ({ install, id }) => [
    {
      path: 'manifests/cluster-infrastructure-02-config.yml',
      object: infrastructureObject(install, id.infraId),
    },
  ],
  alsoElsewhere: () => [
    ...['apiServerInternalURI', 'apiServerURL', 'infrastructureName'].map((field) => ({
      path: ['status', field],
      input: 'metadata.name and baseDomain in install-config.yaml',
    })),
    ...['controlPlaneTopology', 'platform', 'platformStatus'].map((field) => ({
      path: ['status', field],
      input: 'controlPlane and platform in install-config.yaml',
    })),
    { path: ['spec', 'platformSpec'], input: 'platform in install-config.yaml' },
  ],
});

function infrastructureObject(install: InstallConfig, infraId: string): Infrastructure {
  // A single node has no arbiters, which require at least two control-plane nodes.
  const controlPlane = controlPlaneTopology(install.controlPlane.replicas, 0);
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: { platformSpec: platformSpec(install.platform.external) },
    status: {
      apiServerInternalURI: `https://${internalApiHost(install)}:6443`,
      apiServerURL: `https://${apiHost(install)}:6443`,
      controlPlaneTopology: controlPlane,
      cpuPartitioning: install.cpuPartitioningMode,
      infrastructureName: infraId,
      infrastructureTopology: infrastructureTopology(controlPlane, computeReplicas(install)),
      platform: platformSpec(install.platform.external).type,
      platformStatus: platformStatus(install.platform.external),
    },
  };
}

/** Source of both: openshift/installer pkg/asset/manifests/external */
function platformSpec(external: ExternalPlatform | undefined): PlatformSpec {
  if (external === undefined) return { type: 'None' };
  return { type: 'External', external: { platformName: external.platformName } };
}

function platformStatus(external: ExternalPlatform | undefined): PlatformStatus {
  if (external === undefined) return { type: 'None' };
  const state = external.cloudControllerManager === 'External' ? 'External' : 'None';
  return { type: 'External', external: { cloudControllerManager: { state } } };
}
