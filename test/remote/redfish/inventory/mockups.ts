import { createServer } from 'node:http';

import { onTestFinished } from 'vitest';

import { BmcFault } from '../../../../src/remote/redfish/bmc-fault.js';
import type { BmcClient } from '../../../../src/remote/redfish/bmc-client.js';
import { listeningPort } from '../../../support/ports.js';
import { account } from '../fake-bmc.js';

/** Resources of a BMC by path. A number is the status of a refusal. */
export type Mockup = Readonly<Record<string, object | number>>;

export function link(path: string): object {
  return { '@odata.id': path };
}

export function collection(...paths: readonly string[]): object {
  return { Members: paths.map(link), 'Members@odata.count': paths.length };
}

const system = '/redfish/v1/Systems/System.Embedded.1';
const chassis = '/redfish/v1/Chassis/System.Embedded.1';
const drives = `${system}/Storage/AHCI.Slot.1/Drives`;

/**
 * Names of collections and IDs as on Dell's iDRAC 9: addresses in upper case, the board's serial number beside the service tag, a mirror
 * behind a controller, and empty bays. Source of the structure: dell/dellemc-openmanage-ansible-modules, roles/idrac_gather_facts
 */
export const dell: Mockup = {
  '/redfish/v1/Systems': collection(system),
  [system]: {
    Manufacturer: 'Dell Inc.',
    Model: 'PowerEdge XR11',
    SerialNumber: 'CNXXX0000000AB',
    SKU: 'ABC1234',
    BiosVersion: '1.14.1',
    PowerState: 'Off',
    Bios: link(`${system}/Bios`),
    Boot: { BootSourceOverrideMode: 'Legacy' },
    EthernetInterfaces: link(`${system}/EthernetInterfaces`),
    Storage: link(`${system}/Storage`),
    Links: { Chassis: [link(chassis)], ManagedBy: [link('/redfish/v1/Managers/iDRAC.Embedded.1')] },
  },
  '/redfish/v1/Managers/iDRAC.Embedded.1': { FirmwareVersion: '6.10.30.20', Model: '15G Monolithic' },
  [`${system}/Bios`]: { Attributes: { BootMode: 'Uefi', BootSeqRetry: 'Enabled' } },
  [`${system}/EthernetInterfaces`]: {
    ...collection(`${system}/EthernetInterfaces/NIC.Embedded.1-1-1`),
    'Members@odata.nextLink': `${system}/EthernetInterfaces?$skip=1`,
  },
  [`${system}/EthernetInterfaces?$skip=1`]: collection(`${system}/EthernetInterfaces/NIC.Embedded.2-1-1`),
  [`${system}/EthernetInterfaces/NIC.Embedded.1-1-1`]: {
    Id: 'NIC.Embedded.1-1-1',
    EthernetInterfaceType: 'Physical',
    MACAddress: '52:54:00:AA:BB:01',
    PermanentMACAddress: '52:54:00:AA:BB:00',
    LinkStatus: 'LinkUp',
    SpeedMbps: 25000,
    Status: { State: 'Enabled' },
  },
  [`${system}/EthernetInterfaces/NIC.Embedded.2-1-1`]: {
    Id: 'NIC.Embedded.2-1-1',
    MACAddress: '52:54:00:AA:BB:02',
    PermanentMACAddress: '',
    LinkStatus: null,
    SpeedMbps: 0,
  },
  [`${system}/Storage`]: collection(`${system}/Storage/AHCI.Slot.1`),
  [`${system}/Storage/AHCI.Slot.1`]: {
    Drives: [
      link(`${drives}/Disk.Direct.0-0`),
      link(`${drives}/Disk.Direct.1-1`),
      link(`${drives}/Disk.Bay.2`),
    ],
    Volumes: link(`${system}/Storage/AHCI.Slot.1/Volumes`),
  },
  ...Object.fromEntries(
    ['Disk.Direct.0-0', 'Disk.Direct.1-1'].map((id, index) => [
      `${drives}/${id}`,
      {
        Id: id,
        Name: `SSD ${index}`,
        Manufacturer: 'INTEL',
        Model: 'SSDSCKKB480G8R',
        SerialNumber: `PHYH00000${index}`,
        CapacityBytes: 480_103_981_056,
        MediaType: 'SSD',
        Protocol: 'SATA',
        Identifiers: [{ DurableName: null, DurableNameFormat: null }],
        Status: { State: 'Enabled' },
      },
    ]),
  ),
  [`${drives}/Disk.Bay.2`]: { Id: 'Disk.Bay.2', Status: { State: 'Absent' }, CapacityBytes: null },
  [`${system}/Storage/AHCI.Slot.1/Volumes`]: collection(
    `${system}/Storage/AHCI.Slot.1/Volumes/Disk.Virtual.0`,
  ),
  [`${system}/Storage/AHCI.Slot.1/Volumes/Disk.Virtual.0`]: {
    Id: 'Disk.Virtual.0',
    Name: 'BOSS',
    VolumeType: 'Mirrored',
    RAIDType: 'RAID1',
    CapacityBytes: 480_036_519_936,
    Identifiers: [{ DurableName: '600508b1001c5e6fabcdef0123456789', DurableNameFormat: 'NAA' }],
    Links: { Drives: [link(`${drives}/Disk.Direct.0-0`), link(`${drives}/Disk.Direct.1-1`)] },
  },
};

/**
 * As on HPE's iLO: NVMe drives below the chassis, their EUI with colons, several disks with ports of SAS drives as names. Source of the
 * structure: Checkmk/checkmk, tests of its plugin redfish
 */
export const hpe: Mockup = {
  '/redfish/v1/Systems': collection('/redfish/v1/Systems/1'),
  '/redfish/v1/Systems/1': {
    Manufacturer: 'HPE',
    Model: 'ProLiant DL110 Gen10 Plus',
    SerialNumber: 'CZ00000001      ',
    SKU: 'P54321-B21',
    BiosVersion: 'U56 v1.80 (01/01/2024)',
    Bios: link('/redfish/v1/Systems/1/Bios'),
    EthernetInterfaces: link('/redfish/v1/Systems/1/EthernetInterfaces'),
    Storage: link('/redfish/v1/Systems/1/Storage'),
    Links: { Chassis: [link('/redfish/v1/Chassis/1')], ManagedBy: [link('/redfish/v1/Managers/1')] },
  },
  '/redfish/v1/Managers/1': { FirmwareVersion: 'iLO 5 v2.99', Model: 'iLO 5' },
  '/redfish/v1/Systems/1/Bios': { Attributes: { BootMode: 'LegacyBios' } },
  '/redfish/v1/Systems/1/EthernetInterfaces': collection('/redfish/v1/Systems/1/EthernetInterfaces/1'),
  '/redfish/v1/Systems/1/EthernetInterfaces/1': { Id: '1', MACAddress: null, LinkStatus: null },
  '/redfish/v1/Chassis/1': { NetworkAdapters: link('/redfish/v1/Chassis/1/NetworkAdapters') },
  '/redfish/v1/Chassis/1/NetworkAdapters': collection('/redfish/v1/Chassis/1/NetworkAdapters/DC07A000'),
  '/redfish/v1/Chassis/1/NetworkAdapters/DC07A000': {
    NetworkPorts: link('/redfish/v1/Chassis/1/NetworkAdapters/DC07A000/NetworkPorts'),
    NetworkDeviceFunctions: link('/redfish/v1/Chassis/1/NetworkAdapters/DC07A000/NetworkDeviceFunctions'),
  },
  '/redfish/v1/Chassis/1/NetworkAdapters/DC07A000/NetworkPorts': collection('/redfish/v1/Ports/1'),
  '/redfish/v1/Ports/1': { Id: '1', LinkStatus: 'Up', CurrentLinkSpeedMbps: 10000 },
  '/redfish/v1/Chassis/1/NetworkAdapters/DC07A000/NetworkDeviceFunctions':
    collection('/redfish/v1/Functions/1'),
  '/redfish/v1/Functions/1': {
    Id: '1',
    Ethernet: { MACAddress: '52-54-00-CC-DD-01' },
    Links: { PhysicalPortAssignment: link('/redfish/v1/Ports/1') },
  },
  '/redfish/v1/Systems/1/Storage': collection('/redfish/v1/Systems/1/Storage/DE00D000'),
  '/redfish/v1/Systems/1/Storage/DE00D000': {
    Drives: [link('/redfish/v1/Chassis/DE00D000/Drives/0'), link('/redfish/v1/Chassis/DE00D000/Drives/1')],
    Volumes: link('/redfish/v1/Systems/1/Storage/DE00D000/Volumes'),
  },
  '/redfish/v1/Systems/1/Storage/DE00D000/Volumes': 404,
  '/redfish/v1/Chassis/DE00D000/Drives/0': {
    Id: '0',
    Model: 'KCM6XRUL960G',
    SerialNumber: ' 1280A0ABCDEF',
    CapacityBytes: 960_197_124_096,
    MediaType: 'SSD',
    Protocol: 'NVMe',
    Identifiers: [{ DurableName: '01:CF:53:21:E2:8E:E3:8C', DurableNameFormat: 'EUI' }],
  },
  '/redfish/v1/Chassis/DE00D000/Drives/1': {
    Id: '1',
    Model: 'EG001200JWJNK',
    SerialNumber: '9170A0QXFF4F',
    CapacityBytes: 1_200_243_695_616,
    MediaType: 'HDD',
    Protocol: 'SAS',
    Identifiers: [{ DurableName: '5000039B28119BF1', DurableNameFormat: 'NAA' }],
  },
};

/**
 * As on Supermicro's older BMCs and in DMTF's public-rackmount1: no manager linked, disks in SimpleStorage only, an interface to the
 * BMC and a VLAN between the others. Source of the structure: DSP2043, public-rackmount1
 */
export const supermicro: Mockup = {
  '/redfish/v1/Systems': collection('/redfish/v1/Systems/1'),
  '/redfish/v1/Managers': collection('/redfish/v1/Managers/BMC'),
  '/redfish/v1/Managers/BMC': { FirmwareVersion: '01.01.10' },
  '/redfish/v1/Systems/1': {
    Manufacturer: 'Supermicro',
    Model: '',
    SerialNumber: null,
    Boot: { BootSourceOverrideMode: 'UEFI' },
    EthernetInterfaces: link('/redfish/v1/Systems/1/EthernetInterfaces'),
    SimpleStorage: link('/redfish/v1/Systems/1/SimpleStorage'),
  },
  '/redfish/v1/Systems/1/EthernetInterfaces': collection(
    ...['1', 'VLAN1', 'ToManager', 'gone'].map((id) => `/redfish/v1/Systems/1/EthernetInterfaces/${id}`),
  ),
  '/redfish/v1/Systems/1/EthernetInterfaces/1': { Id: '1', MACAddress: '525400EEFF01', LinkStatus: 'NoLink' },
  '/redfish/v1/Systems/1/EthernetInterfaces/VLAN1': {
    Id: 'VLAN1',
    EthernetInterfaceType: 'Virtual',
    MACAddress: '525400EEFF01',
    LinkStatus: 'LinkUp',
  },
  '/redfish/v1/Systems/1/EthernetInterfaces/ToManager': { Id: 'ToManager', MACAddress: '52:54:00:ee:ff:fe' },
  '/redfish/v1/Systems/1/SimpleStorage': collection('/redfish/v1/Systems/1/SimpleStorage/1'),
  '/redfish/v1/Systems/1/SimpleStorage/1': {
    Devices: [
      { Name: 'SATA Bay 1', Manufacturer: 'Contoso', Model: '3000GT8', CapacityBytes: 480_000_000_000 },
      { Name: 'SATA Bay 2', Status: { State: 'Absent' } },
    ],
  },
};

/** Reads a mockup without a server, as `BmcClient` reads it with one. */
export function mockupClient(mockup: Mockup): Pick<BmcClient, 'get'> {
  return {
    get: (path) => {
      const found = mockup[path] ?? 404;
      if (typeof found === 'object') return Promise.resolve({ path, data: { ...found } });
      const kind = found === 403 || found === 401 ? 'credentials' : 'refused';
      return Promise.reject(new BmcFault(kind, `request failed (HTTP ${found})`, { status: found }));
    },
  };
}

/** Serves a mockup by HTTP Basic; a BMC of its own. */
export async function servedMockup(mockup: Mockup): Promise<string> {
  const basic = `Basic ${Buffer.from(`${account.name}:${account.password}`).toString('base64')}`;
  const server = createServer(({ url = '', headers }, response) => {
    const found = url === '/redfish/v1/' ? { RedfishVersion: '1.15.0' } : (mockup[url] ?? 404);
    const isKnown = url === '/redfish/v1/' || headers.authorization === basic;
    const status = isKnown ? (typeof found === 'number' ? found : 200) : 401;
    response.writeHead(status).end(JSON.stringify(status === 200 ? found : {}));
  });
  const port = await listeningPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}
