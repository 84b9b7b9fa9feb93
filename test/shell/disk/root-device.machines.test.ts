import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { bootstrapped, coreosInstaller, script } from './bootstrapped.js';
import type { Machine } from './machine.js';

interface Device {
  readonly name: string;
  readonly kname: string;
  readonly type: string;
  readonly size: number | string;
  readonly children?: readonly Device[];
  readonly [column: string]: unknown;
}

const nothing = {
  mountpoint: null,
  ptuuid: null,
  pttype: null,
  model: null,
  vendor: null,
  serial: null,
  wwn: null,
  hctl: null,
};

function device(name: string, columns: object = {}): Device {
  return {
    ...nothing,
    name,
    kname: name,
    type: 'disk',
    size: 480_103_981_056,
    ro: false,
    rota: false,
    ...columns,
  };
}

/** As a server reports its disks: texts padded to the width of their SCSI field, an NVMe disk without SCSI address. */
const ssd = device('/dev/sda', {
  model: 'MZ7LH480HAHQ0D3 ',
  vendor: 'ATA     ',
  serial: 'S45PNA0M512345      ',
  wwn: '0x5002538e000000aa',
  hctl: '0:0:0:0',
});
const twin = device('/dev/sdb', {
  ...ssd,
  name: '/dev/sdb',
  kname: '/dev/sdb',
  hctl: '1:0:0:0',
  wwn: '0x5002538e000000bb',
});
const disk = device('/dev/sdc', {
  size: '1200243695616',
  rota: '1',
  model: 'ST1200MM0009',
  vendor: 'SEAGATE ',
  serial: 'WFK0ABCD',
  wwn: '0x5000c500a0b1c2d3',
  hctl: '2:0:0:0',
});
const nvme = device('/dev/nvme0n1', {
  model: 'Dell Ent NVMe',
  serial: '36HTNX0',
  wwn: 'eui.36484e3052a000260025384100000001',
});
const mpath = device('/dev/mapper/mpatha', { kname: '/dev/dm-0', type: 'mpath' });
const lun = {
  model: 'LUN C-Mode',
  vendor: 'NETAPP',
  serial: '80A3x?',
  wwn: '0x600a098038303053453f463045727a65',
  children: [mpath],
};
const paths = [
  device('/dev/sdd', { ...lun, hctl: '3:0:0:0' }),
  device('/dev/sde', { ...lun, hctl: '4:0:0:0' }),
];
const unsuitable = [
  device('/dev/loop0', { type: 'loop', serial: 'LOOP' }),
  device('/dev/sr0', { type: 'rom', serial: 'DVD', size: 1_073_741_312 }),
  device('/dev/zram0', { serial: 'ZRAM' }),
  device('/dev/sdx', { serial: 'CARD', size: 0, model: 'Virtual Floppy' }),
  device('/dev/sdy', { serial: 'USB', children: [device('/dev/sdy1', { type: 'part' })] }),
];
const all = [ssd, twin, disk, nvme, ...paths, ...unsuitable];

function machineWith(hints: object, disks: readonly Device[] = all): Machine {
  const machine = bootstrapped({ SNO_INSTALLATION_DISK: '', SNO_ROOT_DEVICE_HINTS: JSON.stringify(hints) });
  machine.answer('findmnt', '/dev/sdy1\n');
  show(machine, disks);
  for (const { kname } of disks.flatMap((each) => [each, ...(each.children ?? [])]))
    machine.write(kname.slice(1), '');
  return machine;
}

function show(machine: Machine, disks: readonly Device[]): void {
  machine.answer('disks.json', JSON.stringify({ blockdevices: disks }));
}

function link(machine: Machine, path: string, to: string): void {
  const place = join(machine.root, path);
  machine.write('dev/disk/by-path/.keep', '');
  machine.write('dev/mapper/.keep', '');
  if (machine.has(path)) unlinkSync(place);
  symlinkSync(to, place);
}

function located(machine: Machine): string {
  return machine.source('sno-preflight-disk.sh', 'locate_disk && echo "${disk}"').stdout.trimEnd();
}

describeWith(['bash', 'jq'], 'rootDeviceHints', () => {
  test('each hint finds the disk that it describes', () => {
    const machine = machineWith({});
    link(machine, 'dev/disk/by-path/pci-0000:00:1f.2-ata-3', '../../sdc');
    link(machine, 'dev/mapper/mpatha', '../dm-0');
    const given: readonly (readonly [hints: object, want: string])[] = [
      [{ deviceName: '/dev/sdc' }, '/dev/sdc'],
      [{ deviceName: '/dev/disk/by-path/pci-0000:00:1f.2-ata-3' }, '/dev/sdc'],
      [{ deviceName: '/dev/mapper/mpatha' }, '/dev/dm-0'],
      [{ deviceName: '/dev/sde' }, '/dev/dm-0'],
      [{ hctl: '1:0:0:0' }, '/dev/sdb'],
      [{ hctl: '4:0:0:0' }, '/dev/dm-0'],
      [{ model: 'ent nvme' }, '/dev/nvme0n1'],
      [{ vendor: 'seagate' }, '/dev/sdc'],
      [{ serialNumber: '36htnx0' }, '/dev/nvme0n1'],
      [{ serialNumber: 'S45PNA0M512345', hctl: '0:0:0:0' }, '/dev/sda'],
      [{ minSizeGigabytes: 1200 }, '/dev/sdc'],
      [{ rotational: true }, '/dev/sdc'],
      [{ wwn: '0x5000C500A0B1C2D3' }, '/dev/sdc'],
      [{ wwn: '0x600a098038303053' }, '/dev/dm-0'],
      [{ wwnWithExtension: '0x600a098038303053453f463045727a65' }, '/dev/dm-0'],
      [{ wwnVendorExtension: '0x453f463045727a65' }, '/dev/dm-0'],
    ];
    const lines = given.map(
      ([hints]) => `SNO_ROOT_DEVICE_HINTS='${JSON.stringify(hints)}'; locate_disk; echo "\${disk}"`,
    );
    const { stdout } = machine.source('sno-preflight-disk.sh', lines.join('\n'));
    expect(stdout.trimEnd().split('\n')).toEqual(given.map(([, want]) => want));
  });

  test('no disk matches: shows the disks and the hints that exclude each', () => {
    expect(
      located(
        machineWith({ serialNumber: 'WFK0ABCE', rotational: true }, [
          ssd,
          disk,
          nvme,
          ...paths,
          ...unsuitable,
        ]),
      ),
    )
      .toBe(`no disk of this machine matches rootDeviceHints (serialNumber WFK0ABCE, rotational true); its disks are:
  NAME          SIZE     MODEL            VENDOR   SERIAL          WWN                                   HCTL             ROTATIONAL  EXCLUDED BY
  /dev/dm-0     480 GB   LUN C-Mode       NETAPP   80A3x?          0x600a098038303053453f463045727a65    3:0:0:0,4:0:0:0  no          serialNumber, rotational
  /dev/nvme0n1  480 GB   Dell Ent NVMe    -        36HTNX0         eui.36484e3052a000260025384100000001  -                no          serialNumber, rotational
  /dev/sda      480 GB   MZ7LH480HAHQ0D3  ATA      S45PNA0M512345  0x5002538e000000aa                    0:0:0:0          no          serialNumber, rotational
  /dev/sdc      1200 GB  ST1200MM0009     SEAGATE  WFK0ABCD        0x5000c500a0b1c2d3                    2:0:0:0          yes         serialNumber
  /dev/sdd      480 GB   LUN C-Mode       NETAPP   80A3x?          0x600a098038303053453f463045727a65    3:0:0:0          no          path of /dev/mapper/mpatha
  /dev/sde      480 GB   LUN C-Mode       NETAPP   80A3x?          0x600a098038303053453f463045727a65    4:0:0:0          no          path of /dev/mapper/mpatha
  /dev/sdx      0 GB     Virtual Floppy   -        CARD            -                                     -                no          no medium
  /dev/sdy      480 GB   -                -        USB             -                                     -                no          boot medium`);
  });

  test('two disks match: names no disk', () => {
    const said = located(machineWith({ serialNumber: 'S45PNA0M512345' }, [ssd, twin]));
    expect(said)
      .toBe(`2 disks of this machine match rootDeviceHints (serialNumber S45PNA0M512345), which must describe one; its disks are:
  NAME      SIZE    MODEL            VENDOR  SERIAL          WWN                 HCTL     ROTATIONAL  EXCLUDED BY
  /dev/sda  480 GB  MZ7LH480HAHQ0D3  ATA     S45PNA0M512345  0x5002538e000000aa  0:0:0:0  no          -
  /dev/sdb  480 GB  MZ7LH480HAHQ0D3  ATA     S45PNA0M512345  0x5002538e000000bb  1:0:0:0  no          -`);
  });

  test.each(['LOOP', 'DVD', 'ZRAM', 'CARD', 'USB'])(
    'never finds what is no disk to install to: %s',
    (serialNumber) => {
      expect(located(machineWith({ serialNumber }))).toMatch(/^no disk of this machine matches/);
    },
  );

  test('a text of the machine or of the hints is never code', () => {
    const machine = machineWith({ model: `"$(reboot)\`x\\` }, [
      device('/dev/sda', { model: '"; $(reboot) \u001b[2J\\' }),
    ]);
    expect(located(machine).split('\n').at(-1)).toBe(
      '  /dev/sda  480 GB  "; $(reboot) ?[2J\\  -       -       -    -     no          model',
    );
  });

  test('a machine whose disks cannot be listed', () => {
    const machine = machineWith({ serialNumber: 'S1' });
    machine.answer('disks.json', 'x');
    expect(machine.source('sno-preflight-disk.sh', 'check_installation_disk')).toMatchObject({
      status: 1,
      stdout: 'lsblk cannot list the disks of this machine\n',
    });
  });

  test('the disk found is written, and nothing if none is', () => {
    const machine = machineWith({ serialNumber: 'S45PNA0M512345' }, [ssd, twin]);
    expect(machine.run(script).status).toBe(1);
    expect(machine.calls('coreos-installer')).toEqual([]);
    expect(machine.console()).toContain('which must describe one; its disks are:\n  NAME ');
    show(machine, [ssd, { ...twin, serial: 'OTHER' }]);
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
    expect(machine.calls('sgdisk').at(-1)).toBe('--print /dev/sda');
  });
});

describeWith(['bash', 'jq'], 'a disk that changes within a boot', () => {
  const known = 'run/sno-install/installation-disk.json';

  test('a link that leads to another disk after the checks', () => {
    const machine = bootstrapped();
    show(machine, [ssd, disk]);
    machine.write('dev/sdc', '');
    expect(machine.source('sno-preflight-disk.sh', 'check_installation_disk')).toMatchObject({
      status: 0,
      stdout: '',
    });
    link(machine, 'dev/disk/by-id/test', '../../sdc');
    expect(machine.run(script).status).toBe(1);
    expect(machine.calls('coreos-installer')).toEqual([]);
    expect(machine.console()).toBe(`The installation stopped before it touched the disk:
the installation disk is now /dev/disk/by-id/test (/dev/sdc, 1200243695616 bytes, serial number WFK0ABCD), but was another one earlier in this boot (/dev/sda, 480103981056 bytes, serial number S45PNA0M512345): if it is the right one, run 'sudo rm /run/sno-install/installation-disk.json'
`);
    unlinkSync(join(machine.root, known));
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller.replace('/dev/sda', '/dev/sdc')]);
  });

  test('a link that changes between the last check and the write', () => {
    const machine = bootstrapped();
    show(machine, [ssd, disk]);
    machine.write('dev/sdc', '');
    const { status, stdout } = machine.source(
      'sno-preflight-disk.sh',
      `check_installation_disk; ln --symbolic --force ../../sdc "\${SNO_ROOT}/dev/disk/by-id/test"; disk_to_write`,
    );
    expect(status).toBe(1);
    expect(stdout).toContain('the installation disk is now /dev/disk/by-id/test (/dev/sdc,');
  });

  test('another disk under the same kernel name', () => {
    const machine = machineWith({ minSizeGigabytes: 100 }, [ssd]);
    machine.write('sys/class/block/sda/diskseq', '9\n');
    machine.source('sno-preflight-disk.sh', 'check_installation_disk');
    machine.write('sys/class/block/sda/diskseq', '12\n');
    expect(machine.source('sno-preflight-disk.sh', 'disk_to_write').status).toBe(1);
  });

  test('a serial number that the kernel reports only later is no other disk', () => {
    const machine = machineWith({ hctl: '0:0:0:0' }, [{ ...ssd, serial: null, wwn: null }]);
    machine.source('sno-preflight-disk.sh', 'check_installation_disk');
    show(machine, [ssd]);
    expect(machine.source('sno-preflight-disk.sh', 'disk_to_write')).toMatchObject({
      status: 0,
      stdout: '/dev/sda\n',
    });
  });

  test('a disk that fails a check is not remembered', () => {
    const machine = machineWith({ serialNumber: 'WFK0ABCD' }, [{ ...disk, size: 1_000_000_000 }]);
    expect(machine.source('sno-preflight-disk.sh', 'check_installation_disk').stdout).toBe(
      'the installation disk /dev/sdc has 1 GB; the cluster needs 100 GB\n',
    );
    expect(machine.has(known)).toBe(false);
  });
});
