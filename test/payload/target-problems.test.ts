import { describe, expect, test } from 'vitest';

import { readBlockDevice, type SystemView } from '../../src/disk/block-device/block-device.js';
import { usesOf } from '../../src/disk/block-device/device-uses.js';
import { targetProblems } from '../../src/payload/target-problems.js';
import { deviceTree, stick } from './device-tree.js';

const payloadBytes = 20e9;
const [stickFolder = '', partFolder = ''] = Object.keys(stick);

interface Case {
  readonly name: string;
  readonly view: () => SystemView;
  /** Number of the target; default: the stick. */
  readonly number?: string;
  readonly bytes?: number;
  /** `CODE: message; hint` */
  readonly plain: readonly string[];
  readonly forced: readonly string[];
}

const mounted = (number: string, at: string, more = `- vfat /dev/sdb1 rw`): string =>
  `41 27 ${number} / ${at} rw,relatime shared:12 ${more}`;

const notRemovable = (path: string, model = ''): string =>
  `payload/not-removable: ${path}${model} is no removable disk; check its name with \`lsblk\`; --force writes to it and erases it`;

/** A disk inside of the machine; `extra` are devices on top of it. */
function disk(
  attributes: Readonly<Record<string, string>> = {},
  extra: Parameters<typeof deviceTree>[0] = {},
  uses: Parameters<typeof deviceTree>[1] = {},
): SystemView {
  return deviceTree(
    {
      'pci0000:00/ata1/block/sda': {
        dev: '8:0',
        size: '937703088',
        removable: '0',
        'device/model': 'X1',
        ...attributes,
      },
      'pci0000:00/ata1/block/sda/sda2': {
        dev: '8:2',
        size: '900000000',
        partition: '2',
        uevent: 'PARTNAME=root',
      },
      ...extra,
    },
    uses,
  );
}

const onStick = (file: string, text = ''): Parameters<typeof deviceTree>[0] => ({
  ...stick,
  [stickFolder]: { ...stick[stickFolder], [file]: text },
});

const cases: readonly Case[] = [
  { name: 'a USB stick', view: () => deviceTree(stick), plain: [], forced: [] },
  {
    name: 'a USB disk that says that it is not removable',
    view: () => deviceTree(onStick('removable', '0')),
    plain: [],
    forced: [],
  },
  {
    name: 'an SD card',
    view: () =>
      deviceTree({
        'platform/mmc_host/mmc0/mmc0:1/block/mmcblk0': {
          dev: '179:0',
          size: '62500864',
          removable: '0',
          'device/type': 'SD',
        },
      }),
    number: '179:0',
    plain: [],
    forced: [],
  },
  {
    name: 'soldered flash memory',
    view: () =>
      deviceTree({
        'platform/mmc_host/mmc0/mmc0:1/block/mmcblk0': {
          dev: '179:0',
          size: '62500864',
          removable: '0',
          'device/type': 'MMC',
        },
      }),
    number: '179:0',
    plain: [notRemovable('/dev/target')],
    forced: [],
  },
  {
    name: 'a disk inside of the machine',
    view: () => disk(),
    number: '8:0',
    plain: [notRemovable('/dev/target', ' (X1)')],
    forced: [],
  },
  {
    name: 'a stick that is too small',
    view: () => deviceTree(stick),
    bytes: 32_000_442_368,
    plain: [
      'payload/target: /dev/target has space for 30516 MiB, but the payload has 30518 MiB; use a larger disk',
    ],
    forced: [
      'payload/target: /dev/target has space for 30516 MiB, but the payload has 30518 MiB; use a larger disk',
    ],
  },
  {
    name: 'a mounted partition, with a blank in the mount point',
    view: () => deviceTree(stick, { mounts: [mounted('8:17', '/run/media/me/MY\\040STICK')] }),
    plain: [
      "payload/in-use: /dev/target is in use: /dev/sdb1 is mounted at /run/media/me/MY STICK; `umount '/run/media/me/MY STICK'`, or --force, which unmounts it",
    ],
    forced: [],
  },
  {
    name: 'Btrfs, whose number is that of no device',
    view: () => deviceTree(stick, { mounts: [mounted('0:40', '/mnt', '- btrfs /dev/sdb1 rw')] }),
    plain: [
      'payload/in-use: /dev/target is in use: /dev/sdb1 is mounted at /mnt; `umount /mnt`, or --force, which unmounts it',
    ],
    forced: [],
  },
  {
    name: 'other mounted disks',
    view: () =>
      deviceTree(stick, {
        mounts: [mounted('8:1', '/', '- xfs /dev/sda1 rw'), mounted('0:5', '/proc', '- proc proc rw')],
      }),
    plain: [],
    forced: [],
  },
  ...['/', '/boot', '/boot/efi', '/sysroot', '/var'].map((at) => ({
    name: `a disk with ${at}`,
    view: () => disk({}, {}, { mounts: [mounted('8:2', at, '- xfs /dev/sda2 rw')] }),
    number: '8:0',
    plain: [
      `payload/in-use: /dev/target is in use by this machine: /dev/sda2 is mounted at ${at}; name another disk; \`lsblk\` lists the disks`,
    ],
    forced: [
      `payload/in-use: /dev/target is in use by this machine: /dev/sda2 is mounted at ${at}; name another disk; \`lsblk\` lists the disks`,
    ],
  })),
  {
    name: 'a stick from which the machine runs',
    view: () => deviceTree(stick, { mounts: [mounted('8:17', '/')] }),
    plain: [
      'payload/in-use: /dev/target is in use by this machine: /dev/sdb1 is mounted at /; name another disk; `lsblk` lists the disks',
    ],
    forced: [
      'payload/in-use: /dev/target is in use by this machine: /dev/sdb1 is mounted at /; name another disk; `lsblk` lists the disks',
    ],
  },
  {
    name: 'a disk with the root on a volume of LVM',
    view: () =>
      disk(
        {},
        {
          'virtual/block/dm-0': { dev: '253:0', size: '800000000', 'dm/name': 'rhel-root' },
          'pci0000:00/ata1/block/sda/sda2': {
            dev: '8:2',
            size: '900000000',
            partition: '2',
            'holders/dm-0': '',
          },
        },
        { mounts: [mounted('253:0', '/', '- xfs /dev/mapper/rhel-root rw')] },
      ),
    number: '8:0',
    plain: [
      'payload/in-use: /dev/target is in use by this machine: /dev/dm-0 is mounted at /; name another disk; `lsblk` lists the disks',
    ],
    forced: [
      'payload/in-use: /dev/target is in use by this machine: /dev/dm-0 is mounted at /; name another disk; `lsblk` lists the disks',
    ],
  },
  {
    name: 'swap space',
    view: () =>
      deviceTree(stick, { swaps: ['/dev/sdb1                               partition\t8388604\t\t0\t\t-2'] }),
    plain: [
      'payload/in-use: /dev/target is in use by this machine: /dev/sdb1 is swap space; `swapoff /dev/sdb1` ends that',
    ],
    forced: [
      'payload/in-use: /dev/target is in use by this machine: /dev/sdb1 is swap space; `swapoff /dev/sdb1` ends that',
    ],
  },
  {
    name: 'a member of a RAID',
    view: () =>
      deviceTree({ ...onStick('holders/md127'), 'virtual/block/md127': { dev: '9:127', size: '1' } }),
    plain: [
      'payload/in-use: /dev/target is in use: /dev/md127 is on top of /dev/sdb; stop the RAID: `mdadm --stop /dev/md127`',
    ],
    forced: [
      'payload/in-use: /dev/target is in use: /dev/md127 is on top of /dev/sdb; stop the RAID: `mdadm --stop /dev/md127`',
    ],
  },
  {
    name: 'a loop device on a partition',
    view: () =>
      deviceTree({
        ...stick,
        'virtual/block/loop3': { dev: '7:3', size: '1', 'loop/backing_file': '/dev/sdb1' },
      }),
    plain: [
      'payload/in-use: /dev/target is in use: /dev/loop3 is on top of /dev/sdb1; detach the loop device: `losetup --detach /dev/loop3`',
    ],
    forced: [
      'payload/in-use: /dev/target is in use: /dev/loop3 is on top of /dev/sdb1; detach the loop device: `losetup --detach /dev/loop3`',
    ],
  },
  {
    name: 'a partition beside a mounted one',
    view: () =>
      disk(
        {},
        {
          'pci0000:00/ata1/block/sda/sda5': {
            dev: '8:5',
            size: '80000000',
            partition: '5',
            uevent: 'PARTNAME=sno-payload',
          },
        },
        { mounts: [mounted('8:2', '/', '- xfs /dev/sda2 rw')] },
      ),
    number: '8:5',
    plain: [notRemovable('/dev/target', ' (X1)')],
    forced: [],
  },
];

describe('a disk that is to hold a payload', () => {
  test.each(cases)('$name', ({ view, number = '8:16', bytes = payloadBytes, plain, forced }) => {
    const seen = view();
    const device = readBlockDevice(number, seen);
    if (device === undefined) throw new Error('no device');
    const found = (force: boolean): readonly string[] =>
      targetProblems({ path: '/dev/target', device, uses: usesOf(device, seen) }, bytes, { force }).map(
        ({ code, message, hint = '' }) => `${code}: ${message}; ${hint}`,
      );
    expect({ plain: found(false), forced: found(true) }).toEqual({ plain, forced });
  });

  test('is described as the kernel shows it', () => {
    const view = deviceTree(stick);
    expect(readBlockDevice('8:17', view)).toEqual({
      number: '8:17',
      name: 'sdb1',
      bytes: 31_999_393_792,
      sectorBytes: 512,
      isReadOnly: false,
      isOptical: false,
      isRemovable: true,
      model: 'SanDisk Ultra',
      partition: { index: '1', label: 'data', disk: 'sdb' },
    });
    expect([readBlockDevice('8:32', view), partFolder.endsWith('sdb1')]).toEqual([undefined, true]);
  });
});
