const ofRunning = 'leave it out: nmstate reports it for a running machine';
const byKeyfile = 'sno-install does not support it: add a keyfile to network.keyfiles';
const later = 'set it up after the installation: it contains keys';
const below = 'move its contents directly under network';

/** Interface types of nmstate that sno-install does not support. */
const types = [
  ...['hsr', 'infiniband', 'ip-tunnel', 'ipsec', 'ipvlan', 'mac-vlan', 'mac-vtap', 'macsec'],
  ...['ovs-bridge', 'ovs-interface', 'veth', 'vrf', 'vxlan', 'xfrm'],
];

const keyed: ReadonlySet<string> = new Set(['ipsec', 'macsec', 'xfrm']);

const ofInterface: Readonly<Record<string, string>> = {
  '802.1x': byKeyfile,
  'alt-names': 'leave it out: the system names interfaces',
  'allow-extra-address': ofRunning,
  controller: 'add the interface to the ports of the bond or bridge',
  'copy-mac-from': 'write the address as mac-address',
  dispatch: 'add the script with a MachineConfig as an extra manifest',
  driver: ofRunning,
  'max-mtu': ofRunning,
  'min-mtu': ofRunning,
  mptcp: byKeyfile,
  'ovs-db': byKeyfile,
  'pci-address': 'identify the interface by its name or its MAC address',
  'permanent-mac-address': ofRunning,
  ...Object.fromEntries(
    ['vxlan', 'mac-vlan', 'mac-vtap', 'vrf', 'veth', 'infiniband', 'macsec', 'ipvlan', 'hsr'].map((name) => [
      name,
      keyed.has(name) ? later : byKeyfile,
    ]),
  ),
};

const ofIp: Readonly<Record<string, string>> = {
  'allow-extra-address': ofRunning,
  forwarding: 'add a file in sysctl.d with a MachineConfig as an extra manifest',
  'prefix-route-metric': byKeyfile,
};

const ofAddress: Readonly<Record<string, string>> = {
  'mptcp-flags': ofRunning,
  'preferred-life-time': ofRunning,
  protocol: ofRunning,
  'valid-life-time': ofRunning,
};

const ofRoute: Readonly<Record<string, string>> = { 'vrf-name': byKeyfile };

const ofBond: Readonly<Record<string, string>> = {
  'ports-config': 'list the ports under port; use a keyfile for their queues and priorities',
  slaves: 'write it as port',
};

const bridgeOptions = [
  ...['gc-timer', 'group-addr', 'group-fwd-mask', 'hash-max', 'hello-timer', 'multicast-last-member-count'],
  ...['multicast-last-member-interval', 'multicast-membership-interval', 'multicast-querier'],
  ...['multicast-querier-interval', 'multicast-query-interval', 'multicast-query-response-interval'],
  ...['multicast-query-use-ifaddr', 'multicast-router', 'multicast-startup-query-count'],
  ...['multicast-startup-query-interval'],
];

/**
 * Fields of nmstate or its operators that `network` of sno-config.yaml does not support, with a hint. Keys are paths; a value follows an
 * equals sign. Source: the structures of nmstate 2.2.62
 */
export const refusedNetworkFields: Readonly<Record<string, string>> = {
  networkConfig: 'rename it to network',
  interfaces: 'move it to network',
  'dns-resolver': 'move it to network',
  routes: 'move it to network',
  'network.networkConfig': below,
  'network.desiredState': below,
  'network.capture': 'write the captured values: capture is for policies of running clusters',
  'network.description': 'write it as a comment',
  'network.ovn': 'use a NodeNetworkConfigurationPolicy after the installation: the cluster sets up OVN',
  'network.ovs-db':
    'use a NodeNetworkConfigurationPolicy after the installation: the cluster sets up Open vSwitch',
  'network.hostname.running': ofRunning,
  'network.dns-resolver.running': ofRunning,
  'network.routes.running': ofRunning,
  ...under('network.interfaces[]', ofInterface),
  'network.interfaces[].identifier=pci-address': 'identify the interface by its name or its MAC address',
  ...under(
    'network.interfaces[].type',
    Object.fromEntries(types.map((type) => [type, keyed.has(type) ? later : byKeyfile])),
    '=',
  ),
  ...under('network.interfaces[].ipv4', ofIp),
  ...under('network.interfaces[].ipv6', ofIp),
  ...under('network.interfaces[].ipv4.address[]', ofAddress),
  ...under('network.interfaces[].ipv6.address[]', ofAddress),
  'network.interfaces[].ethernet.sr-iov.max-vfs': ofRunning,
  'network.interfaces[].ethernet.sr-iov.vfs[].iface-name': ofRunning,
  // nmstate ignores these silently.
  ...under(
    'network.interfaces[].ethtool.coalesce',
    Object.fromEntries(
      ['sample-interval', 'stats-block-usecs', 'tx-usecs-high', 'tx-usecs-irq', 'tx-usecs-low'].map(
        (name) => [name, byKeyfile],
      ),
    ),
  ),
  ...under(
    'network.interfaces[].ethtool.ring',
    Object.fromEntries(['rx-max', 'rx-jumbo-max', 'rx-mini-max', 'tx-max'].map((name) => [name, ofRunning])),
  ),
  ...under('network.interfaces[].link-aggregation', ofBond),
  ...under('network.interfaces[].bond', ofBond),
  'network.interfaces[].vlan.ingress-qos-map': byKeyfile,
  'network.interfaces[].vlan.egress-qos-map': byKeyfile,
  'network.interfaces[].bridge.allow-extra-ports': ofRunning,
  ...under(
    'network.interfaces[].bridge.options',
    Object.fromEntries(bridgeOptions.map((name) => [name, byKeyfile])),
  ),
  ...under('network.routes.config[]', ofRoute),
};

function under(
  place: string,
  hints: Readonly<Record<string, string>>,
  between = '.',
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(hints).map(([name, hint]) => [`${place}${between}${name}`, hint]));
}
