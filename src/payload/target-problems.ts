import { problem, type Problem } from '../core/problem.js';
import type { BlockDevice } from '../disk/block-device/block-device.js';
import type { DeviceUse } from '../disk/block-device/device-uses.js';
import { onlyPartition } from '../formats/gpt.js';
import { shellWord } from '../formats/shell-word.js';

/** A disk or partition that is to hold a payload. */
export interface Candidate {
  readonly path: string;
  readonly device: BlockDevice;
  readonly uses: readonly DeviceUse[];
}

/** Bytes that a payload can have on a disk or partition. */
export function capacityOf({ bytes, partition }: BlockDevice): number {
  return partition === undefined ? onlyPartition(bytes).length : bytes;
}

/**
 * Why a payload is not written to a device. `force` accepts mounted file systems, which are then unmounted, and disks that are not
 * removable. Problems: payload/target, payload/in-use, payload/not-removable.
 */
export function targetProblems(
  { path, device, uses }: Candidate,
  payloadBytes: number,
  { force }: { readonly force: boolean },
): readonly Problem[] {
  const problems = [
    ...sizeProblems(path, capacityOf(device), payloadBytes),
    ...useProblems(path, uses, force),
  ];
  const isSystem = uses.some((use) => use.isSystem);
  if (force || isSystem || device.isRemovable) return problems;
  const hint = 'check its name with `lsblk`; --force writes to it and erases it';
  const model = device.model === '' ? '' : ` (${device.model})`;
  return [...problems, problem('payload/not-removable', `${path}${model} is no removable disk`, { hint })];
}

function sizeProblems(path: string, capacity: number, payloadBytes: number): readonly Problem[] {
  if (capacity >= payloadBytes) return [];
  const mebibytes = (bytes: number): number => Math.ceil(Math.max(bytes, 0) / 1024 ** 2);
  const message = `${path} has space for ${mebibytes(capacity)} MiB, but the payload has ${mebibytes(payloadBytes)} MiB`;
  return [problem('payload/target', message, { hint: 'use a larger disk' })];
}

function useProblems(path: string, uses: readonly DeviceUse[], force: boolean): readonly Problem[] {
  const system = uses.find(({ isSystem }) => isSystem);
  if (system !== undefined) {
    const message = `${path} is in use by this machine: ${useText(system)}`;
    const hint =
      system.kind === 'swap'
        ? `\`swapoff ${shellWord(system.by)}\` ends that`
        : 'name another disk; `lsblk` lists the disks';
    return [problem('payload/in-use', message, { hint })];
  }
  const shown = uses.filter(({ kind }) => !(force && kind === 'mount'));
  return shown.map((use) =>
    problem('payload/in-use', `${path} is in use: ${useText(use)}`, { hint: hintOf(use) }),
  );
}

function useText({ kind, device, by }: DeviceUse): string {
  switch (kind) {
    case 'mount':
      return `${device} is mounted at ${by}`;
    case 'swap':
      return `${device} is swap space`;
    case 'holder':
      return `${by} is on top of ${device}`;
  }
}

function hintOf({ kind, by }: DeviceUse): string {
  if (kind === 'mount') return `\`umount ${shellWord(by)}\`, or --force, which unmounts it`;
  if (by.startsWith('/dev/loop')) return `detach the loop device: \`losetup --detach ${shellWord(by)}\``;
  if (by.startsWith('/dev/md')) return `stop the RAID: \`mdadm --stop ${shellWord(by)}\``;
  return `deactivate the volume (\`vgchange --activate n\`, \`cryptsetup close ${shellWord(by)}\`), or name it instead if it is a multipath device`;
}
