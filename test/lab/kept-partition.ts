import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { outputOf } from '../real/control-plane/support/run-program.js';
import type { DiskPartition } from './disk.js';
import type { Lab } from './lab.js';

const mebibyte = 1024 * 1024;
/** Behind the limit of the system, in MiB. */
const start = 30_000;

/** Data of an earlier installation in the partition that is kept. */
export const keptData = 'the data of the last installation';

/** Writes the partition table of an earlier installation, with data in the partition `data1`. The partition `logs` is not kept. */
export async function writeEarlierInstallation(lab: Lab): Promise<void> {
  const labels = ['BIOS-BOOT', 'EFI-SYSTEM', 'boot', 'root'];
  await outputOf(
    ['sfdisk', '--quiet', diskFile(lab)],
    [
      'label: gpt',
      ...labels.map((name, index) => `start=${1 + index}MiB, size=1MiB, name=${name}`),
      `start=${start}MiB, size=1000MiB, name=data1`,
      `start=${start + 2000}MiB, size=1000MiB, name=logs`,
      '',
    ].join('\n'),
  );
  const handle = openSync(diskFile(lab), 'r+');
  writeSync(handle, keptData, start * mebibyte);
  closeSync(handle);
}

/** The bytes at the place of `keptData`. */
export function dataOnDisk(lab: Lab): string {
  const handle = openSync(diskFile(lab), 'r');
  const bytes = Buffer.alloc(keptData.length);
  readSync(handle, bytes, 0, bytes.length, start * mebibyte);
  closeSync(handle);
  return bytes.toString();
}

/** Place, size and UUID of a partition. */
export async function partitionOf(lab: Lab, name: string): Promise<Omit<DiskPartition, 'node'> | undefined> {
  const found = (await lab.disk.partitions()).find((each) => each.name === name);
  return found && { name, start: found.start, size: found.size, uuid: found.uuid ?? '' };
}

function diskFile(lab: Lab): string {
  return join(lab.folder, 'disk');
}
