import { isDeepStrictEqual } from 'node:util';

import type { Networking } from '../../config/schema/install-config-schema.js';
import { parseCidr } from '../../formats/cidr.js';
import type { Network, OperatorNetwork } from '../../kube/openshift-objects.js';
import { networksOf, type ClusterNetworks } from '../../manifests/cluster-networks.js';
import { isCidr, isListOf, requirementProblems } from '../../manifests/edits/edited-values.js';
import { isClusterNetwork } from '../../manifests/edits/field-requirements.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** Pod and service networks. */
export const network = defineManifests({
  name: 'manifests/network',
  needs: { install: installConfig },
  make: ({ install }) => [
    { path: 'manifests/cluster-network-02-config.yml', object: networkObject(install.networking) },
  ],
  check: (edited, { install }) =>
    requirementProblems(
      edited,
      (['clusterNetwork', 'serviceNetwork'] as const).map((field) => ({
        path: ['spec', field],
        expected: `the address families of ${field} in install-config.yaml`,
        isRight: (value: unknown) =>
          !isListOf(value, field === 'serviceNetwork' ? isCidr : isClusterNetwork) ||
          isDeepStrictEqual(familiesIn(networksOf([edited]), field), familiesIn(install.networking, field)),
      })),
    ),
  alsoElsewhere: () => [
    { path: ['spec', 'networkType'], input: 'networking.networkType in install-config.yaml' },
  ],
});

/** OVN-Kubernetes settings that differ from its defaults; omitted if there are none. */
export const networkOperator = defineManifests({
  name: 'manifests/network-operator',
  needs: { install: installConfig, network },
  make: ({ install, network }) => {
    const joinSubnet = install.networking.ovnKubernetesConfig?.ipv4?.internalJoinSubnet;
    if (joinSubnet === undefined) return [];
    const path = 'manifests/cluster-network-03-config.yml';
    return [{ path, object: operatorObject(networksOf(network), joinSubnet) }];
  },
  alsoElsewhere: () =>
    ['clusterNetwork', 'serviceNetwork'].map((field) => ({
      path: ['spec', field],
      input: 'manifests/cluster-network-02-config.yml',
    })),
});

/** IP families of the networks. Node addresses, kernel arguments and listen addresses depend on them. */
function familiesIn(networks: ClusterNetworks, field: keyof ClusterNetworks): readonly unknown[] {
  const cidrs = field === 'serviceNetwork' ? networks[field] : networks[field].map(({ cidr }) => cidr);
  return cidrs.map((cidr) => parseCidr(cidr)?.family);
}

function networkObject({ clusterNetwork, serviceNetwork, networkType }: Networking): Network {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'Network',
    metadata: { name: 'cluster' },
    spec: {
      clusterNetwork: clusterNetwork.map(({ cidr, hostPrefix }) => ({ cidr, hostPrefix })),
      externalIP: { policy: {} },
      networkType,
      serviceNetwork,
    },
  };
}

function operatorObject(networks: ClusterNetworks, internalJoinSubnet: string): OperatorNetwork {
  return {
    apiVersion: 'operator.openshift.io/v1',
    kind: 'Network',
    metadata: { name: 'cluster' },
    spec: {
      clusterNetwork: networks.clusterNetwork,
      defaultNetwork: { type: 'OVNKubernetes', ovnKubernetesConfig: { ipv4: { internalJoinSubnet } } },
      managementState: 'Managed',
      serviceNetwork: networks.serviceNetwork,
    },
  };
}
