import { z } from 'zod';

import { srIov } from './network-device-schema.js';
import { optional, required } from './schema-parts.js';

const portName = z.string().meta({ description: 'Name of an interface.' });

export const ethernet = z.strictObject({
  'auto-negotiation': optional(z.boolean(), 'Whether speed and duplex are negotiated with the link partner.'),
  speed: optional(z.int().min(1).max(4_294_967_295), 'Mbit/s, with `auto-negotiation: false`.'),
  duplex: optional(z.enum(['full', 'half']), 'With `auto-negotiation: false`.'),
  'sr-iov': optional(srIov, 'Virtual functions of the network card.'),
});

/** Source of the names: the bonding driver of Linux, networking/bonding.rst */
export const bond = z.strictObject({
  mode: required(
    z.string(),
    'Bond mode: balance-rr, active-backup, balance-xor, broadcast, 802.3ad, balance-tlb or balance-alb, or its number.',
  ),
  options: optional(
    z.record(z.string(), z.string()),
    'Options of the bonding driver, such as `miimon: 140` and `lacp_rate: fast`.',
  ),
  port: optional(z.array(portName), 'Ports. A port that is not in `interfaces` is an Ethernet interface.'),
  ports: optional(z.array(portName), 'The same as `port`.'),
});

export const vlan = z.strictObject({
  'base-iface': required(z.string(), 'Name of the parent interface.'),
  id: required(z.int().min(1).max(4094), 'VLAN ID: 1 to 4094.'),
  protocol: optional(z.enum(['802.1q', '802.1ad']), 'VLAN protocol. Omitted means 802.1q.'),
  'registration-protocol': optional(
    z.enum(['gvrp', 'mvrp', 'none']),
    'Protocol that registers the VLAN at the switch. Omitted means none.',
  ),
  'reorder-headers': optional(
    z.boolean(),
    'Whether packet headers are reordered so that programs see no VLAN tag. Omitted means yes.',
  ),
  'loose-binding': optional(
    z.boolean(),
    'Whether the VLAN stays up while its parent interface is down. Omitted means no.',
  ),
});

const spanningTree = z.strictObject({
  enabled: optional(z.boolean(), 'Whether STP is enabled. Omitted means yes.'),
  'forward-delay': optional(z.int().min(2).max(30), 'Forward delay in seconds: 2 to 30.'),
  'hello-time': optional(z.int().min(1).max(10), 'Interval between hello messages in seconds: 1 to 10.'),
  'max-age': optional(z.int().min(6).max(40), 'Maximum age of a message in seconds: 6 to 40.'),
  priority: optional(
    z.int().min(0).max(65_535),
    'Bridge priority. The bridge with the lowest value becomes the root.',
  ),
});

const vlanId = z.int().min(0).max(4095);

/** VLANs of a bridge port. Source: struct BridgePortVlanConfig of nmstate */
const portVlan = z.strictObject({
  mode: optional(
    z.enum(['access', 'trunk']),
    '`access` for one untagged VLAN, `trunk` for several tagged ones.',
  ),
  tag: optional(
    vlanId,
    'VLAN ID of untagged packets: the VLAN of an access port, or the native VLAN of a trunk.',
  ),
  'enable-native': optional(z.boolean(), 'Whether a trunk has a native VLAN, set in `tag`.'),
  'trunk-tags': optional(
    z.array(
      z
        .strictObject({
          id: optional(vlanId, 'One VLAN.'),
          'id-range': optional(
            z.strictObject({
              min: required(vlanId, 'The first VLAN.'),
              max: required(vlanId, 'The last VLAN.'),
            }),
            'A range of VLAN IDs.',
          ),
        })
        .meta({ description: 'VLANs of a trunk.' }),
    ),
    'VLANs of the trunk, with mode trunk.',
  ),
});

const bridgePort = z
  .strictObject({
    name: required(z.string(), 'Name of the interface.'),
    'stp-hairpin-mode': optional(
      z.boolean(),
      'Hairpin mode: packets may be sent back through the port that they arrived at.',
    ),
    'stp-path-cost': optional(z.int().min(0).max(65_535), 'Lower goes first.'),
    'stp-priority': optional(z.int().min(0).max(63), 'Lower goes first.'),
    vlan: optional(portVlan, 'VLANs of the port. They enable VLAN filtering on the bridge.'),
  })
  .meta({ description: 'A port of a bridge.' });

export const bridge = z.strictObject({
  options: optional(
    z.strictObject({
      stp: optional(spanningTree, 'Spanning Tree Protocol.'),
      'mac-ageing-time': optional(
        z.int().min(0).max(1_000_000),
        'Seconds after which an unused MAC address is removed from the forwarding table.',
      ),
      'multicast-snooping': optional(
        z.boolean(),
        'Multicast snooping: multicast is sent only to ports with receivers.',
      ),
      'group-forward-mask': optional(
        z.int().min(0).max(65_535),
        'Bit mask of the link-local multicast groups to forward.',
      ),
      'vlan-default-pvid': optional(z.int().min(0).max(4095), 'Default VLAN ID of untagged packets.'),
      'vlan-protocol': optional(
        z.enum(['802.1q', '802.1ad']),
        'VLAN protocol of the bridge. Omitted means 802.1q.',
      ),
    }),
    'Options of the bridge.',
  ),
  port: optional(z.array(bridgePort), 'Ports. A port that is not in `interfaces` is an Ethernet interface.'),
  ports: optional(z.array(bridgePort), 'The same as `port`.'),
});
