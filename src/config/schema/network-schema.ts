import { z } from 'zod';

import { ethtool } from './network-device-schema.js';
import { bond, bridge, ethernet, vlan } from './network-link-schema.js';
import { optional, required } from './schema-parts.js';

const unsigned = z.int().min(0).max(4_294_967_295);
const positive = z.int().min(1).max(4_294_967_295);

const address = z
  .strictObject({
    ip: required(z.string(), 'The address.'),
    'prefix-length': required(z.int().min(0).max(128), 'Prefix length: 24 for 255.255.255.0.'),
  })
  .meta({ description: 'A static address.' });

const both = {
  enabled: optional(
    z.boolean(),
    'Whether the address family is enabled. Omitted means no, regardless of the other fields.',
  ),
  dhcp: optional(z.boolean(), 'Whether DHCP is used.'),
  address: optional(z.array(address), 'Static addresses; with DHCP, in addition.'),
  'auto-dns': optional(z.boolean(), 'Whether name servers from DHCP and router advertisements are used.'),
  'auto-gateway': optional(
    z.boolean(),
    'Whether the default route from DHCP and router advertisements is used.',
  ),
  'auto-routes': optional(z.boolean(), 'Whether other routes from DHCP and router advertisements are used.'),
  'auto-route-table-id': optional(
    z.int().min(0).max(4_294_967_295),
    'Routing table for routes from DHCP and router advertisements.',
  ),
  'auto-route-metric': optional(
    z.int().min(0).max(4_294_967_295),
    'Metric of routes from DHCP and router advertisements.',
  ),
  'dhcp-send-hostname': optional(z.boolean(), 'Whether the hostname is sent to DHCP servers.'),
  'dhcp-custom-hostname': optional(
    z.string(),
    'Hostname to send to DHCP servers instead of that of the node.',
  ),
};

const ipv4 = z.strictObject({
  ...both,
  'dhcp-client-id': optional(
    z.string(),
    'Client identifier sent to DHCP servers: `ll`, `iaid+duid`, bytes such as `01:02`, a NetworkManager keyword such as `stable`, or any text.',
  ),
});

const ipv6 = z.strictObject({
  ...both,
  autoconf: optional(
    z.boolean(),
    'Whether addresses from router advertisements (SLAAC) are used. Needs `dhcp: true`.',
  ),
  'dhcp-duid': optional(z.string(), 'DHCP unique identifier (DUID): `ll`, `llt` or bytes such as `00:03`.'),
  'addr-gen-mode': optional(
    z.enum(['eui64', 'stable-privacy']),
    'Generation of the interface identifier, the last 64 bits of automatic addresses.',
  ),
  token: optional(z.string(), 'Fixed interface identifier for automatic addresses, such as `::10`.'),
});

const linkFields = {
  ethernet: optional(ethernet, 'Ethernet settings, for type ethernet.'),
  'link-aggregation': optional(bond, 'Bond settings, for type bond.'),
  bond: optional(bond, 'The same as `link-aggregation`.'),
  vlan: optional(vlan, 'VLAN settings, for type vlan.'),
  bridge: optional(bridge, 'Bridge settings, for type linux-bridge.'),
};

const networkInterface = z
  .strictObject({
    name: required(
      z.string(),
      'Name of the interface. With `identifier: mac-address`, the name of its profile.',
    ),
    type: optional(
      z.enum(['ethernet', 'bond', 'vlan', 'linux-bridge', 'dummy', 'loopback']),
      'Type of the interface. Omitted means ethernet.',
    ),
    state: optional(
      z.enum(['up', 'down', 'absent', 'ignore']),
      'Whether the interface is activated. Omitted means up. With `absent` and `ignore` no profile is written.',
    ),
    description: optional(z.string(), 'Free text, written to the profile.'),
    identifier: optional(
      z.enum(['name', 'mac-address']),
      'How the interface is identified. Omitted means by its name.',
    ),
    'mac-address': optional(
      z.string(),
      'MAC address, such as `52:54:00:12:34:56`: selects the interface with `identifier: mac-address`, otherwise it is set on the interface.',
    ),
    'profile-name': optional(
      z.string(),
      'Name of the profile and its file. Omitted means the name of the interface.',
    ),
    mtu: optional(z.int().min(68).max(65_536), 'MTU in bytes: 68 to 65536, at least 1280 with IPv6.'),
    'wait-ip': optional(
      z.enum(['any', 'ipv4', 'ipv6', 'ipv4+ipv6']),
      'Address families that must be configured before the interface counts as up. Omitted means any.',
    ),
    'accept-all-mac-addresses': optional(
      z.boolean(),
      'Promiscuous mode: the interface also receives packets for other hosts.',
    ),
    lldp: optional(
      z.strictObject({ enabled: required(z.boolean(), 'Whether LLDP is enabled.') }),
      'Link Layer Discovery Protocol.',
    ),
    ethtool: optional(ethtool, 'ethtool settings.'),
    ipv4: optional(ipv4, 'IPv4 settings. Omitted means no IPv4.'),
    ipv6: optional(ipv6, 'IPv6 settings. Omitted means no IPv6.'),
    ...linkFields,
  })
  .meta({ description: 'An interface.' });

const nameServers = z.strictObject({
  server: optional(
    z.array(z.string().meta({ description: 'Address of a name server.' })),
    'Name servers, queried in this order.',
  ),
  search: optional(z.array(z.string().meta({ description: 'A domain.' })), 'Search domains for short names.'),
  options: optional(
    z.array(z.string().meta({ description: 'An option of resolv.conf, such as `rotate` or `ndots:2`.' })),
    'Options of the resolver.',
  ),
});

const route = z
  .strictObject({
    destination: optional(
      z.string(),
      'Destination network, such as `0.0.0.0/0`. Required unless `state` is set.',
    ),
    'next-hop-interface': optional(
      z.string(),
      'Outgoing interface. Required unless `route-type` or `state` is set.',
    ),
    'next-hop-address': optional(
      z.string(),
      'Address of the gateway. Omitted means that the destination is on the link.',
    ),
    metric: optional(
      z.int().min(-1).max(4_294_967_295),
      'Metric; the route with the lowest one is used. Omitted or -1 means the default of the kernel.',
    ),
    'table-id': optional(
      z.int().min(0).max(4_294_967_295),
      'Routing table. Omitted or 0 means the main table, 254.',
    ),
    source: optional(z.string(), 'Source address of packets.'),
    state: optional(
      z.enum(['absent', 'ignore']),
      'Removes or skips a route on a running machine. Accepted and ignored here.',
    ),
    'route-type': optional(
      z.enum(['blackhole', 'unreachable', 'prohibit']),
      'Drops packets to the destination, or answers them with an error. Such a route has no next hop.',
    ),
    weight: optional(
      z.int().min(1).max(256),
      'Weight among IPv4 routes to the same destination (ECMP): 1 to 256.',
    ),
    mtu: optional(positive, 'MTU of this route, in bytes.'),
    'lock-mtu': optional(z.boolean(), 'Whether `mtu` is locked against path MTU discovery.'),
    cwnd: optional(positive, 'Upper limit of the TCP congestion window, in packets.'),
    initcwnd: optional(unsigned, 'Initial TCP congestion window, in packets.'),
    initrwnd: optional(unsigned, 'Initial TCP receive window, in packets.'),
    advmss: optional(positive, 'Maximum TCP segment size to advertise, in bytes.'),
    quickack: optional(z.boolean(), 'Whether TCP acknowledgments are sent without delay.'),
  })
  .meta({ description: 'A route.' });

const routeRule = z
  .strictObject({
    family: optional(z.enum(['ipv4', 'ipv6']), 'Required without `ip-from` and `ip-to`.'),
    'ip-from': optional(z.string(), 'Source network or address of packets.'),
    'ip-to': optional(z.string(), 'Destination network or address of packets.'),
    priority: optional(
      z.int().min(-1).max(4_294_967_295),
      'Priority; rules with a lower value are evaluated first. Omitted or -1 means a free value from 30000 on.',
    ),
    'route-table': optional(unsigned, 'Routing table to look up. Omitted or 0 means the main table, 254.'),
    fwmark: optional(unsigned, 'Firewall mark of the packets.'),
    fwmask: optional(unsigned, 'Mask of the firewall mark, with `fwmark`.'),
    action: optional(
      z.enum(['blackhole', 'unreachable', 'prohibit']),
      'Drops the packets, or answers with an error, instead of a table lookup.',
    ),
    iif: optional(z.string(), 'Incoming interface.'),
    'suppress-prefix-length': optional(
      z.int().min(0).max(128),
      'Ignores routes of the table with a prefix of at most this length.',
    ),
    suppress_prefixlength: optional(z.int().min(0).max(128), 'The same as `suppress-prefix-length`.'),
    state: optional(z.enum(['absent']), 'Removes a rule on a running machine. Accepted and ignored here.'),
  })
  .meta({ description: 'A rule that chooses a routing table.' });

/** The node's network: the supported part of nmstate's format, and NetworkManager keyfiles. */
export const network = z.strictObject({
  hostname: optional(
    z.strictObject({
      config: optional(z.string(), 'Hostname of the node, if the top-level `hostname` is not set.'),
    }),
    'Hostname of the node in nmstate format.',
  ),
  interfaces: optional(z.array(networkInterface), 'The interfaces of the node.'),
  'dns-resolver': optional(
    z.strictObject({ config: optional(nameServers, 'Name servers and domains.') }),
    'Name resolution.',
  ),
  routes: optional(
    z.strictObject({
      config: optional(z.array(route), 'Routes, in addition to those of the networks of the addresses.'),
    }),
    'Routes.',
  ),
  'route-rules': optional(
    z.strictObject({ config: optional(z.array(routeRule), 'The rules.') }),
    'Rules that choose a routing table (policy routing).',
  ),
  keyfiles: optional(
    z.array(z.string().meta({ description: 'Path of a `.nmconnection` file.' })),
    'NetworkManager keyfiles that are used unchanged; paths relative to the directory of the config.',
  ),
});

/** `network` as written by the user. */
export type NetworkInput = z.output<typeof network>;

/** One interface with a static address from the documentation ranges. */
export const networkExample = {
  hostname: { config: 'node-1' },
  interfaces: [
    {
      name: 'eno1',
      type: 'ethernet',
      ipv4: { enabled: true, address: [{ ip: '192.168.126.10', 'prefix-length': 24 }] },
      ipv6: { enabled: false },
    },
  ],
  'dns-resolver': { config: { server: ['192.168.126.1'] } },
  routes: {
    config: [{ destination: '0.0.0.0/0', 'next-hop-address': '192.168.126.1', 'next-hop-interface': 'eno1' }],
  },
};
