/** Valid network descriptions. nmstate and sno-install must generate the same keyfiles for each. */
export const descriptionCorpus: Readonly<Record<string, string>> = {
  'one static address': `
interfaces:
  - name: eno1
    type: ethernet
    state: up
    ipv4:
      enabled: true
      dhcp: false
      address:
        - ip: 192.168.126.10
          prefix-length: 24
    ipv6:
      enabled: false
dns-resolver:
  config:
    server: [192.168.126.1]
routes:
  config:
    - destination: 0.0.0.0/0
      next-hop-address: 192.168.126.1
      next-hop-interface: eno1
`,
  DHCP: `
interfaces:
  - name: eno1
    type: ethernet
    state: up
    ipv4: { enabled: true, dhcp: true }
    ipv6: { enabled: true, dhcp: true, autoconf: true }
`,
  'a name alone': 'interfaces: [{ name: eno1 }]\n',
  'an interface that stays down': `
interfaces:
  - { name: eno1, state: down }
  - { name: eno2, type: ethernet, state: up, ipv4: { enabled: true, dhcp: true } }
`,
  'IPv4 enabled without an address':
    'interfaces: [{ name: eno1, ipv4: { enabled: true }, ipv6: { enabled: true } }]\n',
  'what is said beside enabled: false': `
interfaces:
  - name: eno1
    ipv4: { enabled: false, dhcp: false }
    ipv6: { enabled: false, dhcp: false, autoconf: false, addr-gen-mode: stable-privacy }
`,
  'several addresses, of both families': `
interfaces:
  - name: eno1
    ipv4:
      enabled: true
      address: [{ ip: 192.168.126.10, prefix-length: 24 }, { ip: 10.1.0.2, prefix-length: 16 }, { ip: 203.0.113.7, prefix-length: 32 }]
    ipv6:
      enabled: true
      address: [{ ip: 'fd2e:6f44:5dd8:0:0:0:0:10', prefix-length: 64 }, { ip: '2001:DB8::A', prefix-length: 128 }]
`,
  'a link-local address, which the kernel makes itself': `
interfaces:
  - name: eno1
    ipv6:
      enabled: true
      dhcp: false
      autoconf: false
      address: [{ ip: 'fe80::5054:ff:fe12:3456', prefix-length: 64 }, { ip: 'fd2e::10', prefix-length: 64 }]
`,
  'a link-local address alone': `
interfaces: [{ name: eno1, ipv6: { enabled: true, address: [{ ip: 'fe80::1', prefix-length: 64 }] } }]
`,
  'DHCPv6 without autoconf':
    'interfaces: [{ name: eno1, ipv6: { enabled: true, dhcp: true, autoconf: false, auto-route-metric: 50 } }]\n',
  'DHCP with an address of its own': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, dhcp: true, address: [{ ip: 10.0.0.5, prefix-length: 24 }] }
    ipv6: { enabled: true, dhcp: true, autoconf: true, address: [{ ip: 'fd00::5', prefix-length: 64 }] }
`,
  'what is taken from DHCP': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, dhcp: true, auto-dns: false, auto-gateway: false, auto-routes: false, auto-route-table-id: 100, auto-route-metric: 200 }
    ipv6: { enabled: true, dhcp: true, autoconf: true, auto-dns: false, auto-gateway: true, auto-routes: false, auto-route-table-id: 100, auto-route-metric: 200 }
`,
  'who the node is to DHCP': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, dhcp: true, dhcp-client-id: iaid+duid, dhcp-send-hostname: true, dhcp-custom-hostname: node-1 }
    ipv6: { enabled: true, dhcp: true, autoconf: true, dhcp-duid: llt, dhcp-custom-hostname: node-1.example.com }
  - name: eno2
    ipv4: { enabled: true, dhcp: true, dhcp-client-id: ll, dhcp-custom-hostname: node-1.example.com }
    ipv6: { enabled: true, dhcp: true, autoconf: true, dhcp-duid: '00:04:aa:bb', dhcp-send-hostname: false }
  - name: eno3
    ipv4: { enabled: true, dhcp: true, dhcp-client-id: '01:52:54:00:12:34:56', dhcp-send-hostname: false, dhcp-custom-hostname: other }
    ipv6: { enabled: true, dhcp: true, autoconf: true, dhcp-duid: ll }
`,
  'how automatic addresses are made': `
interfaces:
  - { name: eno1, ipv6: { enabled: true, dhcp: true, autoconf: true, token: '::0:10' } }
  - { name: eno2, ipv6: { enabled: true, dhcp: true, autoconf: true, addr-gen-mode: stable-privacy, token: '::' } }
  - { name: eno3, ipv6: { enabled: true, addr-gen-mode: eui64, address: [{ ip: 'fd00::3', prefix-length: 64 }] } }
`,
  'which family is waited for': `
interfaces:
  - { name: eno1, wait-ip: any, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true } }
  - { name: eno2, wait-ip: ipv4, ipv4: { enabled: true, dhcp: true } }
  - { name: eno3, wait-ip: ipv6, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true } }
  - { name: eno4, wait-ip: ipv4+ipv6, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true } }
`,
  'found by its MAC address': `
interfaces:
  - name: machine0
    type: ethernet
    identifier: mac-address
    mac-address: 52:54:00:ab:cd:ef
    ipv4: { enabled: true, dhcp: true }
`,
  'found by its name, in so many words':
    'interfaces: [{ name: eno1, identifier: name, ipv4: { enabled: true, dhcp: true } }]\n',
  'another MAC address':
    'interfaces: [{ name: eno1, mac-address: 52:54:00:ab:cd:ef, ipv4: { enabled: true, dhcp: true } }]\n',
  'a profile of another name': `
interfaces:
  - { name: eno1, profile-name: uplink, mtu: 1500, ipv4: { enabled: true, dhcp: true } }
  - { name: eno2, profile-name: second link, identifier: mac-address, mac-address: '52:54:00:00:00:02', ipv4: { enabled: true, dhcp: true } }
`,
  'jumbo frames':
    'interfaces: [{ name: eno1, mtu: 9000, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: false } }]\n',
  'the link': `
interfaces:
  - { name: eno1, ethernet: { auto-negotiation: false, speed: 1000, duplex: full } }
  - { name: eno2, ethernet: { auto-negotiation: true, speed: 1000, duplex: half } }
  - { name: eno3, ethernet: { speed: 1000 } }
  - { name: eno4, accept-all-mac-addresses: true, lldp: { enabled: true } }
  - { name: eno5, accept-all-mac-addresses: false, lldp: { enabled: false } }
`,
  'a router of a link without network': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, address: [{ ip: 192.168.101.55, prefix-length: 32 }] }
    ipv6: { enabled: true, address: [{ ip: 'fd2e:6f44:5dd8::55', prefix-length: 128 }] }
  - { name: eno2, state: down }
  - { name: eno3, state: down }
dns-resolver: { config: { server: [192.168.101.1] } }
routes:
  config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.101.1, next-hop-interface: eno1 }
    - { destination: 10.9.0.0/16, next-hop-address: 10.1.0.1, next-hop-interface: eno1 }
    - { destination: '::/0', next-hop-address: 'fd2e:6f44:5dd8::1', next-hop-interface: eno1 }
`,
  'virtual functions': `
interfaces:
  - name: eno1
    ethernet:
      sr-iov:
        total-vfs: 12
        drivers-autoprobe: false
        vfs:
          - { id: 10, trust: true, spoof-check: false }
          - { id: 2, mac-address: '52:54:00:aa:bb:cc', min-tx-rate: 0, max-tx-rate: 1000 }
          - { id: 3 }
          - { id: 0, vlan-id: 100, qos: 5, vlan-proto: 802.1ad }
          - { id: 1, vlan-id: 0, qos: 2 }
          - { id: 11, vlan-id: 4095, vlan-proto: 802.1q, trust: false }
  - { name: eno1v0, ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] } }
  - { name: eno2, mtu: 9000, ethernet: { auto-negotiation: true, sr-iov: { total-vfs: 2, drivers-autoprobe: true, vfs: [] } } }
  - { name: eno3, ethernet: { sr-iov: { total-vfs: 0 } } }
`,
  'settings of drivers': `
interfaces:
  - name: eno1
    ethtool:
      feature: { tso: false, rx-gro: false, tx-checksum-ip-generic: true, highdma: true, rx-checksumming: true, tx-scatter-gather: false, tx-udp_tnl-segmentation: false }
      ring: { rx: 4096, tx: 2048, rx-mini: 0, rx-jumbo: 64 }
      coalesce: { adaptive-rx: true, adaptive-tx: false, rx-usecs: 10, rx-frames-low: 1, rx-usecs-irq: 0, rx-usecs-high: 4, tx-frames: 3, tx-frames-high: 7, tx-usecs: 8, pkt-rate-low: 5, pkt-rate-high: 6 }
      pause: { autoneg: false, rx: true, tx: false }
      fec: { auto: true, mode: rs }
  - { name: eno2, ethtool: { pause: { autoneg: true, rx: true }, fec: { auto: false }, feature: {} } }
  - { name: eno3, ethtool: { pause: { rx: true, tx: false }, fec: { mode: llrs } } }
  - { name: eno4, ethtool: { fec: { mode: baser, auto: false } } }
  - { name: eno5, ethtool: { fec: { mode: rs }, ring: {}, coalesce: {} } }
  - { name: eno6, ethtool: { fec: { mode: off } } }
  - { name: eno7, ethtool: {} }
`,
  'settings of drivers above and below a bond': `
interfaces:
  - { name: bond0, type: bond, ethtool: { feature: { lro: false } }, link-aggregation: { mode: 1, port: [eno1, eno2] }, ipv4: { enabled: true, dhcp: true } }
  - { name: eno1, mtu: 9000, ethtool: { ring: { rx: 512 } }, ethernet: { sr-iov: { total-vfs: 4 } } }
  - { name: eno2, identifier: mac-address, mac-address: '52:54:00:00:00:02', ethtool: { ring: { rx: 512 } } }
  - { name: bond0.5, type: vlan, mtu: 1400, ethtool: { feature: { gro: false } }, vlan: { base-iface: bond0, id: 5 } }
  - { name: br0, type: linux-bridge, ethtool: { feature: { tx: false } }, bridge: { port: [{ name: bond0.5 }] } }
`,
  'routes of both families': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] }
    ipv6: { enabled: true, address: [{ ip: '2001:db8:1::2', prefix-length: 64 }] }
routes:
  config:
    - { destination: 198.51.100.0/24, next-hop-address: 192.0.2.9, next-hop-interface: eno1, metric: 150, table-id: 254 }
    - { destination: 0.0.0.0/0, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }
    - { destination: '::/0', next-hop-address: '2001:db8:1::1', next-hop-interface: eno1 }
    - { destination: '2001:db8:2::/64', next-hop-address: '2001:db8:1:0::9', next-hop-interface: eno1, metric: 0 }
    - { destination: 10.0.0.0/8, next-hop-address: 192.0.2.8, next-hop-interface: eno1, metric: -1, table-id: 0 }
`,
  'routes in order': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] } }
routes:
  config:
    - { destination: 9.0.0.0/8, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }
    - { destination: 10.0.0.0/8, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }
    - { destination: 10.0.0.0/8, next-hop-address: 192.0.2.3, next-hop-interface: eno1, metric: 20 }
    - { destination: 10.0.0.0/16, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }
    - { destination: 10.0.0.0/8, next-hop-address: 192.0.2.1, next-hop-interface: eno1, table-id: 50 }
`,
  'routes on the link, and with a source': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] }, ipv6: { enabled: true, address: [{ ip: 'fd00::2', prefix-length: 64 }] } }
routes:
  config:
    - { destination: 198.51.100.0/24, next-hop-interface: eno1 }
    - { destination: 203.0.113.0/24, next-hop-address: 0.0.0.0, next-hop-interface: eno1, metric: 5 }
    - { destination: 203.0.112.0/24, next-hop-address: 192.0.2.1, next-hop-interface: eno1, source: 192.0.2.2 }
    - { destination: 'fd01::/64', next-hop-address: '::', next-hop-interface: eno1, table-id: 77 }
    - { destination: 'fd02::/64', next-hop-address: 'fe80::1', next-hop-interface: eno1, source: 'fd00:0::2' }
`,
  'a destination with bits of a host': `
interfaces: [{ name: eno1, ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] } }]
routes: { config: [{ destination: 198.51.100.7/24, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }] }
`,
  'a static route beside DHCP': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes: { config: [{ destination: 198.51.100.0/24, next-hop-address: 192.0.2.1, next-hop-interface: eno1 }] }
`,
  'name servers of both families': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] }
    ipv6: { enabled: true, address: [{ ip: 'fd00::2', prefix-length: 64 }] }
dns-resolver: { config: { server: ['fd00:0:0::53', 192.0.2.53, 192.0.2.54], search: [example.com, example.org], options: [rotate, 'ndots:2'] } }
`,
  'IPv4 name servers first': `
interfaces:
  - name: eno1
    ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] }
    ipv6: { enabled: true, address: [{ ip: 'fd00::2', prefix-length: 64 }] }
dns-resolver: { config: { server: [192.0.2.53, 'fd00::53'], search: [example.com] } }
`,
  'name servers beside DHCP': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true } }
  - { name: eno2, ipv4: { enabled: true, dhcp: true, auto-dns: false } }
dns-resolver: { config: { server: [192.0.2.53] } }
`,
  'name servers with the interface that has an address': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true } }
  - { name: eno9, ipv4: { enabled: true, address: [{ ip: 192.0.2.9, prefix-length: 24 }] } }
  - { name: eno3, ipv4: { enabled: true, address: [{ ip: 192.0.2.3, prefix-length: 24 }] } }
dns-resolver: { config: { server: [192.0.2.53] } }
`,
  'name servers with DHCP alone': `
interfaces:
  - { name: eno2, ipv4: { enabled: true }, ipv6: { enabled: true } }
  - { name: eno1, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true } }
dns-resolver: { config: { server: [192.0.2.53, 'fd00::53'] } }
`,
  'a name server on the link': `
interfaces:
  - { name: eno1, ipv6: { enabled: true, address: [{ ip: 'fd00::1', prefix-length: 64 }] } }
  - { name: eno2, ipv6: { enabled: true, address: [{ ip: 'fd00:1::1', prefix-length: 64 }] } }
dns-resolver: { config: { server: ['fe80::53%eno2'] } }
`,
  'domains without servers': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] } }
  - { name: eno2, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true } }
dns-resolver: { config: { search: [example.com] } }
`,
  'domains without servers and DHCP': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, address: [{ ip: 192.0.2.2, prefix-length: 24 }] } }
dns-resolver: { config: { options: [edns0], search: [] } }
`,
  'a resolver that says nothing': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
dns-resolver: { config: { server: [], search: [] } }
routes: { config: [] }
`,
  'a name of the node': `
hostname: { config: node-1.example.com }
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
`,
  'a bond of LACP': `
interfaces:
  - name: bond0
    type: bond
    state: up
    mtu: 9000
    ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }
    link-aggregation:
      mode: 802.3ad
      options: { miimon: '140', lacp_rate: fast, xmit_hash_policy: layer3+4, ad_actor_system: '02:00:00:00:00:0a' }
      port: [eno2, eno1]
  - { name: eno1, type: ethernet, mtu: 9000, ipv4: { enabled: false }, ipv6: { enabled: false } }
`,
  'a bond of a backup': `
interfaces:
  - name: bond0
    type: bond
    mac-address: 52:54:00:00:00:0a
    ipv4: { enabled: true, dhcp: true }
    bond:
      mode: 1
      options: { primary: eno1, fail_over_mac: 1, miimon: 100, use_carrier: true, all_slaves_active: dropped, primary_reselect: 2, arp_missed_max: 2 }
      ports: [eno1, eno2]
`,
  'a bond that asks neighbours': `
interfaces:
  - name: bond0
    type: bond
    mac-address: 52:54:00:00:00:0a
    link-aggregation:
      mode: active-backup
      options: { arp_interval: 1000, arp_ip_target: '192.0.2.1,192.0.2.2', arp_validate: filter_active, arp_all_targets: all, arp_missed_max: 3, fail_over_mac: none, num_grat_arp: 3, resend_igmp: 2 }
      port: [eno1]
`,
  'a bond that shares the load': `
interfaces:
  - { name: bond0, type: bond, link-aggregation: { mode: balance-tlb, options: { tlb_dynamic_lb: false, updelay: 200, downdelay: 100, miimon: 100 }, port: [eno1, eno2] } }
  - { name: bond1, type: bond, link-aggregation: { mode: balance-rr, options: { packets_per_slave: 4, lp_interval: 3, min_links: 1 }, port: [eno3] } }
  - { name: bond2, type: bond, link-aggregation: { mode: 'balance-xor', options: {}, port: [] } }
  - { name: bond3, type: bond, link-aggregation: { mode: 6 } }
`,
  'a bond with ports found by MAC address': `
interfaces:
  - { name: bond0, type: bond, ipv4: { enabled: true, dhcp: true }, link-aggregation: { mode: active-backup, port: [port1, port2] } }
  - { name: port1, type: ethernet, identifier: mac-address, mac-address: '52:54:00:00:00:01' }
  - { name: port2, type: ethernet, identifier: mac-address, mac-address: '52:54:00:00:00:02' }
`,
  'a VLAN': `
interfaces:
  - { name: eno1, type: ethernet, state: up }
  - name: eno1.100
    type: vlan
    state: up
    vlan: { base-iface: eno1, id: 100 }
    ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }
routes: { config: [{ destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: eno1.100 }] }
dns-resolver: { config: { server: [192.168.126.1] } }
`,
  'VLANs with everything': `
interfaces:
  - { name: eno1, type: ethernet, state: up }
  - { name: outer, type: vlan, vlan: { base-iface: eno1, id: 4094, protocol: 802.1ad, reorder-headers: false } }
  - { name: inner, type: vlan, mtu: 1400, vlan: { base-iface: outer, id: 1, protocol: 802.1q, registration-protocol: gvrp, loose-binding: true } }
  - { name: third, type: vlan, vlan: { base-iface: eno1, id: 3, registration-protocol: mvrp, reorder-headers: true, loose-binding: false } }
  - { name: fourth, type: vlan, vlan: { base-iface: eno1, id: 4, registration-protocol: none } }
`,
  'a VLAN on a bond': `
interfaces:
  - name: bond0
    type: bond
    state: up
    ipv4: { enabled: false }
    ipv6: { enabled: false }
    link-aggregation: { mode: 802.3ad, options: { miimon: '100' }, port: [eno1, eno2] }
  - name: bond0.300
    type: vlan
    state: up
    vlan: { base-iface: bond0, id: 300 }
    ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }], dhcp: false }
    ipv6: { enabled: true, address: [{ ip: 'fd2e:6f44:5dd8::10', prefix-length: 64 }] }
dns-resolver: { config: { server: [192.168.126.1, 'fd2e:6f44:5dd8::1'] } }
routes:
  config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: bond0.300, table-id: 254 }
    - { destination: '::/0', next-hop-address: 'fd2e:6f44:5dd8::1', next-hop-interface: bond0.300, table-id: 254 }
`,
  'a bridge': `
interfaces:
  - name: br0
    type: linux-bridge
    state: up
    ipv4: { enabled: true, dhcp: true }
    ipv6: { enabled: false }
    bridge: { options: { stp: { enabled: false } }, port: [{ name: eno1 }] }
  - { name: eno1, type: ethernet, state: up, ipv4: { enabled: false }, ipv6: { enabled: false } }
`,
  'a bridge with everything': `
interfaces:
  - name: br0
    type: linux-bridge
    mac-address: 52:54:00:00:00:0b
    bridge:
      options:
        mac-ageing-time: 300
        multicast-snooping: false
        group-forward-mask: 16392
        stp: { enabled: true, forward-delay: 15, hello-time: 2, max-age: 20, priority: 32768 }
      ports:
        - { name: eno2, stp-hairpin-mode: true, stp-path-cost: 100, stp-priority: 32 }
        - { name: eno1, stp-hairpin-mode: false }
`,
  'a bridge without ports': `
interfaces:
  - { name: br0, type: linux-bridge, ipv4: { enabled: true, address: [{ ip: 10.0.0.1, prefix-length: 24 }] } }
  - { name: br1, type: linux-bridge, bridge: { port: [] } }
  - { name: br2, type: linux-bridge, bridge: { options: { mac-ageing-time: 0 } } }
`,
  'a bridge over a bond, with a port found by MAC address': `
interfaces:
  - { name: br0, type: linux-bridge, ipv4: { enabled: true, dhcp: true }, bridge: { port: [{ name: bond0 }, { name: port3, stp-path-cost: 4 }] } }
  - { name: bond0, type: bond, link-aggregation: { mode: active-backup, port: [eno1, eno2] } }
  - { name: port3, identifier: mac-address, mac-address: '52:54:00:00:00:03' }
`,
  'a bridge over a VLAN': `
interfaces:
  - { name: eno1 }
  - { name: eno1.20, type: vlan, vlan: { base-iface: eno1, id: 20 } }
  - { name: br20, type: linux-bridge, bridge: { options: { stp: {} }, port: [{ name: eno1.20 }] }, ipv6: { enabled: true, dhcp: true, autoconf: true } }
dns-resolver: { config: { server: ['fd00::53'], search: [example.com] } }
`,
  descriptions: `
interfaces:
  - { name: eno1, description: "uplink in rack 7; a=b", ipv4: { enabled: true, dhcp: true }, ethtool: { feature: { tso: false } } }
  - { name: eno2, description: '', ethernet: { sr-iov: { total-vfs: 2 } } }
  - { name: bond0, type: bond, description: both, link-aggregation: { mode: 1, port: [eno1.7] } }
  - { name: eno1.7, type: vlan, description: port, vlan: { base-iface: eno1, id: 7 } }
`,
  'a VLAN on an interface that is not described': `
interfaces:
  - { name: eno1.20, type: vlan, state: up, vlan: { base-iface: eno1, id: 20 }, ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] } }
`,
  'a VLAN on an interface that is found by its MAC address': `
interfaces:
  - { name: nic1, identifier: mac-address, mac-address: '52:54:00:00:00:01' }
  - { name: nic1.20, type: vlan, vlan: { base-iface: nic1, id: 20 }, ipv4: { enabled: true, dhcp: true } }
  - { name: nic2, profile-name: uplink, identifier: mac-address, mac-address: '52:54:00:00:00:02' }
  - { name: nic2.20, type: vlan, vlan: { base-iface: uplink, id: 20 } }
  - { name: eno3, profile-name: third }
  - { name: nic3.20, type: vlan, vlan: { base-iface: third, id: 20 } }
  - { name: nic3.20.5, type: vlan, vlan: { base-iface: nic3.20, id: 5 } }
`,
  'interfaces that are absent or ignored': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true } }
  - { name: eno2, type: ethernet, state: absent }
  - { name: eno3, type: ethernet, state: ignore, ipv4: { enabled: true, dhcp: true } }
  - { name: bond0, type: bond, state: absent }
  - { name: bond1, type: bond, link-aggregation: { mode: 1, port: [eno2, eno4] } }
  - { name: eno2.5, type: vlan, vlan: { base-iface: eno2, id: 5 } }
  - { name: lo, type: loopback, state: absent }
`,
  'balance-slb': `
interfaces:
  - { name: bond0, type: bond, link-aggregation: { mode: balance-xor, port: [eno1, eno2], options: { balance-slb: true, xmit_hash_policy: vlan+srcmac } } }
  - { name: bond1, type: bond, link-aggregation: { mode: balance-xor, port: [eno3], options: { balance_slb: yes, xmit_hash_policy: 5 } } }
  - { name: bond2, type: bond, link-aggregation: { mode: 802.3ad, port: [eno4], options: { balance-slb: 0 } } }
`,
  'other client identifiers': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true, dhcp-client-id: my-client } }
  - { name: eno2, ipv4: { enabled: true, dhcp: true, dhcp-client-id: LL }, ipv6: { enabled: true, dhcp: true, autoconf: true, dhcp-duid: LLT } }
  - { name: eno3, ipv4: { enabled: true, dhcp: true, dhcp-client-id: IAID+DUID }, ipv6: { enabled: true, dhcp: true, autoconf: true, dhcp-duid: stable-uuid } }
  - { name: eno4, ipv4: { enabled: true, dhcp: true, dhcp-client-id: '' }, ipv6: { enabled: true, dhcp: true, autoconf: true, dhcp-duid: LL } }
`,
  'a rule for a second default route': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: false, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }, ipv6: { enabled: false } }
  - { name: eno2, ipv4: { enabled: true, address: [{ ip: 192.168.127.10, prefix-length: 24 }] } }
routes:
  config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: eno1 }
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.127.1, next-hop-interface: eno2, table-id: 200 }
route-rules: { config: [{ ip-from: 192.168.127.0/24, route-table: 200, priority: 1000 }] }
`,
  'a rule for the table of DHCP': `
interfaces:
  - { name: z1, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true, dhcp: true, autoconf: true, auto-route-table-id: 201 } }
  - { name: eno1, ipv4: { enabled: true, dhcp: true, auto-route-table-id: 200 } }
route-rules: { config: [{ ip-to: 10.0.0.1, ip-from: 10.7.1.1/8, route-table: 200 }, { ip-to: 'FD00:0::/8', route-table: 201, priority: 5 }] }
`,
  'rules of an interface, marks and actions': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true } }
  - { name: eno2, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true } }
route-rules:
  config:
    - { family: ipv4, fwmark: 0x20, fwmask: 0xff, iif: eno2, suppress-prefix-length: 0, priority: 5, route-table: 254 }
    - { family: ipv6, action: unreachable, ip-from: '', iif: eno2 }
    - { ip-from: 10.0.0.0/8, action: blackhole, fwmark: 7, route-table: 77 }
    - { ip-from: 10.0.0.0/8, state: absent }
`,
  'a rule for a table without routes': `
interfaces: [{ name: eno1, state: down, ipv4: { enabled: false } }, { name: eno2, ipv4: { enabled: true, dhcp: true } }]
route-rules: { config: [{ ip-to: 10.9.0.0/16, route-table: 77 }] }
`,
  'a rule that no interface can hold': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
route-rules: { config: [{ ip-to: 'fd00::/8', route-table: 77 }] }
`,
  'a rule with the priority of another': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true, auto-route-table-id: 7 } }
  - { name: eno2, ipv4: { enabled: true, dhcp: true } }
  - { name: eno3, ipv4: { enabled: true, dhcp: true }, ipv6: { enabled: true } }
route-rules:
  config:
    - { ip-to: 10.9.0.0/16, route-table: 7, priority: 40000 }
    - { family: ipv4, route-table: 8, iif: eno2 }
    - { ip-to: 10.9.0.0/16, route-table: 9, iif: eno3, priority: -1 }
    - { ip-to: 'fd00::/8', route-table: 0, priority: 0 }
`,
  'dummy interfaces': `
interfaces:
  - { name: dummy0, type: dummy, mtu: 1400, mac-address: '52:54:00:00:00:01', ipv4: { enabled: true, address: [{ ip: 192.0.2.5, prefix-length: 32 }] } }
  - { name: eno1, ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] } }
  - { name: bond0, type: bond, link-aggregation: { mode: 1, port: [d1] } }
  - { name: d1, type: dummy }
dns-resolver: { config: { server: [192.168.126.1] } }
`,
  'addresses of the loopback': `
interfaces:
  - { name: lo, type: loopback, mtu: 65536, description: anycast, ipv4: { enabled: true, address: [{ ip: 127.0.0.1, prefix-length: 8 }, { ip: 192.0.2.5, prefix-length: 32 }] } }
  - { name: eno1, ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] } }
dns-resolver: { config: { server: [192.168.126.1], search: [example.com] } }
`,
  'a loopback of which nothing is said': `
interfaces: [{ name: lo, type: loopback, profile-name: loop, ipv6: { enabled: true, address: [{ ip: '::1', prefix-length: 128 }, { ip: '2001:db8::9', prefix-length: 128 }] } }]
`,
  'routes that drop packets': `
interfaces: [{ name: eno1, ipv4: { enabled: true, dhcp: true } }]
routes:
  config:
    - { destination: 198.51.100.0/24, route-type: blackhole }
    - { destination: 198.51.100.0/24, route-type: blackhole, table-id: 5, next-hop-interface: lo }
    - { destination: 'fd00::/8', route-type: unreachable, metric: 7 }
    - { destination: 10.0.0.0/8, route-type: prohibit }
route-rules: { config: [{ ip-to: 10.9.0.0/16, route-table: 5 }] }
`,
  'routes that share the load, and their options': `
interfaces:
  - { name: eno1, ipv4: { enabled: true, dhcp: true } }
  - { name: eno2, ipv4: { enabled: true, dhcp: true } }
routes:
  config:
    - { destination: 198.51.100.0/24, next-hop-interface: eno1, next-hop-address: 10.0.0.1, weight: 10 }
    - { destination: 198.51.100.0/24, next-hop-interface: eno1, next-hop-address: 10.0.0.1, weight: 9 }
    - { destination: 198.51.100.0/24, next-hop-interface: eno2, next-hop-address: 10.0.1.1, weight: 256 }
    - { destination: 203.0.113.0/24, next-hop-interface: eno1, next-hop-address: 10.0.0.1, cwnd: 20, lock-mtu: false, mtu: 1400, initcwnd: 30, initrwnd: 40, quickack: true, advmss: 1300, source: 10.0.0.9 }
    - { destination: 10.0.0.0/8, next-hop-interface: eno1, next-hop-address: 10.0.0.1, mtu: 1400, table-id: 0 }
    - { destination: 10.0.0.0/8, next-hop-interface: eno1, next-hop-address: 10.0.0.1, mtu: 1300, lock-mtu: true }
    - { state: absent, next-hop-interface: eno9 }
    - { state: ignore, destination: 0.0.0.0/0 }
`,
  'VLANs of bridge ports': `
interfaces:
  - name: br0
    type: linux-bridge
    bridge:
      options: { vlan-default-pvid: 5, vlan-protocol: 802.1ad }
      port:
        - { name: eno1, vlan: { mode: trunk, trunk-tags: [{ id: 101 }, { id-range: { min: 500, max: 599 } }, { id-range: { min: 9, max: 9 } }], tag: 100, enable-native: true } }
        - { name: eno2, vlan: { mode: access, tag: 200 } }
        - { name: eno3, vlan: {} }
        - { name: eno4, stp-priority: 3, vlan: { tag: 5 } }
        - { name: eno5, vlan: { mode: trunk, trunk-tags: [] } }
        - { name: eno6 }
  - name: br1
    type: linux-bridge
    bridge: { options: { vlan-protocol: 802.1q }, port: [{ name: eno7, vlan: {} }] }
`,
};
