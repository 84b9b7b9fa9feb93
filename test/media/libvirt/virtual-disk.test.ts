import { describe, expect, test } from 'vitest';

import type { RootDeviceHints } from '../../../src/config/schema/disk-schema.js';
import { virtualDisk, type VirtualDisk } from '../../../src/media/libvirt/virtual-disk.js';

const wwn = '5000c500a1b2c3d4';

const disks: readonly { hints: RootDeviceHints; want: Partial<VirtualDisk> }[] = [
  { hints: { deviceName: '/dev/vda' }, want: { bus: 'virtio' } },
  { hints: { deviceName: '/dev/sda' }, want: {} },
  { hints: { deviceName: '/dev/disk/by-id/virtio-root' }, want: { bus: 'virtio', serial: 'root' } },
  { hints: { deviceName: `/dev/disk/by-id/wwn-0x${wwn}` }, want: { wwn } },
  { hints: { deviceName: `/dev/disk/by-id/scsi-3${wwn}` }, want: { wwn } },
  {
    hints: { deviceName: '/dev/vda', serialNumber: 'S6ESNX0R' },
    want: { bus: 'virtio', serial: 'S6ESNX0R' },
  },
  {
    hints: { deviceName: '/dev/sda', serialNumber: ' S6ESNX0R ', wwn: `0x${wwn.toUpperCase()}` },
    want: { serial: 'S6ESNX0R', wwn },
  },
  { hints: { model: 'PERC H755', vendor: 'DELL' }, want: { product: 'PERC H755', vendor: 'DELL' } },
  { hints: { wwnWithExtension: `0x${wwn}`, rotational: false }, want: { wwn, rotationRate: 1 } },
  { hints: { rotational: true }, want: { rotationRate: 7200 } },
  { hints: { minSizeGigabytes: 120 }, want: {} },
  { hints: { minSizeGigabytes: 480 }, want: { sizeGib: 448 } },
];

const faults: readonly { hints: RootDeviceHints; want: readonly string[] }[] = [
  ...['pci-0000:00:17.0-ata-1', 'virtio-pci-0000:04:00.0'].map((name) => ({
    hints: { deviceName: `/dev/disk/by-path/${name}` },
    want: ['deviceName depends on the slots of the machine'],
  })),
  ...['/dev/vdb', '/dev/sdc'].map((deviceName) => ({
    hints: { deviceName },
    want: ['deviceName is not the first disk, and the virtual machine has only one'],
  })),
  ...[
    '/dev/nvme0n1',
    '/dev/mmcblk0',
    '/dev/md126',
    '/dev/disk/by-id/nvme-eui.0025388b710a5e20',
    '/dev/disk/by-id/ata-SAMSUNG_MZ7LH480_S45PNA0M512345',
    '/dev/disk/by-id/wwn-0x600508b1001c5e6fabcdef0123456789',
    '/dev/disk/by-id/virtio-more-than-twenty-characters',
  ].map((deviceName) => ({ hints: { deviceName }, want: ['deviceName is not a path of a virtual disk'] })),
  {
    hints: { hctl: '0:2:0:0', wwnVendorExtension: '0xabcdef0123456789', model: 'SAMSUNG MZ7LH480HAHQ' },
    want: [
      'hctl depends on the slots of the machine',
      'model does not fit a virtual disk, which has up to 16 characters',
      'wwnVendorExtension is an extension, and the World Wide Name of a virtual disk has none',
    ],
  },
  {
    hints: {
      vendor: 'more than 8',
      serialNumber: 'a/b',
      wwnWithExtension: '0x600508b1001c5e6fabcdef0123456789',
    },
    want: [
      'vendor does not fit a virtual disk, which has up to 8 characters',
      'serialNumber does not fit a virtual disk, which has up to 36 letters, digits and "_.+-"',
      'wwnWithExtension does not fit a virtual disk, which has 0x and 16 hexadecimal digits',
    ],
  },
  {
    hints: { deviceName: '/dev/vda', serialNumber: 'a'.repeat(21), wwn: `0x${wwn}`, rotational: false },
    want: [
      'serialNumber does not fit a virtio disk, which has up to 20 characters',
      'wwn is not a property of a virtio disk, which deviceName names',
      'rotational is not a property of a virtio disk, which deviceName names',
    ],
  },
  {
    hints: { deviceName: `/dev/disk/by-id/wwn-0x${wwn}`, wwn: '0x5000c500ffffffff' },
    want: ['wwn is not the value in another hint'],
  },
];

describe('the disk of a virtual machine', () => {
  test.each(disks)('for $hints', ({ hints, want }) => {
    expect(virtualDisk(hints)).toEqual({ disk: { bus: 'scsi', sizeGib: 120, ...want }, faults: [] });
  });

  test.each(faults)('does not fit $hints', ({ hints, want }) => {
    expect(virtualDisk(hints).faults.map(({ hint, message }) => `${hint} ${message}`)).toEqual(want);
  });
});
