import { problem, type Problem } from '../../core/problem.js';

/**
 * Configs of this size or more are rejected, also by the node (SNO_MASTER_IGNITION_LIMIT_MIB). coreos-installer copies the config into
 * the boot partition after the image, without checking the free space (coreos-installer, src/install.rs,
 * write_ignition). The partition has 384 MiB (coreos-assembler, src/create_disk.sh), its file system 350 MiB, of which the
 * kernel and initramfs leave 181 MiB in the worst known case (coreos/fedora-coreos-tracker#2179, aarch64 with a debug kernel).
 * The config is deleted at the end of the first boot (fedora-coreos-config, coreos-ignition-firstboot-complete).
 */
export const nodeConfigLimitMib = 160;

const limitBytes = nodeConfigLimitMib * 1024 ** 2;

/** Checks that a config of this size fits into the boot partition. Problems: enrich/too-large, enrich/large. */
export function checkNodeConfigSize(bytes: number): readonly Problem[] {
  const room = `the boot partition has room for ${nodeConfigLimitMib} MiB`;
  const message = `the config of the node takes ${(bytes / 1024 ** 2).toFixed(1)} MiB; ${room}`;
  const hint = 'leave the log bundle out, or make extra manifests smaller';
  if (bytes >= limitBytes) return [problem('enrich/too-large', message, { hint })];
  return bytes > (limitBytes / 4) * 3 ? [problem('enrich/large', message, { hint })] : [];
}
