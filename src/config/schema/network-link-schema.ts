import { z } from 'zod';

import { srIov } from './network-device-schema.js';
import { optional, required } from './schema-parts.js';

const portName = z.string().meta({ description: 'Name of an interface.' });

export const ethernet = z.strictObject({
  'auto-negotiation': optional(z.boolean(), 'Whether the two ends agree on speed and duplex.'),
  speed: optional(z.int().min(1).max(4_294_967_295), 'Mbit/s, with `auto-negotiation: false`.'),
  duplex: optional(z.enum(['full', 'half']), 'With `auto-negotiation: false`.'),
  'sr-iov': optional(srIov, 'Virtual functions of the network card.'),
});

/** Source of the names: the bonding driver of Linux, networking/bonding.rst */
export const bond = z.strictObject({
  mode: required(
    z.string(),
    'How the ports share the load: balance-rr, active-backup, balance-xor, broadcast, 802.3ad, balance-tlb or balance-alb, or its number.',
  ),
  options: optional(
    z.record(z.string(), z.string()),
    'Options of the driver under their names there, such as `miimon: 140` and `lacp_rate: fast`.',
  ),
  port: optional(z.array(portName), 'Its ports. One that is not described is an Ethernet interface.'),
  ports: optional(z.array(portName), 'The same as `port`.'),
});

export const vlan = z.strictObject({
  'base-iface': required(z.string(), 'Name of the interface that it is on.'),
  id: required(z.int().min(1).max(4094), 'Number of the VLAN: 1 to 4094.'),
  protocol: optional(z.enum(['802.1q', '802.1ad']), 'Kind of the tag. Omitted means 802.1q.'),
  'registration-protocol': optional(
    z.enum(['gvrp', 'mvrp', 'none']),
    'How the switch is told of the VLAN. Omitted means not at all.',
  ),
  'reorder-headers': optional(z.boolean(), 'Whether tags are hidden from listeners. Omitted means yes.'),
  'loose-binding': optional(
    z.boolean(),
    'Whether it stays up when the interface below it is down. Omitted means no.',
  ),
});

const spanningTree = z.strictObject({
  enabled: optional(z.boolean(), 'Whether the bridge takes part. Omitted means yes.'),
  'forward-delay': optional(z.int().min(2).max(30), 'Seconds in each state before it forwards: 2 to 30.'),
  'hello-time': optional(z.int().min(1).max(10), 'Seconds between its messages: 1 to 10.'),
  'max-age': optional(z.int().min(6).max(40), 'Seconds after which a message is forgotten: 6 to 40.'),
  priority: optional(z.int().min(0).max(65_535), 'Lower becomes the root.'),
});

const vlanId = z.int().min(0).max(4095);

/** VLANs of a bridge port. Source: struct BridgePortVlanConfig of nmstate */
const portVlan = z.strictObject({
  mode: optional(
    z.enum(['access', 'trunk']),
    'Whether the port carries one VLAN without tags, or several with tags.',
  ),
  tag: optional(
    vlanId,
    'VLAN of packets without a tag: of the port with mode access, of its native VLAN with mode trunk.',
  ),
  'enable-native': optional(z.boolean(), 'Whether a trunk has a native VLAN, which `tag` names.'),
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
            'Several VLANs in a row.',
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
    'stp-hairpin-mode': optional(z.boolean(), 'Whether it sends packets back where they came from.'),
    'stp-path-cost': optional(z.int().min(0).max(65_535), 'Lower goes first.'),
    'stp-priority': optional(z.int().min(0).max(63), 'Lower goes first.'),
    vlan: optional(
      portVlan,
      'VLANs of the port. One port with VLANs turns VLAN filtering on for the bridge.',
    ),
  })
  .meta({ description: 'A port of a bridge.' });

export const bridge = z.strictObject({
  options: optional(
    z.strictObject({
      stp: optional(spanningTree, 'Spanning Tree Protocol.'),
      'mac-ageing-time': optional(
        z.int().min(0).max(1_000_000),
        'Seconds after which the place of an address is forgotten.',
      ),
      'multicast-snooping': optional(z.boolean(), 'Whether multicast goes only to ports that asked for it.'),
      'group-forward-mask': optional(
        z.int().min(0).max(65_535),
        'Which link-local groups it forwards, a bit each.',
      ),
      'vlan-default-pvid': optional(z.int().min(0).max(4095), 'VLAN of ports for packets without a tag.'),
      'vlan-protocol': optional(z.enum(['802.1q', '802.1ad']), 'Kind of the tags. Omitted means 802.1q.'),
    }),
    'Options of the bridge.',
  ),
  port: optional(z.array(bridgePort), 'Its ports. One that is not described is an Ethernet interface.'),
  ports: optional(z.array(bridgePort), 'The same as `port`.'),
});
