import { z } from 'zod';

import { optional, required } from './schema-parts.js';

const number = z.int().min(0).max(4_294_967_295);

const virtualFunction = z
  .strictObject({
    id: required(z.int().min(0).max(65_534), 'Number of the virtual function: 0 to `total-vfs` - 1.'),
    'mac-address': optional(z.string(), 'MAC address, such as `52:54:00:12:34:56`.'),
    'spoof-check': optional(
      z.boolean(),
      'Spoof check: drops packets with a source MAC address other than its own.',
    ),
    trust: optional(
      z.boolean(),
      'Trust: allows its user to change the MAC address and to enable promiscuous mode.',
    ),
    'min-tx-rate': optional(number, 'Guaranteed transmit rate in Mbit/s.'),
    'max-tx-rate': optional(number, 'Maximum transmit rate in Mbit/s. 0 means no limit.'),
    'vlan-id': optional(z.int().min(0).max(4095), 'VLAN ID of its packets. 0 means none.'),
    qos: optional(z.int().min(0).max(7), 'VLAN priority (QoS) of its packets, with `vlan-id`.'),
    'vlan-proto': optional(
      z.enum(['802.1q', '802.1ad']),
      'VLAN protocol, with `vlan-id`. Omitted means 802.1q.',
    ),
  })
  .meta({ description: 'A virtual function.' });

/** Virtual functions of a network card. Source: struct SrIovConfig of nmstate; the `[sriov]` of nm-settings(5) */
export const srIov = z.strictObject({
  'total-vfs': required(
    z.int().min(0).max(65_535),
    'Number of virtual functions to create. Each is an Ethernet interface. 0 leaves them unchanged.',
  ),
  'drivers-autoprobe': optional(
    z.boolean(),
    'Whether the kernel binds its drivers to them. Omitted means the setting of the kernel.',
  ),
  vfs: optional(z.array(virtualFunction), 'Settings of individual virtual functions.'),
});

/** Driver settings of ethtool(8). Source: struct EthtoolConfig of nmstate */
export const ethtool = z.strictObject({
  feature: optional(
    z.record(z.string(), z.boolean()),
    'Offloads and other features, by their name in `ethtool --show-features`.',
  ),
  ring: optional(
    z.strictObject({
      rx: optional(number, 'Packets.'),
      'rx-jumbo': optional(number, 'Packets.'),
      'rx-mini': optional(number, 'Packets.'),
      tx: optional(number, 'Packets.'),
    }),
    'Ring buffer sizes, in packets.',
  ),
  coalesce: optional(
    z.strictObject({
      'adaptive-rx': optional(z.boolean(), 'Adaptive coalescing of received packets.'),
      'adaptive-tx': optional(z.boolean(), 'Adaptive coalescing of sent packets.'),
      'pkt-rate-high': optional(number, 'Packets per second above which the `-high` values apply.'),
      'pkt-rate-low': optional(number, 'Packets per second below which the `-low` values apply.'),
      ...waits('rx-frames', 'Received packets before an interrupt'),
      ...waits('rx-usecs', 'Microseconds from a received packet to an interrupt'),
      ...waits('tx-frames', 'Sent packets before an interrupt'),
      'tx-usecs': optional(number, 'Microseconds from a sent packet to an interrupt.'),
    }),
    'Interrupt coalescing of the network card.',
  ),
  pause: optional(
    z.strictObject({
      autoneg: optional(z.boolean(), 'Whether the setting is negotiated with the link partner.'),
      rx: optional(z.boolean(), 'Whether received pause frames are obeyed, with `autoneg: false`.'),
      tx: optional(z.boolean(), 'Whether pause frames are sent, with `autoneg: false`.'),
    }),
    'Flow control.',
  ),
  fec: optional(
    z.strictObject({
      auto: optional(z.boolean(), 'Whether the driver chooses the mode. If not, set `mode`.'),
      mode: optional(
        z.enum(['off', 'rs', 'baser', 'llrs']),
        'Encoding. Omitted, with `auto: false`, means off.',
      ),
    }),
    'Forward error correction. Needs NetworkManager 1.46.6, or 1.52 and later; other versions ignore it.',
  ),
});

/** One setting per packet rate. */
function waits<Name extends string>(
  name: Name,
  what: string,
): Record<`${Name}${'' | '-high' | '-irq' | '-low'}`, z.ZodOptional<z.ZodInt>>;
function waits(name: string, what: string): Record<string, z.ZodOptional<z.ZodInt>> {
  return {
    [name]: optional(number, `${what}.`),
    [`${name}-high`]: optional(number, `${what} while the rate is high.`),
    [`${name}-irq`]: optional(number, `${what} while an interrupt is served.`),
    [`${name}-low`]: optional(number, `${what} while the rate is low.`),
  };
}
