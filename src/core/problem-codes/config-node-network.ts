import type { CodeTable } from './entry.js';

/** Problems of `network` in sno-config.yaml. */
export const nodeNetworkCodes = {
  'config/interface': {
    severity: 'error',
    fault: 'an interface has an invalid name, MAC address or MTU, or is defined twice',
    why: 'NetworkManager finds the interface by name or MAC address. If the profile matches no interface or the wrong one, the node has no network.',
    fix: 'Compare the values with the output of `ip link` on the machine; docs/network.md has examples.',
    example: [
      'network:',
      '  interfaces:',
      '    - name: eno1',
      '      type: ethernet',
      '      state: up',
      '      ipv4: { enabled: true, dhcp: true }',
    ].join('\n'),
  },
  'config/interface-name': {
    severity: 'warning',
    fault: 'no network card has the name of an interface',
    why: 'Without identifier: mac-address, NetworkManager finds the interface by its name. If no card has this name, the node has no network.',
    fix: 'Add `identifier: mac-address` with the MAC address, or write the name that `ip link` shows on the machine. Ignore the warning if an argument `ifname=` gives this name.',
  },
  'config/interface-link': {
    severity: 'error',
    fault:
      'a bond, bridge or VLAN uses an interface that does not exist or is used elsewhere, or has options that exclude each other',
    why: 'NetworkManager refuses the profile, or the kernel refuses the options, at the boot of the machine.',
    fix: 'Use the same interface name in the port list and in its description; docs/network.md lists the options of bonds.',
    example: [
      'interfaces:',
      '  - name: bond0',
      '    type: bond',
      '    state: up',
      '    link-aggregation:',
      '      mode: active-backup',
      '      port: [eno1, eno2]',
    ].join('\n'),
  },
  'config/interface-address': {
    severity: 'error',
    fault:
      'an interface has an address that no host can have, no interface has an address in a machine network, or it is unclear how the interface gets its address',
    why: 'etcd and the API server listen on an address in a machine network.',
    fix: 'Write the address as `ip` and its network as `prefix-length`, below ipv4 or ipv6 with `enabled: true`.',
    example: [
      'ipv4:',
      '  enabled: true',
      '  dhcp: false',
      '  address:',
      '    - ip: 192.168.126.10',
      '      prefix-length: 24',
    ].join('\n'),
  },
  'config/route': {
    severity: 'error',
    fault:
      'the destination, the interface or the next hop of a route is wrong, or the next hop is not on the network of the interface',
    why: 'The kernel refuses a route to a router that it cannot reach, and the interface does not come up.',
    fix: 'Set next-hop-address to an address in a network of next-hop-interface.',
    example: [
      'routes:',
      '  config:',
      '    - destination: 0.0.0.0/0',
      '      next-hop-address: 192.168.126.1',
      '      next-hop-interface: eno1',
    ].join('\n'),
  },
  'config/route-rule': {
    severity: 'error',
    fault:
      'a route rule selects no packets, mixes IPv4 and IPv6, or names an interface that is not described with its family',
    why: 'nmstate refuses the rule or does not write it, and packets use another routing table.',
    fix: 'Set ip-from or ip-to to networks of one family, or only family for all packets of that family.',
    example: ['route-rules:', '  config:', '    - ip-from: 192.168.126.0/24', '      route-table: 100'].join(
      '\n',
    ),
  },
  'config/bond-primary': {
    severity: 'warning',
    fault: 'primary of a bond may differ from the kernel name of the port',
    why: 'A port with identifier: mac-address can have any kernel name. The kernel ignores a primary that does not match.',
    fix: 'Write the name that `ip link` shows on the machine, or remove primary.',
  },
  'config/vlan-name': {
    severity: 'warning',
    fault: 'the number in the name of a VLAN is not its id',
    why: 'The id decides about the VLAN; the name is only a label. One of the two is probably mistyped.',
    fix: 'Write the same number in both, or use a name without a number.',
  },
  'config/mac-identifier': {
    severity: 'warning',
    fault: 'a setting refers by name to an interface with identifier: mac-address',
    why: 'With identifier: mac-address, name is only the name of the profile. nmstate drops the bridge settings of such a port, and the kernel compares iif of a route rule with its own interface names.',
    fix: 'Remove identifier and name the interface as `ip link` shows it on the machine, or remove the setting.',
  },
  'config/no-hostname': {
    severity: 'warning',
    fault: 'a node with static addresses has no hostname',
    why: 'The name would come from DHCP or from the PTR record of an address. Without both, the node is called localhost and its kubelet refuses to register.',
    fix: 'Set `hostname` in sno-config.yaml.',
  },
  'config/prefix-length': {
    severity: 'warning',
    fault: 'a static address has a shorter prefix length than the machine network that contains it',
    why: 'One of the two is probably mistyped. With a wrong prefix length the node sends packets for other networks to no router.',
    fix: 'Write the prefix length of the network in both files.',
    example: [
      'machineNetwork:',
      '  - cidr: 192.168.126.0/24  # install-config.yaml',
      'address:',
      '  - ip: 192.168.126.10      # sno-config.yaml',
      '    prefix-length: 24',
    ].join('\n'),
  },
  'config/no-default-route': {
    severity: 'warning',
    fault: 'a node with static addresses has no default route',
    why: 'OVN-Kubernetes uses the interface of the default route for the cluster, and the node pulls images over this route.',
    fix: 'Add a route with destination `0.0.0.0/0` or `::/0`.',
    example: [
      'routes:',
      '  config:',
      '    - destination: 0.0.0.0/0',
      '      next-hop-address: 192.168.126.1',
      '      next-hop-interface: eno1',
    ].join('\n'),
  },
  'config/name-server': {
    severity: 'error',
    fault: 'a name server is not an IP address, or no interface has an address of its family',
    why: 'NetworkManager stores name servers with an interface of the same family.',
    fix: 'Write IP addresses below dns-resolver, config, server.',
    example: [
      'dns-resolver:',
      '  config:',
      '    server: [dns.example.com]  # wrong: a name',
      '# right:',
      'dns-resolver:',
      '  config:',
      '    server: [192.168.126.1]',
    ].join('\n'),
  },
  'config/no-name-server': {
    severity: 'warning',
    fault: 'a node with static addresses has no name server',
    why: 'The node needs DNS for api, api-int, the registry and the time servers.',
    fix: 'Add a name server below dns-resolver.',
    example: 'dns-resolver: { config: { server: [192.168.126.1] } }',
  },
  'config/keyfile': {
    severity: 'error',
    fault:
      'a keyfile is missing or not a valid NetworkManager profile, or its name is already used or does not end in .nmconnection',
    why: 'NetworkManager skips files that it cannot read, and reports this only on the node.',
    fix: 'Copy a working file from /etc/NetworkManager/system-connections of another machine, and correct the path in `network.keyfiles`.',
  },
} as const satisfies CodeTable;
