import { quoted } from '../../../core/quoted.js';

const form = /^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/;

/** Whether a MAC address is unicast: the lowest bit of the first byte is zero. Source: IEEE 802, individual/group bit */
export function isUnicastMac(mac: string): boolean {
  return form.test(mac) && Number.parseInt(mac.slice(0, 2), 16) % 2 === 0;
}

/** The fault of a unicast MAC address; undefined if it is valid. */
export function macFault(mac: string): string | undefined {
  if (!form.test(mac))
    return `mac-address ${quoted(mac)} is not six pairs of hexadecimal digits separated by colons`;
  if (/^[0:]+$/.test(mac)) return `mac-address ${mac} is all zeros`;
  return isUnicastMac(mac)
    ? undefined
    : `mac-address ${mac} is a multicast address: the lowest bit of its first byte is set`;
}

/** The address with colons, for one with dashes or dots, or without separators. */
export function macHint(mac: string): string | undefined {
  const isOtherForm = [
    /^(?:[0-9A-Fa-f]{1,2}[-:]){5}[0-9A-Fa-f]{1,2}$/,
    /^(?:[0-9A-Fa-f]{4}[.:-]){2}[0-9A-Fa-f]{4}$/,
    /^(?:[0-9A-Fa-f]{2}[. ]){5}[0-9A-Fa-f]{2}$/,
    /^[0-9A-Fa-f]{6}-?[0-9A-Fa-f]{6}$/,
  ].some((each) => each.test(mac));
  if (!isOtherForm || form.test(mac)) return undefined;
  const parts = mac.split(/[-:. ]/);
  const digits = parts.length === 6 ? parts.map((part) => part.padStart(2, '0')).join('') : parts.join('');
  return `write "${(digits.match(/../g) ?? []).join(':')}"`;
}
