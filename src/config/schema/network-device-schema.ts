import { z } from 'zod';

import { optional, required } from './schema-parts.js';

const number = z.int().min(0).max(4_294_967_295);

const virtualFunction = z
  .strictObject({
    id: required(z.int().min(0).max(65_534), 'Its number: 0 to `total-vfs` less 1.'),
    'mac-address': optional(z.string(), 'Address that it gets, as `52:54:00:12:34:56`.'),
    'spoof-check': optional(z.boolean(), 'Whether packets from other addresses than its own are dropped.'),
    trust: optional(z.boolean(), 'Whether who has it may change its address and see packets for others.'),
    'min-tx-rate': optional(number, 'Mbit/s that it is sure of.'),
    'max-tx-rate': optional(number, 'Mbit/s that it sends at most. 0 means no limit.'),
    'vlan-id': optional(z.int().min(0).max(4095), 'VLAN that its packets are put into. 0 means none.'),
    qos: optional(z.int().min(0).max(7), 'Priority of its packets, with `vlan-id`.'),
    'vlan-proto': optional(
      z.enum(['802.1q', '802.1ad']),
      'Kind of the tag, with `vlan-id`. Omitted means 802.1q.',
    ),
  })
  .meta({ description: 'A virtual function.' });

/** Virtual functions of a network card. Source: struct SrIovConfig of nmstate; the `[sriov]` of nm-settings(5) */
export const srIov = z.strictObject({
  'total-vfs': required(
    z.int().min(0).max(65_535),
    'How many virtual functions are made. Each is an Ethernet interface of its own. 0 leaves them as they are.',
  ),
  'drivers-autoprobe': optional(
    z.boolean(),
    'Whether the kernel binds its drivers to them. Omitted means as the kernel is set.',
  ),
  vfs: optional(z.array(virtualFunction), 'What is set of single functions.'),
});

/** Driver settings of ethtool(8). Source: struct EthtoolConfig of nmstate */
export const ethtool = z.strictObject({
  feature: optional(
    z.record(z.string(), z.boolean()),
    'Offloads and other features by their name in `ethtool --show-features`, on or off.',
  ),
  ring: optional(
    z.strictObject({
      rx: optional(number, 'Packets.'),
      'rx-jumbo': optional(number, 'Packets.'),
      'rx-mini': optional(number, 'Packets.'),
      tx: optional(number, 'Packets.'),
    }),
    'How many packets the rings hold.',
  ),
  coalesce: optional(
    z.strictObject({
      'adaptive-rx': optional(z.boolean(), 'Whether the card chooses for packets that it receives.'),
      'adaptive-tx': optional(z.boolean(), 'Whether the card chooses for packets that it sends.'),
      'pkt-rate-high': optional(number, 'Packets a second from which `-high` counts.'),
      'pkt-rate-low': optional(number, 'Packets a second below which `-low` counts.'),
      ...waits('rx-frames', 'Packets received before it interrupts'),
      ...waits('rx-usecs', 'Microseconds after a packet is received'),
      ...waits('tx-frames', 'Packets sent before it interrupts'),
      'tx-usecs': optional(number, 'Microseconds after a packet is sent.'),
    }),
    'How long the card waits, for more packets, before it interrupts.',
  ),
  pause: optional(
    z.strictObject({
      autoneg: optional(z.boolean(), 'Whether the two ends agree on it.'),
      rx: optional(z.boolean(), 'Whether it stops sending when asked to, with `autoneg: false`.'),
      tx: optional(z.boolean(), 'Whether it asks the other end to stop, with `autoneg: false`.'),
    }),
    'Flow control.',
  ),
  fec: optional(
    z.strictObject({
      auto: optional(z.boolean(), 'Whether the driver chooses. `mode` counts where it does not.'),
      mode: optional(
        z.enum(['off', 'rs', 'baser', 'llrs']),
        'The code. Omitted, with `auto: false`, means off.',
      ),
    }),
    'Forward error correction. NetworkManager takes it from 1.46.6 and 1.52 on; older ones ignore it.',
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
