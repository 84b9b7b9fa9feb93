import { z } from 'zod';

import { count, optional, required } from './schema-parts.js';

const clusterNetworkEntry = z.strictObject({
  cidr: required(z.string(), 'A network for pods, such as `10.128.0.0/14`.'),
  hostPrefix: optional(
    z.int().min(0).max(128),
    'Prefix length of the subnet that each node gets for its pods: 23 gives 510 addresses. 64 for IPv6. Required with OVNKubernetes.',
  ),
  hostSubnetLength: optional(z.int().min(0).max(128), 'Old form of `hostPrefix`: the number of host bits.', {
    deprecated: true,
  }),
});

const machineNetworkEntry = z.strictObject({
  cidr: required(
    z.string(),
    'A network of the node, such as `192.168.126.0/24`. The first one of each family selects the address that the node uses.',
  ),
});

const ovnKubernetesConfig = z.strictObject({
  ipv4: optional(
    z.strictObject({
      internalJoinSubnet: optional(
        z.string(),
        'IPv4 network that OVN-Kubernetes uses internally; change it if you already use `100.64.0.0/16`.',
      ),
    }),
    'IPv4 settings of OVN-Kubernetes.',
  ),
});

/** `networking` of install-config.yaml. Source: openshift/installer pkg/types/installconfig.go. */
export const networkingSchema = z.strictObject({
  networkType: optional(
    z.string(),
    'Network plugin. OVNKubernetes is part of OpenShift; others need manifests from their vendor.',
    { default: 'OVNKubernetes' },
  ),
  machineNetwork: optional(z.array(machineNetworkEntry), 'Networks of the node.', {
    default: [{ cidr: '10.0.0.0/16' }],
  }),
  clusterNetwork: optional(z.array(clusterNetworkEntry), 'Networks for pod addresses.', {
    default: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
  }),
  serviceNetwork: optional(
    z.array(z.string().meta({ description: 'A network for services, such as `172.30.0.0/16`.' })),
    'Networks for service addresses: one, or one of each family for dual stack. They determine the address families of the cluster.',
    { default: ['172.30.0.0/16'] },
  ),
  ovnKubernetesConfig: optional(ovnKubernetesConfig, 'Settings of OVN-Kubernetes.'),
  clusterNetworkMTU: optional(count, 'MTU of the pod network. Only for AWS; 0 or omitted here.'),
  machineCIDR: optional(z.string(), 'Old form of the first `machineNetwork`.', { deprecated: true }),
  serviceCIDR: optional(z.string(), 'Old form of the first `serviceNetwork`.', { deprecated: true }),
  clusterNetworks: optional(z.array(clusterNetworkEntry), 'Old name of `clusterNetwork`.', {
    deprecated: true,
  }),
  type: optional(z.string(), 'Old name of `networkType`.', { deprecated: true }),
});
