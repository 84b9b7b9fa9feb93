import { describe, expect, it, test } from 'vitest';

import { BmcFault } from '../../../../src/remote/redfish/bmc-fault.js';
import { diskLinks } from '../../../../src/remote/redfish/inventory/disk-links.js';
import { macOf } from '../../../../src/remote/redfish/inventory/network-interfaces.js';
import { readInventory } from '../../../../src/remote/redfish/inventory/read-inventory.js';
import { collection, dell, hpe, link, mockupClient, supermicro, type Mockup } from './mockups.js';

describe('the inventory of a machine', () => {
  const mirrored = { bytes: 480_103_981_056, media: 'SSD', protocol: 'SATA', links: [], isMember: true };
  it('has the volume of a mirror, pages of interfaces and the boot mode of the BIOS: Dell', async () => {
    expect(await readInventory(mockupClient(dell), undefined)).toEqual({
      system: '/redfish/v1/Systems/System.Embedded.1',
      manufacturer: 'Dell Inc.',
      model: 'PowerEdge XR11',
      serialNumber: 'CNXXX0000000AB',
      sku: 'ABC1234',
      biosVersion: '1.14.1',
      bmcModel: '15G Monolithic',
      bmcVersion: '6.10.30.20',
      bootMode: 'UEFI',
      power: 'Off',
      networkInterfaces: [
        { id: 'NIC.Embedded.1-1-1', mac: '52:54:00:aa:bb:00', link: 'up', speedMbps: 25000 },
        { id: 'NIC.Embedded.2-1-1', mac: '52:54:00:aa:bb:02', link: 'unknown' },
      ],
      disks: [
        {
          kind: 'volume',
          id: 'Disk.Virtual.0',
          name: 'BOSS',
          bytes: 480_036_519_936,
          links: ['/dev/disk/by-id/wwn-0x600508b1001c5e6fabcdef0123456789'],
          isMember: false,
        },
        ...['Disk.Direct.0-0', 'Disk.Direct.1-1'].map((id, index) => ({
          ...mirrored,
          kind: 'drive',
          id,
          name: `SSD ${index}`,
          manufacturer: 'INTEL',
          model: 'SSDSCKKB480G8R',
          serialNumber: `PHYH00000${index}`,
        })),
      ],
      unread: [],
    });
  });

  it('has interfaces of network adapters and drives of a chassis: HPE', async () => {
    const { networkInterfaces, disks, unread, ...rest } = await readInventory(mockupClient(hpe), undefined);
    expect(rest).toMatchObject({ serialNumber: 'CZ00000001', bootMode: 'legacy', bmcVersion: 'iLO 5 v2.99' });
    expect(networkInterfaces).toEqual([{ id: '1', mac: '52:54:00:cc:dd:01', link: 'up' }]);
    expect(disks.map(({ serialNumber, links }) => [serialNumber, ...links])).toEqual([
      ['1280A0ABCDEF', '/dev/disk/by-id/nvme-eui.01cf5321e28ee38c'],
      ['9170A0QXFF4F', '/dev/disk/by-id/wwn-0x5000039b28119bf1'],
    ]);
    expect(unread).toEqual([]);
  });

  it('has devices of SimpleStorage, and no interface without a port: Supermicro, DMTF', async () => {
    expect(await readInventory(mockupClient(supermicro), undefined)).toEqual({
      system: '/redfish/v1/Systems/1',
      manufacturer: 'Supermicro',
      bmcVersion: '01.01.10',
      bootMode: 'UEFI',
      networkInterfaces: [{ id: '1', mac: '52:54:00:ee:ff:01', link: 'down' }],
      disks: [
        {
          kind: 'drive',
          id: 'SATA Bay 1',
          name: 'SATA Bay 1',
          manufacturer: 'Contoso',
          model: '3000GT8',
          bytes: 480_000_000_000,
          links: [],
          isMember: false,
        },
      ],
      unread: [],
    });
  });

  const system = '/redfish/v1/Systems/System.Embedded.1';
  it('lists the parts that the user may not read, and goes on', async () => {
    const mockup = { ...dell, [`${system}/Storage`]: 403, [`${system}/Bios`]: 401 };
    const { disks, bootMode, networkInterfaces, unread } = await readInventory(
      mockupClient(mockup),
      undefined,
    );
    expect([disks, bootMode, networkInterfaces.length]).toEqual([[], 'legacy', 2]);
    expect(unread).toEqual([
      { part: 'boot mode', reason: 'permission denied (HTTP 401)' },
      { part: 'disks', reason: 'request failed (HTTP 403)' },
    ]);
  });

  it('has no parts that the machine does not have', async () => {
    const mockup = { '/redfish/v1/Systems': collection(system), [system]: { Model: ' X\u0007 ' } };
    expect(await readInventory(mockupClient(mockup), undefined)).toEqual({
      system,
      model: 'X·',
      networkInterfaces: [],
      disks: [],
      unread: [],
    });
  });

  it('shows an NVMe namespace as its drive, with the name of the namespace first', async () => {
    const drive = `${system}/Storage/1/Drives/0`;
    const namespace = {
      Identifiers: [{ DurableNameFormat: 'NGUID', DurableName: '0025384B01234567-0025384B01234567' }],
      Links: { Drives: [link(drive)] },
    };
    const mockup: Mockup = {
      [system]: { Storage: link(`${system}/Storage`) },
      [`${system}/Storage`]: collection(`${system}/Storage/1`),
      [`${system}/Storage/1`]: { Drives: [link(drive)], Volumes: link(`${system}/Storage/1/Volumes`) },
      [drive]: {
        Id: '0',
        Protocol: 'NVMe',
        CapacityBytes: 1e12,
        Identifiers: [{ DurableNameFormat: 'EUI', DurableName: '0025384b01234567' }],
      },
      [`${system}/Storage/1/Volumes`]: collection(`${system}/Storage/1/Volumes/1`),
      [`${system}/Storage/1/Volumes/1`]: namespace,
    };
    const { disks } = await readInventory(mockupClient(mockup), system);
    expect(disks).toEqual([
      {
        kind: 'drive',
        id: '0',
        bytes: 1e12,
        protocol: 'NVMe',
        links: [
          '/dev/disk/by-id/nvme-eui.0025384b012345670025384b01234567',
          '/dev/disk/by-id/nvme-eui.0025384b01234567',
        ],
        isMember: false,
      },
    ]);
  });

  it('has each disk once that several places list, and those that only one of them has', async () => {
    const devices = [
      { Name: 'SSD 0', Model: 'ssdsckkb480g8r', CapacityBytes: 480_000_000_000 },
      { Name: 'SSD 1', Model: 'INTEL SSDSCKKB480G8R', CapacityBytes: 480_103_981_056 },
      { Name: 'USB', Model: 'Flash', CapacityBytes: 32_000_000_000 },
    ];
    const dellSystem = dell[system];
    if (typeof dellSystem !== 'object') throw new Error('no system');
    const storage = `${system}/Storage/AHCI.Slot.1/Drives`;
    const chassis = '/redfish/v1/Chassis/System.Embedded.1';
    const mockup: Mockup = {
      ...dell,
      [system]: { ...dellSystem, SimpleStorage: link(`${system}/SimpleStorage`) },
      [`${system}/SimpleStorage`]: collection(`${system}/SimpleStorage/1`),
      [`${system}/SimpleStorage/1`]: { Devices: devices },
      [chassis]: { Links: { Drives: [link(`${storage}/Disk.Direct.0-0`), link(`${chassis}/Drives/M2`)] } },
      [`${chassis}/Drives/M2`]: {
        Id: 'M2',
        SerialNumber: 'M2',
        Model: 'SSDSCKKB480G8R',
        CapacityBytes: 480_103_981_056,
      },
    };
    const { disks } = await readInventory(mockupClient(mockup), undefined);
    expect(disks.map(({ id }) => id)).toEqual([
      'Disk.Virtual.0',
      'Disk.Direct.0-0',
      'Disk.Direct.1-1',
      'M2',
      'USB',
    ]);
  });

  it('has no devices of a chassis that other systems share; a chassis without systems is its own', async () => {
    const drive = { Id: '0', SerialNumber: 'S0', CapacityBytes: 1e12 };
    const chassisWith = (...systems: readonly string[]): Mockup => ({
      [system]: { Links: { Chassis: [link('/redfish/v1/Chassis/1')] } },
      '/redfish/v1/Chassis/1': {
        Links: { ComputerSystems: systems.map(link), Drives: [link('/redfish/v1/Drives/0')] },
      },
      '/redfish/v1/Drives/0': drive,
    });
    const serials = async (mockup: Mockup): Promise<readonly unknown[]> =>
      (await readInventory(mockupClient(mockup), system)).disks.map(({ serialNumber }) => serialNumber);
    expect(await serials(chassisWith(`${system}/`, '/redfish/v1/Systems/2'))).toEqual([]);
    expect(await serials(chassisWith(`${system}/`))).toEqual(['S0']);
    expect(await serials(chassisWith())).toEqual(['S0']);
  });

  const several: Mockup = {
    '/redfish/v1/Systems': {
      ...collection('/redfish/v1/Systems/1'),
      'Members@odata.nextLink': 'https://bmc.internal/redfish/v1/Systems?page=2',
    },
    '/redfish/v1/Systems?page=2': {
      ...collection('/redfish/v1/Systems/2'),
      'Members@odata.nextLink': '/redfish/v1/Systems?page=2',
    },
    '/redfish/v1/Systems/2': { Model: 'second' },
  };
  it('is that of the named system; without a name, several systems are a fault, also on several pages', async () => {
    await expect(readInventory(mockupClient(several), undefined)).rejects.toThrow(
      'it has 2 systems (/redfish/v1/Systems/1, /redfish/v1/Systems/2); ',
    );
    expect(await readInventory(mockupClient(several), '/redfish/v1/Systems/2')).toMatchObject({
      model: 'second',
    });
  });

  it('fails with the connection', async () => {
    const client = mockupClient(dell);
    const get = (path: string): ReturnType<typeof client.get> =>
      path.endsWith('/Storage')
        ? Promise.reject(new BmcFault('unreachable', 'connection refused'))
        : client.get(path);
    await expect(readInventory({ get }, undefined)).rejects.toThrow('connection refused');
  });
});

test.each([
  ['52:54:00:AA:BB:01', '52:54:00:aa:bb:01'],
  ['52-54-00-AA-BB-01', '52:54:00:aa:bb:01'],
  ['5254.00aa.bb01', '52:54:00:aa:bb:01'],
  [' 525400AABB01 ', '52:54:00:aa:bb:01'],
  ['00:00:00:00:00:00', undefined],
  ['FF:FF:FF:FF:FF:FF', undefined],
  ['80:00:02:08:fe:80:00:00', undefined],
  [undefined, undefined],
])('the MAC address %s is %s', (text, want) => {
  expect(macOf(text)).toBe(want);
});

describe('links of identifiers', () => {
  const cases = [
    { name: 'NAA', given: ['NAA', '5000C500A1B2C3D4'], want: ['wwn-0x5000c500a1b2c3d4'] },
    { name: 'NAA with prefix', given: ['NAA', 'naa.5000c500a1b2c3d4'], want: ['wwn-0x5000c500a1b2c3d4'] },
    { name: 'NAA as a number', given: ['NAA', '0x5000c500a1b2c3d4'], want: ['wwn-0x5000c500a1b2c3d4'] },
    { name: 'NAA that is none', given: ['NAA', '425380496'], want: [] },
    { name: 'NAA of an NVMe drive', given: ['NAA', '5000C500A1B2C3D4'], bus: 'nvme', want: [] },
    { name: 'EUI', given: ['EUI', 'AC:E4:2E:00:25:1B:54:A2'], want: ['nvme-eui.ace42e00251b54a2'] },
    { name: 'EUI of a SAS drive', given: ['EUI', 'ACE42E00251B54A2'], bus: 'scsi', want: [] },
    { name: 'EUI of zeros', given: ['EUI', '0000000000000000'], want: [] },
    { name: 'NQN', given: ['NQN', 'nqn.2014-08.org.nvmexpress:uuid:1'], want: [] },
  ] as const;
  test.each(cases)('$name', ({ given: [DurableNameFormat, DurableName], want, ...rest }) => {
    const bus = 'bus' in rest ? rest.bus : 'unknown';
    expect(diskLinks({ Identifiers: [{ DurableNameFormat, DurableName }, null] }, bus)).toEqual(
      want.map((each) => `/dev/disk/by-id/${each}`),
    );
  });
});
