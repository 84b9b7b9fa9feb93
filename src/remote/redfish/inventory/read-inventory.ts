import type { BmcClient } from '../bmc-client.js';
import { findMachine } from '../machine.js';
import { linkAt, linksAt, memberAt, textAt, type JsonObject, type Resource } from '../resource.js';
import { readDisks, type Disk } from './disks.js';
import { readNetworkInterfaces, type NetworkInterface } from './network-interfaces.js';
import { partReader, type PartReader, type UnreadPart } from './part-reader.js';
import { lineAt } from './values.js';

/** Hardware and firmware of a machine, as its BMC reports them. Unknown values are absent. */
export interface MachineInventory {
  /** Path of the ComputerSystem. */
  readonly system: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  /** On Dell machines the service tag. */
  readonly sku?: string;
  readonly biosVersion?: string;
  readonly bmcModel?: string;
  readonly bmcVersion?: string;
  readonly bootMode?: 'UEFI' | 'legacy';
  readonly power?: string;
  readonly networkInterfaces: readonly NetworkInterface[];
  readonly disks: readonly Disk[];
  /** Parts that are missing or incomplete, because the BMC did not return them. */
  readonly unread: readonly UnreadPart[];
}

/** Reads the inventory of a machine; changes nothing. Throws BmcFault. */
export async function readInventory(
  client: Pick<BmcClient, 'get'>,
  system: string | undefined,
): Promise<MachineInventory> {
  const machine = await findMachine(client, system);
  const reader = partReader(client);
  const manager = await managerOf(reader, machine);
  const bootMode = await bootModeOf(reader, machine);
  const networkInterfaces = await readNetworkInterfaces(reader, machine);
  const disks = await readDisks(reader, machine);
  const { data } = machine;
  const texts = {
    manufacturer: lineAt(data, 'Manufacturer'),
    model: lineAt(data, 'Model'),
    serialNumber: lineAt(data, 'SerialNumber'),
    sku: lineAt(data, 'SKU'),
    biosVersion: lineAt(data, 'BiosVersion'),
    bmcModel: manager && lineAt(manager.data, 'Model'),
    bmcVersion: manager && lineAt(manager.data, 'FirmwareVersion'),
    power: lineAt(data, 'PowerState'),
  };
  return {
    system: machine.path,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(bootMode !== undefined && { bootMode }),
    networkInterfaces,
    disks,
    unread: reader.unread(),
  };
}

/** The manager of a machine. Some services do not link to it, but have only one. Source: openstack/sushy, system.py, managers */
async function managerOf(reader: PartReader, { data }: Resource): Promise<Resource | undefined> {
  const [linked] = linksAt(data, 'Links', 'ManagedBy');
  if (linked !== undefined) return reader.get('firmware', linked);
  const all = { Managers: { '@odata.id': '/redfish/v1/Managers' } };
  const [only, second] = await reader.members('firmware', all, 'Managers');
  return second === undefined ? only : undefined;
}

/** BIOS attributes with the boot mode: Dell and HPE, Lenovo, Supermicro, whose names may end in a number. */
const bootModeAttribute = /^(?:BootMode|BootModes_SystemBootMode|BootModeSelect(?:_\w+)?)$/;

/** The boot mode of the BIOS; without one, that of the boot override. Source: DSP2046, Bios, Attributes; ComputerSystem, Boot */
async function bootModeOf(
  reader: PartReader,
  { data }: Resource,
): Promise<MachineInventory['bootMode'] | undefined> {
  const bios = await reader.get('boot mode', linkAt(data, 'Bios'));
  const attributes = memberAt(bios?.data ?? {}, 'Attributes');
  const named = Object.entries(typeof attributes === 'object' && attributes !== null ? attributes : {});
  const texts = named.flatMap(([name, value]) =>
    bootModeAttribute.test(name) && typeof value === 'string' ? [value] : [],
  );
  return modeIn([...texts, overrideMode(data)]);
}

function overrideMode(data: JsonObject): string {
  return textAt(data, 'Boot', 'BootSourceOverrideMode') ?? '';
}

/** Values: `Uefi`, `UEFIMode`; `Bios`, `LegacyBios`, `LegacyMode`. Others, such as `Dual`, do not name one mode. */
function modeIn(texts: readonly string[]): MachineInventory['bootMode'] | undefined {
  for (const text of texts) {
    if (/^uefi(?:mode)?$/i.test(text)) return 'UEFI';
    if (/^(?:bios|legacy(?:bios|mode)?)$/i.test(text)) return 'legacy';
  }
  return undefined;
}
