import { quoted } from '../../core/quoted.js';

/** What is wrong with the address of one machine; nothing of a sound one. */
export function macFault(mac: string): string | undefined {
  if (!/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/.test(mac))
    return `mac-address ${quoted(mac)} is not six pairs of hexadecimal digits with colons`;
  // The lowest bit of the first byte marks a group. Source: IEEE 802, individual/group bit
  const isOfOne = Number.parseInt(mac.slice(0, 2), 16) % 2 === 0 && !/^[0:]+$/.test(mac);
  return isOfOne ? undefined : `mac-address ${mac} is of no single interface`;
}
