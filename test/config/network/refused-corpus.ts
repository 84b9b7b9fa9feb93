/** Descriptions that nmstate rejects, by reason. */
export const refusedCorpus: Readonly<Record<string, string>> = {
  'a route out of nothing': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 10.0.0.0/8, next-hop-interface: eno2 }] }
`,
  'a route out of a port': `
interfaces: [{ name: eno1 }, { name: bond0, type: bond, link-aggregation: { mode: 1, port: [eno1] } }]
routes: { config: [{ destination: 10.0.0.0/8, next-hop-interface: eno1 }] }
`,
  'a route of a family that is off': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 'fd00::/8', next-hop-interface: eno1 }] }
`,
  'a route to a router that is no address': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 10.0.0.0/8, next-hop-interface: eno1, next-hop-address: router }] }
`,
  'a port of two bonds': `
interfaces:
  - { name: bond0, type: bond, link-aggregation: { mode: 1, port: [eno1] } }
  - { name: bond1, type: bond, link-aggregation: { mode: 1, port: [eno1] } }
`,
  'a port twice':
    'interfaces: [{ name: bond0, type: bond, link-aggregation: { mode: 1, port: [eno1, eno1] } }]\n',
  'a port with an address': `
interfaces:
  - { name: bond0, type: bond, link-aggregation: { mode: 1, port: [eno1] } }
  - { name: eno1, ipv4: { enabled: true, dhcp: true } }
`,
  'bonds in a circle': `
interfaces:
  - { name: bond0, type: bond, link-aggregation: { mode: 1, port: [bond1] } }
  - { name: bond1, type: bond, link-aggregation: { mode: 1, port: [bond0] } }
`,
  'a bond without a mode': 'interfaces: [{ name: bond0, type: bond, link-aggregation: { port: [eno1] } }]\n',
  'a mode that is none':
    'interfaces: [{ name: bond0, type: bond, link-aggregation: { mode: best, port: [eno1] } }]\n',
  'an option that is none': `
interfaces: [{ name: bond0, type: bond, link-aggregation: { mode: 1, options: { mimon: 100 }, port: [eno1] } }]
`,
  'an option of LACP': `
interfaces: [{ name: bond0, type: bond, link-aggregation: { mode: 1, options: { lacp_rate: fast }, port: [eno1] } }]
`,
  'miimon and arp_interval': `
interfaces: [{ name: bond0, type: bond, link-aggregation: { mode: 1, options: { miimon: 9, arp_interval: 9, arp_ip_target: 10.0.0.1 }, port: [eno1] } }]
`,
  'a name server that nobody can ask': `
interfaces: [{ name: eno1, ipv4: { enabled: true } }]
dns-resolver: { config: { server: [192.0.2.53] } }
`,
  'a name server that is no address': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
dns-resolver: { config: { server: [ns.example.com] } }
`,
  'name servers in turns': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true } }]
dns-resolver: { config: { server: [192.0.2.53, 'fd00::53', 192.0.2.54] } }
`,
  'an option of the resolver that is none': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
dns-resolver: { config: { server: [192.0.2.53], options: [rotates] } }
`,
  'an address of the other family': `
interfaces: [{ name: eno1, ipv4: { enabled: true, address: [{ ip: 'fd00::1', prefix-length: 64 }] } }]
`,
  'a prefix of too many bits': `
interfaces: [{ name: eno1, ipv4: { enabled: true, address: [{ ip: 10.0.0.1, prefix-length: 33 }] } }]
`,
  'autoconf without DHCP': 'interfaces: [{ name: eno1, ipv6: { enabled: true, autoconf: true } }]\n',
  'an MTU too small for IPv6': 'interfaces: [{ name: eno1, mtu: 1000, ipv6: { enabled: true } }]\n',
  'a token without autoconf': `
interfaces: [{ name: eno1, ipv6: { enabled: true, dhcp: true, autoconf: false, token: '::1' } }]
`,
  'fields of another type':
    'interfaces: [{ name: eno1, type: ethernet, vlan: { base-iface: eno2, id: 1 } }]\n',
  'an outer tag of no VLAN': `
interfaces: [{ name: eno1, ethernet: { sr-iov: { total-vfs: 1, vfs: [{ id: 0, vlan-id: 0, vlan-proto: 802.1ad }] } } }]
`,
  'a feature that cannot be set': 'interfaces: [{ name: eno1, ethtool: { feature: { ufo: false } } }]\n',
  'a code of errors that is none': 'interfaces: [{ name: eno1, ethtool: { fec: { mode: best } } }]\n',
  'a VLAN on nothing': 'interfaces: [{ name: v1, type: vlan, vlan: { id: 1 } }]\n',
  'a timer of the bridge out of bounds': `
interfaces: [{ name: br0, type: linux-bridge, bridge: { options: { stp: { hello-time: 11 } }, port: [] } }]
`,
  'balance-slb with another hash': `
interfaces: [{ name: bond0, type: bond, link-aggregation: { mode: balance-xor, options: { balance-slb: true }, port: [eno1] } }]
`,
  'a rule for nothing': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
route-rules: { config: [{ route-table: 200, priority: 1000 }] }
`,
  'a rule of two families': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
route-rules: { config: [{ ip-to: 10.0.0.1, ip-from: 'fd00::1', route-table: 9 }] }
`,
  'a mask without a mark': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
route-rules: { config: [{ ip-to: 10.0.0.1, route-table: 9, fwmask: 5 }] }
`,
  'a rule of an interface that is not there': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
route-rules: { config: [{ ip-to: 10.0.0.1, route-table: 9, iif: eno9 }] }
`,
  'a loopback without IPv4': 'interfaces: [{ name: lo, type: loopback, ipv4: { enabled: false } }]\n',
  'DHCP on the loopback': 'interfaces: [{ name: lo, type: loopback, ipv4: { enabled: true, dhcp: true } }]\n',
  'a route that drops packets, with a next hop': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 198.51.100.0/24, route-type: blackhole, next-hop-interface: eno1 }] }
`,
  'a share of the load for IPv6': `
interfaces: [{ name: eno1, ipv6: { enabled: true, dhcp: true, autoconf: true } }]
routes: { config: [{ destination: 'fd00::/8', next-hop-interface: eno1, next-hop-address: 'fe80::1', weight: 2 }] }
`,
  'a route without an interface': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 10.0.0.0/8, next-hop-address: 10.0.0.1 }] }
`,
  'a route out of an interface that is absent': `
interfaces: [{ name: eno1, state: absent, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 10.0.0.0/8, next-hop-interface: eno1 }] }
`,
  'a native VLAN that is not asked for': `
interfaces: [{ name: br0, type: linux-bridge, bridge: { port: [{ name: eno2, vlan: { mode: trunk, tag: 5, trunk-tags: [{ id: 1 }] } }] } }]
`,
  'trunk tags of an access port': `
interfaces: [{ name: br0, type: linux-bridge, bridge: { port: [{ name: eno2, vlan: { mode: access, tag: 5, trunk-tags: [{ id: 1 }] } }] } }]
`,
  'a trunk without tags': `
interfaces: [{ name: br0, type: linux-bridge, bridge: { port: [{ name: eno2, vlan: { mode: trunk } }] } }]
`,
  'a VLAN of a trunk twice': `
interfaces: [{ name: br0, type: linux-bridge, bridge: { port: [{ name: eno2, vlan: { mode: trunk, trunk-tags: [{ id-range: { min: 5, max: 6 } }, { id: 5 }] } }] } }]
`,
};
