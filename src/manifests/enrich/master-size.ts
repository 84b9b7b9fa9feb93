import { problem, type Problem } from '../../core/problem.js';

/**
 * From this size on a config is refused, by the node too (SNO_MASTER_IGNITION_LIMIT_MIB). coreos-installer copies it into
 * the boot partition after the image, without looking at the room that is left (coreos-installer, src/install.rs,
 * write_ignition). The partition has 384 MiB (coreos-assembler, src/create_disk.sh), its file system 350 MiB, of which the
 * kernel and initramfs left 181 MiB at the worst seen (coreos/fedora-coreos-tracker#2179, aarch64 with a debug kernel).
 * The config goes at the end of the first boot (fedora-coreos-config, coreos-ignition-firstboot-complete).
 */
export const nodeConfigLimitMib = 160;

const limitBytes = nodeConfigLimitMib * 1024 ** 2;

/** Whether a config of so many bytes finds room in the boot partition. Problems: enrich/too-large, enrich/large. */
export function checkNodeConfigSize(bytes: number): readonly Problem[] {
  const room = `the boot partition has room for ${nodeConfigLimitMib} MiB`;
  const message = `the config of the node takes ${(bytes / 1024 ** 2).toFixed(1)} MiB; ${room}`;
  const hint = 'leave the log bundle out, or make extra manifests smaller';
  if (bytes >= limitBytes) return [problem('enrich/too-large', message, { hint })];
  return bytes > (limitBytes / 4) * 3 ? [problem('enrich/large', message, { hint })] : [];
}
