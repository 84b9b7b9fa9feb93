import { z } from 'zod';

import { optional, required } from './schema-parts.js';

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

/** IPv4 of an interface. */
export const ipv4 = z.strictObject({
  ...both,
  'dhcp-client-id': optional(z.string(), 'Who the node is to DHCP: `ll`, `iaid+duid` or bytes as `01:02`.'),
});

/** IPv6 of an interface. */
export const ipv6 = z.strictObject({
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
