import { byCodeUnit } from '../../core/compare.js';

/** Names in ethtool(8) that differ from the kernel's. Source: nmstate 2.2.62, ETHTOOL_FEATURE_CLI_ALIAS */
const kernelNames = new Map([
  ['rx', 'rx-checksum'],
  ['rx-checksumming', 'rx-checksum'],
  ['tso', 'tx-tcp-segmentation'],
  ['tcp-segmentation-offload', 'tx-tcp-segmentation'],
  ['gso', 'tx-generic-segmentation'],
  ['generic-segmentation-offload', 'tx-generic-segmentation'],
  ['gro', 'rx-gro'],
  ['generic-receive-offload', 'rx-gro'],
  ['lro', 'rx-lro'],
  ['large-receive-offload', 'rx-lro'],
  ['rxvlan', 'rx-vlan-hw-parse'],
  ['rx-vlan-offload', 'rx-vlan-hw-parse'],
  ['txvlan', 'tx-vlan-hw-insert'],
  ['tx-vlan-offload', 'tx-vlan-hw-insert'],
  ['ntuple', 'rx-ntuple-filter'],
  ['ntuple-filters', 'rx-ntuple-filter'],
  ['rxhash', 'rx-hashing'],
  ['receive-hashing', 'rx-hashing'],
]);

/** Names in NetworkManager that differ from the kernel's. Source: nmstate 2.2.62, KERNEL_ETHTOOL_FEATURE_2_NM */
const managerNames = new Map([
  ['rx-checksum', 'rx'],
  ['tx-scatter-gather', 'sg'],
  ['tx-tcp-segmentation', 'tso'],
  ['rx-gro', 'gro'],
  ['tx-generic-segmentation', 'gso'],
  ['rx-hashing', 'rxhash'],
  ['rx-lro', 'lro'],
  ['rx-ntuple-filter', 'ntuple'],
  ['rx-vlan-hw-parse', 'rxvlan'],
  ['tx-vlan-hw-insert', 'txvlan'],
]);

/** Features with the same name in NetworkManager and the kernel. Source: nm-settings(5), ethtool setting */
const plainNames = [
  ...['esp-hw-offload', 'esp-tx-csum-hw-offload', 'fcoe-mtu', 'highdma', 'hw-tc-offload', 'l2-fwd-offload'],
  ...['loopback', 'macsec-hw-offload', 'rx-all', 'rx-fcs', 'rx-gro-hw', 'rx-gro-list'],
  ...['rx-udp-gro-forwarding', 'rx-udp_tunnel-port-offload', 'rx-vlan-filter', 'rx-vlan-stag-filter'],
  ...['rx-vlan-stag-hw-parse', 'sg', 'tls-hw-record', 'tls-hw-rx-offload', 'tls-hw-tx-offload', 'tx'],
  ...['tx-checksum-fcoe-crc', 'tx-checksum-ip-generic', 'tx-checksum-ipv4', 'tx-checksum-ipv6'],
  ...['tx-checksum-sctp', 'tx-esp-segmentation', 'tx-fcoe-segmentation', 'tx-gre-csum-segmentation'],
  ...['tx-gre-segmentation', 'tx-gso-list', 'tx-gso-partial', 'tx-gso-robust', 'tx-ipxip4-segmentation'],
  ...['tx-ipxip6-segmentation', 'tx-nocache-copy', 'tx-scatter-gather-fraglist', 'tx-sctp-segmentation'],
  ...['tx-tcp-ecn-segmentation', 'tx-tcp-mangleid-segmentation', 'tx-tcp6-segmentation'],
  ...['tx-tunnel-remcsum-segmentation', 'tx-udp-segmentation', 'tx-udp_tnl-csum-segmentation'],
  ...['tx-udp_tnl-segmentation', 'tx-vlan-stag-hw-insert'],
];

const properties: ReadonlyMap<string, string> = new Map([
  ...plainNames.map((name) => [name, `feature-${name}`] as const),
  ...[...managerNames].map(([name, short]) => [name, `feature-${short}`] as const),
  ...[...kernelNames].map(
    ([name, kernel]) => [name, `feature-${managerNames.get(kernel) ?? kernel}`] as const,
  ),
]);

/** The names of all supported features. */
export const featureNames: readonly string[] = [...properties.keys()].toSorted(byCodeUnit);

/** NetworkManager's property for a feature, by any name of the feature; undefined if it is unknown. */
export function featureProperty(name: string): string | undefined {
  return properties.get(name);
}
