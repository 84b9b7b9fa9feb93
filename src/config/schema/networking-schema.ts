import { z } from 'zod';

import { count, optional, required } from './schema-parts.js';

const clusterNetworkEntry = z.strictObject({
  cidr: required(z.string(), 'A network for pods, such as `10.128.0.0/14`.'),
  hostPrefix: optional(
    z.int().min(0).max(128),
    'Prefix length of the part of `cidr` that a node gets for its pods: 23 gives 510 addresses. 64 for IPv6. Needed with a `cidr` of your own.',
  ),
  hostSubnetLength: optional(
    z.int().min(0).max(128),
    'Old way to say `hostPrefix`: the number of bits that are left to a node.',
    { deprecated: true },
  ),
});

const machineNetworkEntry = z.strictObject({
  cidr: required(
    z.string(),
    'A network that the node has an address in, such as `192.168.126.0/24`. The first one of a family decides which address the node uses.',
  ),
});

const ovnKubernetesConfig = z.strictObject({
  ipv4: optional(
    z.strictObject({
      internalJoinSubnet: optional(
        z.string(),
        'IPv4 network that OVN-Kubernetes uses inside of the node, to be changed when `100.64.0.0/16` is taken.',
      ),
    }),
    'IPv4 settings of OVN-Kubernetes.',
  ),
});

/** `networking` of install-config.yaml. Source: openshift/installer pkg/types/installconfig.go. */
export const networkingSchema = z.strictObject({
  networkType: optional(
    z.string(),
    'The network plugin. OVNKubernetes comes with OpenShift; any other one needs manifests of its maker.',
    { default: 'OVNKubernetes' },
  ),
  machineNetwork: optional(z.array(machineNetworkEntry), 'The networks that the node has addresses in.', {
    default: [{ cidr: '10.0.0.0/16' }],
  }),
  clusterNetwork: optional(z.array(clusterNetworkEntry), 'The networks that pods get their addresses from.', {
    default: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
  }),
  serviceNetwork: optional(
    z.array(z.string().meta({ description: 'A network for services, such as `172.30.0.0/16`.' })),
    'The networks that services get their addresses from: one, or with dual stack one of each family. Its families are those of the cluster.',
    { default: ['172.30.0.0/16'] },
  ),
  ovnKubernetesConfig: optional(ovnKubernetesConfig, 'Settings of OVN-Kubernetes.'),
  clusterNetworkMTU: optional(count, 'MTU of the pod network. Only for AWS; 0 or omitted here.'),
  machineCIDR: optional(z.string(), 'Old way to give the first of `machineNetwork`.', { deprecated: true }),
  serviceCIDR: optional(z.string(), 'Old way to give the first of `serviceNetwork`.', { deprecated: true }),
  clusterNetworks: optional(z.array(clusterNetworkEntry), 'Old name of `clusterNetwork`.', {
    deprecated: true,
  }),
  type: optional(z.string(), 'Old name of `networkType`.', { deprecated: true }),
});
