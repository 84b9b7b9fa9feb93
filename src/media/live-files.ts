import { cpioType, type CpioMember } from '../formats/cpio.js';
import type { InitrdFiles } from './initrd.js';

/** Name of the config in the initramfs of a live system. Source: coreos-installer src/live/embed.rs */
export const configName = 'config.ign';

/**
 * Files for a live system's initramfs: the config and additional files, such as network profiles at
 * `etc/coreos-firstboot-network/NAME.nmconnection`. Of two files at one path the later one wins, but none replaces the config.
 */
export function liveFiles(config: Uint8Array, beside: Iterable<CpioMember> = []): InitrdFiles {
  const file = { path: configName, mode: cpioType.file | 0o600, contents: Buffer.from(config) };
  return new Map([...beside, file].map((member) => [member.path, member]));
}
