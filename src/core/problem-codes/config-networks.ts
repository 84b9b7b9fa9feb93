import type { CodeTable } from './entry.js';

/** Problems of `networking`. */
export const networkCodes = {
  'config/network-type': {
    severity: 'error',
    rule: 'networkType is OVNKubernetes, or the plugin of a third party',
    why: 'OpenShiftSDN and Kuryr are gone, and with an unknown plugin no pod gets a network.',
    fix: 'Write `networkType: OVNKubernetes`, or leave it out.',
  },
  'config/network-address': {
    severity: 'error',
    rule: 'a network is an address and a prefix length with all host bits zero',
    why: 'Tools differ in what they make of host bits.',
    fix: 'Write the network address, as the hint shows it.',
  },
  'config/network-docker-bridge': {
    severity: 'warning',
    rule: 'networks do not overlap 172.17.0.0/16',
    why: 'A machine with Docker keeps that network for itself and cannot reach the cluster.',
    fix: 'Take another network, unless there is no Docker anywhere near.',
  },
  'config/network-overlap': {
    severity: 'error',
    rule: 'the machine, service and cluster networks do not overlap',
    why: 'An address in two networks is reached in one of them only, and the cluster breaks in places.',
    fix: 'Take another range for one of the two.',
  },
  'config/network-reserved': {
    severity: 'error',
    rule: 'no network overlaps those that OVN-Kubernetes uses inside',
    why: 'Traffic to the overlapping addresses never leaves the node.',
    fix: 'Take another range, or move the join network with internalJoinSubnet.',
  },
  'config/network-documentation': {
    severity: 'error',
    rule: 'a machine network is not within 192.0.2.0/24 or 2001:db8::/32',
    why: 'The etcd operator refuses to render its manifests for these ranges, minutes into the boot.',
    fix: 'Give the network that the node is in.',
  },
  'config/network-size': {
    severity: 'error',
    rule: 'a service network is at most a /12 (IPv6: /108) and holds its tenth address',
    why: 'The API server refuses larger ones, and cluster DNS has the tenth address.',
    fix: 'Take a /16, or a /112 for IPv6.',
  },
  'config/network-families': {
    severity: 'error',
    rule: 'all three kinds of networks are IPv4, all IPv6, or all of both with one service network of each',
    why: 'Pods without an address of the family of their services reach none of them.',
    fix: 'Give the three lists the same families.',
  },
  'config/network-family-spare': {
    severity: 'warning',
    rule: 'machine networks are of the families of the service networks',
    why: 'The cluster works, and uses no address of the further family.',
    fix: 'Take the network out, or make the cluster dual stack with networks of both families in all three lists.',
  },
  'config/host-prefix': {
    severity: 'error',
    rule: 'hostPrefix lies between the prefix of its network and 30, is the same for all IPv4 networks, and 64 for IPv6',
    why: 'It is the part of the network that the node gets for its pods; the network operator refuses others.',
    fix: 'Write `hostPrefix: 23` for IPv4, `hostPrefix: 64` for IPv6.',
  },
  'config/join-subnet': {
    severity: 'error',
    rule: 'ovnKubernetesConfig is for OVNKubernetes, and internalJoinSubnet an IPv4 network of its own with room for all nodes',
    why: 'OVN-Kubernetes gives each node an address of it.',
    fix: 'Take a free /16.',
  },
} as const satisfies CodeTable;
