import { describe, expect, test } from 'vitest';

import { columnUses, type ColumnUse, type TemplateFolder } from '../../../src/fleet/discover/column-uses.js';
import { compareInventory } from '../../../src/fleet/discover/compare-inventory.js';
import { eligibleDisks } from '../../../src/fleet/discover/disk-choice.js';
import { readSiteTable } from '../../../src/fleet/table/site-table.js';
import type { Disk } from '../../../src/remote/redfish/inventory/disks.js';
import type { MachineInventory } from '../../../src/remote/redfish/inventory/read-inventory.js';
import { problemLine } from '../files.js';

function folderOf(files: Readonly<Record<string, string>>, shown = 'base'): TemplateFolder {
  return {
    shown,
    read: (file) => {
      const text = files[file];
      return text === undefined ? { kind: 'absent' } : { kind: 'file', bytes: Buffer.from(text) };
    },
  };
}

function interfaces(...lines: readonly string[]): string {
  return ['network:', '  interfaces:', ...lines.map((line) => `    - ${line}`)].join('\n');
}

describe('columns of hardware values', () => {
  const byMac = '{name: eth, identifier: mac-address, mac-address: "${m}"}';
  const cases = [
    { name: 'a MAC address that selects', sno: interfaces(byMac), want: ['m mac'] },
    {
      name: 'a MAC address that is set on an interface selected by name',
      sno: interfaces('{name: eth, identifier: name, mac-address: "${m}"}'),
      want: [],
    },
    { name: 'a MAC address that is set', sno: interfaces('{name: eth, mac-address: "${m}"}'), want: [] },
    {
      name: 'a disk and its hints',
      install: 'bootstrapInPlace: {installationDisk: "${d}"}',
      sno: 'rootDeviceHints: {serialNumber: "${s}", wwn: "${w}", deviceName: "${e:-/dev/sda}"}',
      want: ['d disk', 'e disk with default', 'w wwn', 's serialNumber'],
    },
    { name: 'a part of a value', install: 'bootstrapInPlace: {installationDisk: "/dev/${d}"}', want: [] },
    {
      name: 'a name that says otherwise',
      sno: 'hostname: ${mac}\nntp: ["${disk}"]\nrootDeviceHints: {serialNumber: "${mac}"}',
      want: ['mac serialNumber'],
    },
    {
      name: 'two uses that contradict each other',
      sno: `${interfaces(byMac)}\nrootDeviceHints: {serialNumber: "\${m}"}`,
      want: [],
    },
    { name: 'invalid files', sno: 'a: [', install: '', want: [] },
  ];
  test.each(cases)('$name', ({ sno, install, want }) => {
    const files = {
      ...(sno !== undefined && { 'sno-config.yaml': sno }),
      ...(install !== undefined && { 'install-config.yaml': install }),
    };
    const uses = columnUses([folderOf({}), folderOf(files, 'classes/r750')]);
    const shown = uses.map((each) => `${each.column} ${each.field}${each.hasDefault ? ' with default' : ''}`);
    expect(shown).toEqual(want);
  });
});

function use(column: string, field: ColumnUse['field'], hasDefault = false): ColumnUse {
  return { column, field, hasDefault, at: { file: 'base/sno-config.yaml', path: column, line: 1 } };
}

function nic(index: number, state: 'up' | 'down' | 'unknown'): MachineInventory['networkInterfaces'][number] {
  return { id: `NIC.${index}`, mac: `52:54:00:00:00:0${index}`, link: state };
}

function disk(serialNumber: string, more: Partial<Disk> = {}): Disk {
  return { kind: 'drive', id: `Disk.${serialNumber}`, serialNumber, links: [], isMember: false, ...more };
}

const wwn = '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4';
const machine: MachineInventory = {
  system: '/redfish/v1/Systems/1',
  networkInterfaces: [nic(1, 'down'), nic(2, 'up')],
  disks: [disk('S1', { links: [wwn] })],
  unread: [],
};

describe('the row of a site and its machine', () => {
  const [mac, other, dev, serial, name] = [
    use('mac', 'mac'),
    use('mac2', 'mac'),
    use('disk', 'disk'),
    use('serial', 'serialNumber'),
    use('wwn', 'wwn'),
  ];
  const cases: readonly {
    name: string;
    uses: readonly ColumnUse[];
    /** Header and cells after the name. */
    table?: readonly [string, string];
    has?: Partial<MachineInventory>;
    fleetWide?: string;
    want: readonly string[];
  }[] = [
    {
      name: 'missing columns get the interface with a link, and the only disk',
      uses: [mac, dev, serial, name],
      want: ['mac=52:54:00:00:00:02', `disk=${wwn}`, 'serial=S1', 'wwn=0x5000c500a1b2c3d4'],
    },
    { name: 'an empty cell is filled', uses: [serial], table: ['serial', ''], want: ['serial=S1'] },
    { name: 'a default is kept', uses: [use('serial', 'serialNumber', true)], want: [] },
    { name: 'a value of fleet.yaml is kept', uses: [serial], fleetWide: 'serial', want: [] },
    {
      name: 'equal values, in any spelling',
      uses: [mac, dev, serial],
      table: [
        'mac,disk,serial',
        `52-54-00-00-00-01,${wwn.toUpperCase().replace('/DEV/DISK/BY-ID/WWN', '/dev/disk/by-id/wwn')},s1`,
      ],
      want: [],
    },
    {
      name: 'different values stop the proposals of the site',
      uses: [mac, dev, serial],
      table: ['mac,disk', '52:54:00:00:00:09,/dev/disk/by-id/wwn-0x5000c500a1b2ffff'],
      want: [
        'sites.csv:2:3 discover/different: the MAC address "52:54:00:00:00:09" is not on the machine, which has "52:54:00:00:00:01", "52:54:00:00:00:02" <- base/sno-config.yaml:1 mac',
        'sites.csv:2:21 discover/different: the disk "/dev/disk/by-id/wwn-0x5000c500a1b2ffff" is not on the machine, which has "0x5000c500a1b2c3d4" <- base/sno-config.yaml:1 disk',
      ],
    },
    {
      name: 'the port of a SAS drive is the drive',
      uses: [dev],
      table: ['disk', '/dev/disk/by-id/wwn-0x5000c500a1b2c3d7'],
      want: [],
    },
    {
      name: 'names of another kind are not compared',
      uses: [dev, name],
      table: ['disk,wwn', '/dev/sda,eui.0025384b01234567'],
      want: [],
    },
    {
      name: 'an incomplete list is not compared',
      uses: [mac, serial],
      table: ['mac,serial', '52:54:00:00:00:09,S9'],
      has: {
        unread: [
          { part: 'network interfaces', reason: 'denied' },
          { part: 'disks', reason: 'denied' },
        ],
      },
      want: [],
    },
    {
      name: 'nor one with a disk without a serial number',
      uses: [serial],
      table: ['serial', 'S9'],
      has: { disks: [disk('S1'), { kind: 'drive', id: 'x', links: [], isMember: false }] },
      want: [],
    },
    {
      name: 'several interfaces with a link',
      uses: [mac],
      table: ['mac', ''],
      has: { networkInterfaces: [nic(1, 'up'), nic(2, 'up'), nic(3, 'down')] },
      want: [
        'sites.csv:2:3 discover/undecided: no value for the column "mac" of a: 2 network interfaces have a link <- base/sno-config.yaml:1 mac',
      ],
    },
    {
      name: 'the interface that another column does not have',
      uses: [mac, other],
      table: ['mac', '52:54:00:00:00:02'],
      want: ['mac2=52:54:00:00:00:01'],
    },
    {
      name: 'two columns of interfaces',
      uses: [mac, other],
      want: [
        'sites.csv discover/undecided: no value for the column "mac" of a: 2 columns take a MAC address of this site <- base/sno-config.yaml:1 mac',
        'sites.csv discover/undecided: no value for the column "mac2" of a: 2 columns take a MAC address of this site <- base/sno-config.yaml:1 mac2',
      ],
    },
    {
      name: 'several disks',
      uses: [serial],
      has: { disks: [disk('S1'), disk('S2')] },
      want: [
        'sites.csv discover/undecided: no value for the column "serial" of a: 2 disks match <- base/sno-config.yaml:1 serial',
      ],
    },
    {
      name: 'a disk behind a volume, and a volume without a name',
      uses: [dev],
      has: { disks: [disk('S1', { isMember: true }), disk('', { kind: 'volume', id: 'V0' })] },
      want: [
        'sites.csv discover/undecided: no value for the column "disk" of a: the BMC reports no World Wide Name or EUI of "V0" <- base/sno-config.yaml:1 disk',
      ],
    },
    {
      name: 'a disk whose names are not those of the kernel',
      uses: [dev],
      table: ['disk', ''],
      has: { disks: [disk('S1', { linkFault: 'the name "1", which is not a NAA name' })] },
      want: [
        'sites.csv:2:3 discover/undecided: no value for the column "disk" of a: the BMC reports for "Disk.S1" the name "1", which is not a NAA name <- base/sno-config.yaml:1 disk',
      ],
    },
    {
      name: 'a serial number that a table would not keep',
      uses: [serial],
      has: { disks: [disk('=HYPERLINK("x")')] },
      want: [
        'sites.csv discover/undecided: no value for the column "serial" of a: the BMC reports no serial number of "Disk.=HYPERLINK(\\"x\\")" <- base/sno-config.yaml:1 serial',
      ],
    },
    {
      name: 'an incomplete list decides nothing',
      uses: [mac, serial],
      has: {
        unread: [
          { part: 'network interfaces', reason: 'denied' },
          { part: 'disks', reason: 'denied' },
        ],
      },
      want: [
        'sites.csv discover/undecided: no value for the column "mac" of a: the BMC did not return all of its network interfaces <- base/sno-config.yaml:1 mac',
        'sites.csv discover/undecided: no value for the column "serial" of a: the BMC did not return all of its disks <- base/sno-config.yaml:1 serial',
      ],
    },
    {
      name: 'nothing',
      uses: [mac, serial],
      has: { networkInterfaces: [], disks: [] },
      want: [
        'sites.csv discover/undecided: no value for the column "mac" of a: the BMC reports no MAC address <- base/sno-config.yaml:1 mac',
        'sites.csv discover/undecided: no value for the column "serial" of a: the BMC reports no disk that matches the hints <- base/sno-config.yaml:1 serial',
      ],
    },
  ];
  test.each(cases)('$name', ({ uses, table: [head, cells] = ['x', ''], has = {}, fleetWide, want }) => {
    const bytes = Buffer.from(`name,${head}\na,${cells}\n`);
    const read = readSiteTable('sites.csv', { kind: 'file', bytes });
    const [row] = read.ok ? read.value.rows : [];
    if (row === undefined) throw new Error('no row');
    const context = { table: 'sites.csv', fleetWide: new Map([[fleetWide ?? '', '']]), filter: {} };
    const { proposals, problems } = compareInventory(row, uses, { ...machine, ...has }, context);
    expect([
      ...proposals.map(({ column, value }) => `${column}=${value}`),
      ...problems.map(problemLine),
    ]).toEqual(want);
  });
});

test('hints of the class narrow the choice of the disk; unknown properties do not', () => {
  const disks = [
    disk('small', { bytes: 240e9, media: 'SSD', model: 'BOSS VD', manufacturer: 'DELL' }),
    disk('rotating', { bytes: 480e9, media: 'HDD' }),
    disk('right', { bytes: 480e9, media: 'SSD', model: 'boss vd 2', manufacturer: 'Dell' }),
    disk('unknown'),
    disk('member', { isMember: true }),
  ];
  const filter = { minBytes: 400e9, isRotational: false, model: 'BOSS', vendor: 'dell' };
  expect(eligibleDisks(disks, filter).map(({ serialNumber }) => serialNumber)).toEqual(['right', 'unknown']);
});
