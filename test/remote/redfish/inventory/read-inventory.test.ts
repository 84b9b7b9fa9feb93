import { describe, expect, it, test } from 'vitest';

import { BmcFault } from '../../../../src/remote/redfish/bmc-fault.js';
import { diskLinks, type DiskBus } from '../../../../src/remote/redfish/inventory/disk-links.js';
import { macOf } from '../../../../src/remote/redfish/inventory/network-interfaces.js';
import { readInventory } from '../../../../src/remote/redfish/inventory/read-inventory.js';
import { capacityOf } from '../../../../src/remote/redfish/inventory/values.js';
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
      ['1280A0ABCDEF', '/dev/disk/by-id/nvme-eui.8ce38ee22153cf01'],
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

  // Source: OData JSON Format 4.01, nextLink; DSP0266, "Resource collections", has it with the name of the list
  it('has members of all pages, also with a next link without the name of the list', async () => {
    const interfaces = `${system}/EthernetInterfaces`;
    const mockup: Mockup = {
      [system]: { EthernetInterfaces: link(interfaces) },
      [interfaces]: { ...collection(`${interfaces}/1`), '@odata.nextLink': `${interfaces}?$skip=1` },
      [`${interfaces}?$skip=1`]: {
        ...collection(`${interfaces}/2`),
        'Members@odata.nextLink': `${interfaces}?$skip=2`,
      },
      [`${interfaces}?$skip=2`]: collection(`${interfaces}/3`),
      ...Object.fromEntries(
        [1, 2, 3].map((id) => [`${interfaces}/${id}`, { Id: `${id}`, MACAddress: `52:54:00:00:00:0${id}` }]),
      ),
    };
    const { networkInterfaces } = await readInventory(mockupClient(mockup), system);
    expect(networkInterfaces.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  // Source: DSP2046, NetworkInterface, Links.NetworkAdapter; a chassis of several systems lists the adapters of all of them
  it('has the adapters that the system links to, if its chassis has none of its own', async () => {
    const own = `${system}/NetworkInterfaces/1`;
    const adapter = '/redfish/v1/Chassis/Sled/NetworkAdapters/1';
    const mockup: Mockup = {
      [system]: { NetworkInterfaces: link(`${system}/NetworkInterfaces`) },
      [`${system}/NetworkInterfaces`]: collection(own, `${system}/NetworkInterfaces/2`),
      [own]: { Links: { NetworkAdapter: link(adapter) } },
      [adapter]: { Ports: link(`${adapter}/Ports`) },
      [`${adapter}/Ports`]: collection(`${adapter}/Ports/1`),
      [`${adapter}/Ports/1`]: {
        Id: 'P1',
        LinkStatus: 'LinkUp',
        CurrentSpeedGbps: 25,
        Ethernet: { AssociatedMACAddresses: ['52:54:00:00:00:01'] },
      },
      // The ports are below the interface itself.
      [`${system}/NetworkInterfaces/2`]: { NetworkPorts: link(`${system}/NetworkInterfaces/2/Ports`) },
      [`${system}/NetworkInterfaces/2/Ports`]: collection(`${system}/NetworkInterfaces/2/Ports/1`),
      [`${system}/NetworkInterfaces/2/Ports/1`]: {
        Id: 'P2',
        LinkStatus: 'Down',
        AssociatedNetworkAddresses: ['52:54:00:00:00:02'],
      },
    };
    const { networkInterfaces, unread } = await readInventory(mockupClient(mockup), system);
    expect(networkInterfaces).toEqual([
      { id: 'P1', mac: '52:54:00:00:00:01', link: 'up', speedMbps: 25_000 },
      { id: 'P2', mac: '52:54:00:00:00:02', link: 'down' },
    ]);
    expect(unread).toEqual([]);
  });

  // Source: DSP2046, EthernetInterface, Port and NetworkPort, LinkStatus; some BMCs write other letter cases
  it.each([
    ['LinkUp', 'up'],
    ['Linkup', 'up'],
    ['linkUp', 'up'],
    ['UP', 'up'],
    ['NoLink', 'down'],
    ['nolink', 'down'],
    ['LINKDOWN', 'down'],
    ['Down', 'down'],
    ['Starting', 'unknown'],
    [null, 'unknown'],
  ])('has the link status %s as %s', async (LinkStatus, want) => {
    const interfaces = `${system}/EthernetInterfaces`;
    const mockup: Mockup = {
      [system]: { EthernetInterfaces: link(interfaces) },
      [interfaces]: collection(`${interfaces}/1`),
      [`${interfaces}/1`]: { Id: '1', MACAddress: '52:54:00:00:00:01', LinkStatus },
    };
    const { networkInterfaces } = await readInventory(mockupClient(mockup), system);
    expect(networkInterfaces.map((each) => each.link)).toEqual([want]);
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
  const order = 'contains no OUI of a known disk maker, so that the order of its bytes is unknown';
  const port = 'which may be the name of a SAS port instead of the drive';
  const controller =
    'whose OUI is not that of a known disk maker: it may be the name of a port of the controller';
  const cases: readonly {
    name: string;
    given: readonly [string, unknown];
    kind?: 'drive' | 'volume';
    bus?: DiskBus;
    want: string;
  }[] = [
    { name: 'NAA', given: ['NAA', '5000C500A1B2C3D4'], want: 'wwn-0x5000c500a1b2c3d4' },
    { name: 'NAA with prefix', given: ['NAA', 'naa.5000c500a1b2c3d4'], want: 'wwn-0x5000c500a1b2c3d4' },
    { name: 'NAA as a number', given: ['NAA', '0x5000c500a1b2c3d4'], want: 'wwn-0x5000c500a1b2c3d4' },
    {
      name: 'NAA of SATA drives: Intel',
      given: ['NAA', '55CD2E404B7A1F23'],
      bus: 'sata',
      want: 'wwn-0x55cd2e404b7a1f23',
    },
    { name: 'Micron', given: ['NAA', '500A0751E1A2B3C4'], bus: 'sata', want: 'wwn-0x500a0751e1a2b3c4' },
    { name: 'Samsung', given: ['NAA', '5002538E40A1B2C3'], bus: 'sata', want: 'wwn-0x5002538e40a1b2c3' },
    {
      name: 'NAA that is none',
      given: ['NAA', '425380496'],
      want: 'which is not a NAA name of 16 or 32 digits',
    },
    { name: 'NAA of letters', given: ['NAA', 'none'], want: 'which is not a NAA name' },
    {
      name: 'NAA of an NVMe drive',
      given: ['NAA', 'ace42e0005fcd001'],
      bus: 'nvme',
      want: 'a NAA name, which Linux shows only for SCSI and ATA disks',
    },
    {
      name: 'NAA 1',
      given: ['NAA', '1000C500A1B2C3D4'],
      want: 'whose NAA type 1 does not name a drive',
    },
    { name: 'NAA 2', given: ['NAA', '2000C500A1B2C3D4'], want: 'whose NAA type 2 does not name a drive' },
    {
      name: 'NAA 3, of a controller',
      given: ['NAA', '31402EC013A3F40F'],
      bus: 'sata',
      want: 'a locally assigned name (NAA type 3), such as that of a port of the controller',
    },
    {
      name: 'NAA 6 of a drive',
      given: ['NAA', '600508B1001C2E955E0D6EC1B6B9A0C7'],
      bus: 'sas',
      want: 'whose NAA type 6 names a volume',
    },
    { name: 'NAA 5 of a controller: HPE', given: ['NAA', '51402EC013A3F40F'], bus: 'sata', want: controller },
    { name: 'of an expander: Supermicro', given: ['NAA', '500304801F715F3F'], bus: 'sata', want: controller },
    { name: 'of an HBA: Broadcom', given: ['NAA', '500605B00A1B2C3D'], bus: 'sas', want: controller },
    {
      name: 'SAS unit: Seagate',
      given: ['NAA', '5000C500595382D3'],
      bus: 'sas',
      want: 'wwn-0x5000c500595382d3',
    },
    { name: 'SAS device: Seagate', given: ['NAA', '5000C500595382D0'], bus: 'sas', want: port },
    { name: 'SAS port: Seagate', given: ['NAA', '5000C500595382D1'], bus: 'sas', want: port },
    {
      name: 'SAS unit: HGST',
      given: ['NAA', '5000CCA23B713C80'],
      bus: 'sas',
      want: 'wwn-0x5000cca23b713c80',
    },
    { name: 'SAS port: HGST', given: ['NAA', '5000CCA23B713C81'], bus: 'sas', want: port },
    {
      name: 'SAS unit: Toshiba',
      given: ['NAA', '5000039B4840B88D'],
      bus: 'sas',
      want: 'wwn-0x5000039b4840b88d',
    },
    { name: 'SAS port: Toshiba', given: ['NAA', '5000039B4840B88E'], bus: 'sas', want: port },
    {
      name: 'SAS unit: Samsung',
      given: ['NAA', '5002538A48872950'],
      bus: 'sas',
      want: 'wwn-0x5002538a48872950',
    },
    {
      name: 'SAS drive of a maker without known places',
      given: ['NAA', '58CE38EE236E3840'],
      bus: 'sas',
      want: port,
    },
    {
      name: 'NAA 6 of a volume',
      given: ['NAA', '600508B1001C2E955E0D6EC1B6B9A0C7'],
      kind: 'volume',
      bus: 'scsi',
      want: 'wwn-0x600508b1001c2e955e0d6ec1b6b9a0c7',
    },
    {
      name: 'NAA 5 of a volume',
      given: ['NAA', '500A098000000424'],
      kind: 'volume',
      bus: 'scsi',
      want: 'wwn-0x500a098000000424',
    },
    {
      name: 'half a NAA 6 of a volume',
      given: ['NAA', '600508B1001C2E95'],
      kind: 'volume',
      want: 'which is incomplete or no name of NAA type 6',
    },
    {
      name: 'NAA 1 of a volume',
      given: ['NAA', '1000C500A1B2C3D4'],
      kind: 'volume',
      want: 'whose NAA type 1 does not name a disk',
    },
    { name: 'EUI', given: ['EUI', 'AC:E4:2E:00:25:1B:54:A2'], want: 'nvme-eui.ace42e00251b54a2' },
    {
      name: 'EUI in reverse order: Samsung',
      given: ['EUI', '7A:41:90:5E:1C:38:25:00'],
      bus: 'nvme',
      want: 'nvme-eui.0025381c5e90417a',
    },
    {
      name: 'EUI in reverse order: Kioxia',
      given: ['EUI', '73:C8:2B:03:E3:8E:E3:8C'],
      bus: 'nvme',
      want: 'nvme-eui.8ce38ee3032bc873',
    },
    {
      name: 'EUI of a boot controller',
      given: ['EUI', '00:50:43:97:c9:fb:00:01'],
      kind: 'volume',
      want: 'nvme-eui.00504397c9fb0001',
    },
    {
      name: 'EUI of no maker',
      given: ['EUI', 'ba:5f:89:5c:d3:65:b5:7f'],
      bus: 'nvme',
      want: `which ${order}`,
    },
    {
      name: 'EUI with two makers',
      given: ['EUI', '0025381c5e75a000'],
      bus: 'nvme',
      want: 'which contains OUIs of disk makers in both directions, so that the order of its bytes is unknown',
    },
    {
      name: 'EUI that reads the same in both directions',
      given: ['EUI', '0025383333382500'],
      bus: 'nvme',
      want: 'nvme-eui.0025383333382500',
    },
    {
      name: 'EUI of a SAS drive',
      given: ['EUI', 'ACE42E00251B54A2'],
      bus: 'sas',
      want: 'a name of the format EUI, which Linux shows only for NVMe disks',
    },
    { name: 'EUI of zeros', given: ['EUI', '0000000000000000'], want: 'which is not an EUI-64 or NGUID' },
    { name: 'short EUI', given: ['EUI', 'ACE42E00251B'], want: 'which has neither 16 nor 32 digits' },
    {
      name: 'NGUID',
      given: ['NGUID', '36344830526004570025384100000001'],
      bus: 'nvme',
      want: 'nvme-eui.36344830526004570025384100000001',
    },
    {
      name: 'NGUID in reverse order',
      given: ['NGUID', '01000000413825005704605230483436'],
      bus: 'nvme',
      want: 'nvme-eui.36344830526004570025384100000001',
    },
    {
      name: 'NGUID of no maker',
      given: ['NGUID', '36344830526004571111114100000001'],
      bus: 'nvme',
      want: `which ${order}`,
    },
    {
      name: 'UUID of a namespace',
      given: ['UUID', 'urn:uuid:3B2A7D4C-9A4E-4F6B-8C1D-0123456789AB'],
      kind: 'volume',
      bus: 'nvme',
      want: 'nvme-uuid.3b2a7d4c-9a4e-4f6b-8c1d-0123456789ab',
    },
    {
      name: 'UUID without version',
      given: ['UUID', '3B2A7D4C-9A4E-0F6B-8C1D-0123456789AB'],
      kind: 'volume',
      bus: 'nvme',
      want: 'which is not a UUID',
    },
    {
      name: 'UUID of a drive',
      given: ['UUID', '3B2A7D4C-9A4E-4F6B-8C1D-0123456789AB'],
      bus: 'nvme',
      want: 'a UUID, which names no disk in Linux',
    },
    {
      name: 'NSID',
      given: ['NSID', '1'],
      kind: 'volume',
      bus: 'nvme',
      want: 'which is no World Wide Name or EUI',
    },
    {
      name: 'NQN',
      given: ['NQN', 'nqn.2014-08.org.nvmexpress:uuid:1'],
      want: 'which is no World Wide Name or EUI',
    },
  ];
  test.each(cases)(
    '$name',
    ({ given: [DurableNameFormat, DurableName], kind = 'drive', bus = 'unknown', want }) => {
      const given = { Identifiers: [{ DurableNameFormat, DurableName }, null] };
      expect(diskLinks(given, { kind, bus })).toEqual(
        /^(?:wwn|nvme)-/.test(want)
          ? { links: [`/dev/disk/by-id/${want}`] }
          : { links: [], fault: `the name "${String(DurableName)}", ${want}` },
      );
    },
  );

  it('are in the order of the kernel: UUID, NGUID, EUI-64; faults of others do not count', () => {
    const names = [
      ['NSID', '1'],
      ['EUI', '0025384100000001'],
      ['NGUID', '36344830526004570025384100000001'],
      ['UUID', '3b2a7d4c-9a4e-4f6b-8c1d-0123456789ab'],
    ];
    const Identifiers = names.map(([DurableNameFormat, DurableName]) => ({ DurableNameFormat, DurableName }));
    expect(diskLinks({ Identifiers }, { kind: 'volume', bus: 'nvme' })).toEqual({
      links: [
        'nvme-uuid.3b2a7d4c-9a4e-4f6b-8c1d-0123456789ab',
        'nvme-eui.36344830526004570025384100000001',
        'nvme-eui.0025384100000001',
      ].map((each) => `/dev/disk/by-id/${each}`),
    });
    expect(diskLinks({}, { kind: 'drive', bus: 'nvme' })).toEqual({ links: [] });
  });
});

test.each([
  ['CapacityBytes', { CapacityBytes: 480_103_981_056 }, 480_103_981_056],
  ['text', { CapacityBytes: '480103981056' }, 480_103_981_056],
  ['a volume', { Capacity: { Data: { AllocatedBytes: 480_036_519_936 } } }, 480_036_519_936],
  [
    'blocks',
    { CapacityLogicalBlocks: 937_703_088, BlockSizeBytes: 512, CapacityMiB: 457_862 },
    480_103_981_056,
  ],
  ['binary units', { CapacityMiB: 457_862, CapacityGB: 480 }, 480_103_104_512],
  ['decimal units', { CapacityGB: 480 }, 480_000_000_000],
  ['gigabytes as bytes', { CapacityBytes: 480 }, undefined],
  ['gigabytes as bytes, and their number', { CapacityBytes: 480, CapacityGB: 480 }, 480_000_000_000],
  ['nothing', { CapacityBytes: null, CapacityGB: 0 }, undefined],
])('the capacity in %s', (_name, data, want) => {
  expect(capacityOf(data)).toBe(want);
});

describe('volumes', () => {
  const system = '/redfish/v1/Systems/1';
  const storage = `${system}/Storage/1`;
  const mockupOf = (
    protocols: readonly string[],
    volumes: readonly { members: readonly number[]; more: object }[],
  ): Mockup => ({
    [system]: { Storage: link(`${system}/Storage`) },
    [`${system}/Storage`]: collection(storage),
    [storage]: {
      Drives: protocols.map((_each, index) => link(`${storage}/Drives/${index}`)),
      Volumes: link(`${storage}/Volumes`),
    },
    [`${storage}/Volumes`]: collection(...volumes.map((_each, index) => `${storage}/Volumes/${index}`)),
    ...Object.fromEntries(
      protocols.map((Protocol, index) => [
        `${storage}/Drives/${index}`,
        { Id: `D${index}`, Protocol, CapacityBytes: 480e9 },
      ]),
    ),
    ...Object.fromEntries(
      volumes.map(({ members, more }, index) => [
        `${storage}/Volumes/${index}`,
        {
          Id: `V${index}`,
          Links: { Drives: members.map((each) => link(`${storage}/Drives/${each}`)) },
          ...more,
        },
      ]),
    ),
  });
  const named = (DurableNameFormat: string, DurableName: string): object => ({
    Identifiers: [{ DurableNameFormat, DurableName }],
  });
  const eui = named('EUI', '0050430a0a00007b');
  const naa = named('NAA', '600508b1001c2e955e0d6ec1b6b9a0c7');
  const mirror = { RAIDType: 'RAID1' };
  const wrongBus =
    'the name "0050430a0a00007b", a name of the format EUI, which Linux shows only for NVMe disks';
  test.each([
    {
      name: 'a mirror of NVMe drives as a namespace',
      mockup: mockupOf(['NVMe', 'NVMe'], [{ members: [0, 1], more: { ...mirror, ...eui } }]),
      want: ['V0 /dev/disk/by-id/nvme-eui.0050430a0a00007b', 'D0 member', 'D1 member'],
    },
    {
      name: 'a mirror of NVMe drives behind a RAID controller',
      mockup: mockupOf(['NVMe', 'NVMe'], [{ members: [0, 1], more: { ...mirror, ...naa } }]),
      want: ['V0 /dev/disk/by-id/wwn-0x600508b1001c2e955e0d6ec1b6b9a0c7', 'D0 member', 'D1 member'],
    },
    {
      name: 'a mirror of SATA drives with an EUI',
      mockup: mockupOf(['SATA', 'SATA'], [{ members: [0, 1], more: { ...mirror, ...eui } }]),
      want: [`V0 ${wrongBus}`, 'D0 member', 'D1 member'],
    },
    {
      name: 'a volume that does not list its drives',
      mockup: mockupOf([], [{ members: [], more: { ...mirror, ...naa } }]),
      want: ['V0 /dev/disk/by-id/wwn-0x600508b1001c2e955e0d6ec1b6b9a0c7'],
    },
    {
      name: 'two namespaces of a drive',
      mockup: mockupOf(
        ['NVMe'],
        [
          { members: [0], more: named('EUI', '0025384100000001') },
          { members: [0], more: named('EUI', '0025384100000002') },
        ],
      ),
      want: [
        'V0 /dev/disk/by-id/nvme-eui.0025384100000001',
        'V1 /dev/disk/by-id/nvme-eui.0025384100000002',
        'D0 member',
      ],
    },
  ])('$name', async ({ mockup, want }) => {
    const { disks } = await readInventory(mockupClient(mockup), system);
    expect(
      disks.map(({ id, links, linkFault, isMember }) =>
        [id, ...links, linkFault, isMember ? 'member' : undefined]
          .filter((each) => each !== undefined)
          .join(' '),
      ),
    ).toEqual(want);
  });
});
