import { z } from 'zod';

import { ethtool } from './network-device-schema.js';
import { bond, bridge, ethernet, vlan } from './network-link-schema.js';
import { optional, required } from './schema-parts.js';

const unsigned = z.int().min(0).max(4_294_967_295);
const positive = z.int().min(1).max(4_294_967_295);

const address = z
  .strictObject({
    ip: required(z.string(), 'The address.'),
    'prefix-length': required(
      z.int().min(0).max(128),
      'How many leading bits are the network: 24 for 255.255.255.0.',
    ),
  })
  .meta({ description: 'A static address.' });

const both = {
  enabled: optional(
    z.boolean(),
    'Whether the interface speaks it. Omitted means no, whatever else stands here.',
  ),
  dhcp: optional(z.boolean(), 'Whether addresses come by DHCP.'),
  address: optional(z.array(address), 'Static addresses; with DHCP, in addition.'),
  'auto-dns': optional(z.boolean(), 'Whether name servers are taken from DHCP and router advertisements.'),
  'auto-gateway': optional(z.boolean(), 'Whether the default route is taken from there.'),
  'auto-routes': optional(z.boolean(), 'Whether other routes are taken from there.'),
  'auto-route-table-id': optional(z.int().min(0).max(4_294_967_295), 'Routing table for routes from there.'),
  'auto-route-metric': optional(z.int().min(0).max(4_294_967_295), 'Metric of routes from there.'),
  'dhcp-send-hostname': optional(z.boolean(), 'Whether DHCP is told the name of the node.'),
  'dhcp-custom-hostname': optional(z.string(), 'Another name to tell DHCP.'),
};

const ipv4 = z.strictObject({
  ...both,
  'dhcp-client-id': optional(
    z.string(),
    'Client identifier sent to DHCP servers: `ll`, `iaid+duid`, bytes such as `01:02`, a word of NetworkManager such as `stable`, or any text.',
  ),
});

const ipv6 = z.strictObject({
  ...both,
  autoconf: optional(
    z.boolean(),
    'Whether addresses come by router advertisements. Goes together with `dhcp: true`.',
  ),
  'dhcp-duid': optional(z.string(), 'Who the node is to DHCP: `ll`, `llt` or bytes as `00:03`.'),
  'addr-gen-mode': optional(
    z.enum(['eui64', 'stable-privacy']),
    'How the last half of automatic addresses is made.',
  ),
  token: optional(z.string(), 'The last half of automatic addresses, as `::10`.'),
});

const linkFields = {
  ethernet: optional(ethernet, 'The link itself, for type ethernet.'),
  'link-aggregation': optional(bond, 'The bond, for type bond.'),
  bond: optional(bond, 'The same as `link-aggregation`.'),
  vlan: optional(vlan, 'The VLAN, for type vlan.'),
  bridge: optional(bridge, 'The bridge, for type linux-bridge.'),
};

const networkInterface = z
  .strictObject({
    name: required(
      z.string(),
      'Name of the interface. With `identifier: mac-address` a name for its profile.',
    ),
    type: optional(
      z.enum(['ethernet', 'bond', 'vlan', 'linux-bridge', 'dummy', 'loopback']),
      'What it is. Omitted means ethernet.',
    ),
    state: optional(
      z.enum(['up', 'down', 'absent', 'ignore']),
      'Whether it is brought up. Omitted means up. `absent` and `ignore` write no profile, as if the interface were not described.',
    ),
    description: optional(z.string(), 'Free text for readers; kept in the profile.'),
    identifier: optional(
      z.enum(['name', 'mac-address']),
      'By what the interface is found. Omitted means by its name.',
    ),
    'mac-address': optional(
      z.string(),
      'Address of the hardware, as `52:54:00:12:34:56`: the one to find with `identifier: mac-address`, else the one to set.',
    ),
    'profile-name': optional(
      z.string(),
      'Name of the profile and of its file. Omitted means the name of the interface.',
    ),
    mtu: optional(
      z.int().min(68).max(65_536),
      'Largest packet in bytes: 68 to 65536, with IPv6 at least 1280.',
    ),
    'wait-ip': optional(
      z.enum(['any', 'ipv4', 'ipv6', 'ipv4+ipv6']),
      'Addresses of which family have to be there before the interface counts as up. Omitted means any.',
    ),
    'accept-all-mac-addresses': optional(z.boolean(), 'Whether it takes packets for others too.'),
    lldp: optional(
      z.strictObject({ enabled: required(z.boolean(), 'Whether it listens to LLDP.') }),
      'Link Layer Discovery Protocol.',
    ),
    ethtool: optional(ethtool, 'Settings of the driver.'),
    ipv4: optional(ipv4, 'IPv4 of the interface. Omitted means none.'),
    ipv6: optional(ipv6, 'IPv6 of the interface. Omitted means none.'),
    ...linkFields,
  })
  .meta({ description: 'An interface.' });

const nameServers = z.strictObject({
  server: optional(
    z.array(z.string().meta({ description: 'Address of a name server.' })),
    'Name servers, asked in this order.',
  ),
  search: optional(
    z.array(z.string().meta({ description: 'A domain.' })),
    'Domains in which short names are looked up.',
  ),
  options: optional(
    z.array(z.string().meta({ description: 'An option of resolv.conf, such as `rotate` or `ndots:2`.' })),
    'Options of the resolver.',
  ),
});

const route = z
  .strictObject({
    destination: optional(
      z.string(),
      'Network that the route leads to, as `0.0.0.0/0`. Needed unless `state` is given.',
    ),
    'next-hop-interface': optional(
      z.string(),
      'Interface that it goes out of. Needed unless `route-type` or `state` is given.',
    ),
    'next-hop-address': optional(
      z.string(),
      'Address of the router. Omitted means that the destination is on the link.',
    ),
    metric: optional(
      z.int().min(-1).max(4_294_967_295),
      'Lower goes first. Omitted, or -1, means the default of the kernel.',
    ),
    'table-id': optional(
      z.int().min(0).max(4_294_967_295),
      'Routing table. Omitted, or 0, means the main table, 254.',
    ),
    source: optional(z.string(), 'Address that packets start from.'),
    state: optional(
      z.enum(['absent', 'ignore']),
      'Removes or skips a route on a running machine. Such an item writes nothing here.',
    ),
    'route-type': optional(
      z.enum(['blackhole', 'unreachable', 'prohibit']),
      'Packets to the destination are dropped, or answered with an error. Has no next hop.',
    ),
    weight: optional(
      z.int().min(1).max(256),
      'Share of this route among IPv4 routes to the same destination (ECMP): 1 to 256.',
    ),
    mtu: optional(positive, 'Largest packet on this route, in bytes.'),
    'lock-mtu': optional(z.boolean(), 'Whether path MTU discovery may not change `mtu`.'),
    cwnd: optional(positive, 'Upper limit of the TCP congestion window, in packets.'),
    initcwnd: optional(unsigned, 'Initial TCP congestion window, in packets.'),
    initrwnd: optional(unsigned, 'Initial TCP receive window, in packets.'),
    advmss: optional(positive, 'Maximum TCP segment size to advertise, in bytes.'),
    quickack: optional(z.boolean(), 'Whether TCP acknowledgments are sent without delay.'),
  })
  .meta({ description: 'A route.' });

const routeRule = z
  .strictObject({
    family: optional(z.enum(['ipv4', 'ipv6']), 'Needed without `ip-from` and `ip-to`.'),
    'ip-from': optional(z.string(), 'Network or address that packets come from.'),
    'ip-to': optional(z.string(), 'Network or address that packets go to.'),
    priority: optional(
      z.int().min(-1).max(4_294_967_295),
      'Lower is looked at first. Omitted, or -1, means a free one from 30000 on.',
    ),
    'route-table': optional(unsigned, 'Routing table to look up. Omitted, or 0, means the main table, 254.'),
    fwmark: optional(unsigned, 'Mark of the packets, as the firewall sets it.'),
    fwmask: optional(unsigned, 'Bits of the mark that count, with `fwmark`.'),
    action: optional(
      z.enum(['blackhole', 'unreachable', 'prohibit']),
      'Drops the packets, or answers with an error, instead of a table lookup.',
    ),
    iif: optional(z.string(), 'Interface that packets arrive at.'),
    'suppress-prefix-length': optional(
      z.int().min(0).max(128),
      'Ignores routes of the table with a prefix of at most this length.',
    ),
    suppress_prefixlength: optional(z.int().min(0).max(128), 'The same as `suppress-prefix-length`.'),
    state: optional(
      z.enum(['absent']),
      'Removes a rule on a running machine. Such an item writes nothing here.',
    ),
  })
  .meta({ description: 'A rule that chooses a routing table.' });

/** The node's network: the supported part of nmstate's format, and NetworkManager keyfiles. */
export const network = z.strictObject({
  hostname: optional(
    z.strictObject({
      config: optional(z.string(), 'Name of the node, where `hostname` at the top does not give it.'),
    }),
    'Name of the node in the form of nmstate.',
  ),
  interfaces: optional(z.array(networkInterface), 'The interfaces of the node.'),
  'dns-resolver': optional(
    z.strictObject({ config: optional(nameServers, 'Name servers and domains.') }),
    'Name resolution.',
  ),
  routes: optional(
    z.strictObject({
      config: optional(z.array(route), 'Routes beside those to the networks of the addresses.'),
    }),
    'Routes.',
  ),
  'route-rules': optional(
    z.strictObject({ config: optional(z.array(routeRule), 'The rules.') }),
    'Rules that choose a routing table (policy routing).',
  ),
  keyfiles: optional(
    z.array(z.string().meta({ description: 'Path of a file whose name ends in `.nmconnection`.' })),
    'Profiles of NetworkManager that are taken as they are; paths relative to the directory of the config.',
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
