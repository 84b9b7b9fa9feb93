import type { CodeTable } from './entry.js';

/** Problems of `networking`. */
export const networkCodes = {
  'config/network-type': {
    severity: 'error',
    fault: 'networkType is not OVNKubernetes or the name of a third-party plugin',
    why: 'OpenShiftSDN and Kuryr no longer exist. With an unknown plugin no pod gets a network.',
    fix: 'Write `networkType: OVNKubernetes`, or remove the field.',
    example: ['networkType: OpenShiftSDN   # wrong', 'networkType: OVNKubernetes  # right'].join('\n'),
  },
  'config/network-address': {
    severity: 'error',
    fault: 'a network is not an address with a prefix length, or has host bits that are not zero',
    why: 'Tools differ in how they treat host bits.',
    fix: 'Write the network address that the hint shows.',
    example: [
      'machineNetwork:',
      '  - cidr: 192.168.126.10/24  # wrong: the address of a host',
      '# right:',
      'machineNetwork:',
      '  - cidr: 192.168.126.0/24',
    ].join('\n'),
  },
  'config/network-docker-bridge': {
    severity: 'warning',
    fault: 'a network overlaps 172.17.0.0/16, the default network of Docker',
    why: 'A machine with Docker routes this range to its own bridge, so it cannot reach the cluster.',
    fix: 'Use another range, unless no machine that runs Docker needs to reach the cluster.',
  },
  'config/network-overlap': {
    severity: 'error',
    fault: 'machine, service and cluster networks overlap',
    why: 'An address in two networks can be reached in only one of them, so parts of the cluster fail.',
    fix: 'Use another range for one of the two networks.',
    example: [
      'networking:',
      '  machineNetwork: [{ cidr: 10.0.0.0/16 }]',
      '  clusterNetwork: [{ cidr: 10.128.0.0/14, hostPrefix: 23 }]',
      '  serviceNetwork: ["172.30.0.0/16"]',
    ].join('\n'),
  },
  'config/network-reserved': {
    severity: 'error',
    fault: 'a network overlaps a range that OVN-Kubernetes uses internally',
    why: 'Traffic to the overlapping addresses never leaves the node.',
    fix: 'Use another range, or move the join network with internalJoinSubnet.',
    example: [
      'networking:',
      '  ovnKubernetesConfig:',
      '    ipv4: { internalJoinSubnet: 10.245.0.0/16 }',
    ].join('\n'),
  },
  'config/network-documentation': {
    severity: 'error',
    fault: 'a machine network is within 192.0.2.0/24 or 2001:db8::/32, which are reserved for documentation',
    why: 'The etcd operator refuses to render its manifests for these ranges, minutes after the boot.',
    fix: 'Write the real network of the node.',
  },
  'config/network-size': {
    severity: 'error',
    fault: 'a service network is larger than a /12 (IPv6: /108), or too small to have a tenth address',
    why: 'The API server refuses larger networks, and cluster DNS uses the tenth address.',
    fix: 'Use a /16, or a /112 for IPv6.',
  },
  'config/network-families': {
    severity: 'error',
    fault:
      'machine, cluster and service networks have different IP families, or there is more than one service network of a family',
    why: 'A pod cannot reach services of a family in which it has no address.',
    fix: 'Use the same families in the three lists: IPv4, IPv6, or both with one service network of each.',
    example: [
      'networking:',
      '  machineNetwork: [{ cidr: 192.168.126.0/24 }, { cidr: "fd2e:6f44:5dd8::/64" }]',
      '  clusterNetwork: [{ cidr: 10.128.0.0/14, hostPrefix: 23 }, { cidr: "fd01::/48", hostPrefix: 64 }]',
      '  serviceNetwork: ["172.30.0.0/16", "fd02::/112"]',
    ].join('\n'),
  },
  'config/network-family-spare': {
    severity: 'warning',
    fault: 'a machine network has an IP family that no service network has',
    why: 'The cluster works, but uses no address of this family.',
    fix: 'Remove the network, or make the cluster dual stack with networks of both families in all three lists.',
  },
  'config/host-prefix': {
    severity: 'error',
    fault:
      'hostPrefix is not between the prefix of its network and 30, differs between IPv4 networks, or is not 64 for IPv6',
    why: 'hostPrefix is the size of the range that the node gets for its pods. The network operator refuses other values.',
    fix: 'Write `hostPrefix: 23` for IPv4 and `hostPrefix: 64` for IPv6.',
  },
  'config/join-subnet': {
    severity: 'error',
    fault:
      'ovnKubernetesConfig is used with another network plugin, or internalJoinSubnet is not a separate IPv4 network large enough for all nodes',
    why: 'OVN-Kubernetes gives each node an address of this network.',
    fix: 'Use a free /16. With another plugin, remove ovnKubernetesConfig.',
  },
} as const satisfies CodeTable;
