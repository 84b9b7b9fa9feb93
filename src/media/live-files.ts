import { cpioType, type CpioMember } from '../formats/cpio.js';
import type { InitrdFiles } from './initrd.js';

/** Under which name Ignition finds the config of a live system. Source: coreos-installer src/live/embed.rs */
export const configName = 'config.ign';

/**
 * The files of a live system's initramfs: the config, and what else is to be there, such as network files at
 * `etc/coreos-firstboot-network/NAME.nmconnection`. Of two at one path the later counts, and nothing takes the place of the config.
 */
export function liveFiles(config: Uint8Array, beside: Iterable<CpioMember> = []): InitrdFiles {
  const file = { path: configName, mode: cpioType.file | 0o600, contents: Buffer.from(config) };
  return new Map([...beside, file].map((member) => [member.path, member]));
}
