import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { SystemView } from '../../src/disk/block-device/block-device.js';
import { scratchFolder } from '../support/scratch.js';

/** Files of a device below its folder in sysfs. */
type Attributes = Readonly<Record<string, string>>;

/** A tree as in /sys and /proc, with these devices: folder below `devices` to attributes, of which `dev` is the number. */
export function deviceTree(
  devices: Readonly<Record<string, Attributes>>,
  {
    mounts = [],
    swaps = [],
  }: { readonly mounts?: readonly string[]; readonly swaps?: readonly string[] } = {},
): SystemView {
  const root = scratchFolder();
  const sys = join(root, 'sys');
  const paths = new Map<string, string>();
  for (const folder of ['dev/block', 'class/block']) mkdirSync(join(sys, folder), { recursive: true });
  mkdirSync(join(root, 'proc/self'), { recursive: true });
  for (const [folder, attributes] of Object.entries(devices)) {
    const place = join(sys, 'devices', folder);
    for (const [name, text] of Object.entries({ ro: '0', ...attributes })) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), `${text}\n`);
    }
    const { dev = '' } = attributes;
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    symlinkSync(place, join(sys, 'dev/block', dev));
    symlinkSync(place, join(sys, 'class/block', name));
    paths.set(`/dev/${name}`, dev);
  }
  writeFileSync(join(root, 'proc/self/mountinfo'), mounts.map((line) => `${line}\n`).join(''));
  const header = 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority';
  writeFileSync(join(root, 'proc/swaps'), [header, ...swaps].map((line) => `${line}\n`).join(''));
  return { proc: join(root, 'proc'), sys, numberAt: (path) => paths.get(path) };
}

/** A USB stick of 32 GB with a partition, as the kernel shows it. */
export const stick: Readonly<Record<string, Attributes>> = {
  'pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdb': {
    dev: '8:16',
    size: '62500864',
    removable: '1',
    'queue/logical_block_size': '512',
    'device/vendor': 'SanDisk ',
    'device/model': 'Ultra           ',
  },
  'pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdb/sdb1': {
    dev: '8:17',
    size: '62498816',
    partition: '1',
    uevent: 'MAJOR=8\nMINOR=17\nDEVNAME=sdb1\nDEVTYPE=partition\nPARTN=1\nPARTNAME=data',
  },
};
