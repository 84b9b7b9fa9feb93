import { linksAt, memberAt, objectsAt, textAt, type JsonObject, type Resource } from '../resource.js';
import { diskLinks, type DiskBus, type DiskLinks, type NamedDevice } from './disk-links.js';
import { ownChassis, type PartReader } from './part-reader.js';
import { capacityOf, isAbsent, lineAt } from './values.js';

/** A drive, or a volume of a RAID controller. */
export interface Disk {
  readonly kind: 'drive' | 'volume';
  readonly id: string;
  readonly name?: string;
  readonly manufacturer?: string;
  readonly model?: string;
  readonly serialNumber?: string;
  readonly bytes?: number;
  /** `HDD`, `SSD` or another MediaType of DSP2046. */
  readonly media?: string;
  readonly protocol?: string;
  /** Paths below /dev/disk/by-id, from the identifiers; the first is the most reliable. */
  readonly links: readonly string[];
  /** Why there is no link although the BMC reports identifiers: `the name "…", which …`. */
  readonly linkFault?: string;
  /** A drive that belongs to a volume: the operating system sees only the volume. */
  readonly isMember: boolean;
}

const part = 'disks';

/**
 * Drives and volumes of the system's storage, then those that only its chassis or SimpleStorage lists, such as the SATA disks of a
 * service whose Storage has only NVMe. Source: DSP2046, ComputerSystem, Storage and SimpleStorage; Chassis, Drives
 */
export async function readDisks(reader: PartReader, machine: Resource): Promise<readonly Disk[]> {
  const ofStorage = await readStorage(reader, machine.data);
  const ofChassis = othersThan(ofStorage, await readChassis(reader, machine));
  const known = [...ofStorage, ...ofChassis];
  return [...known, ...othersThan(known, await readSimpleStorage(reader, machine.data))];
}

/** Most services list a disk in several places. A disk that is not recognized appears twice, so none is missed. */
function othersThan(known: readonly Disk[], found: readonly Disk[]): readonly Disk[] {
  const left = known.filter(({ kind }) => kind === 'drive');
  return found.filter((disk) => {
    const index = left.findIndex((each) => isSameDisk(each, disk));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** SimpleStorage has no serial numbers, and some of its capacities are rounded. */
function isSameDisk(left: Disk, right: Disk): boolean {
  if (left.serialNumber !== undefined && right.serialNumber !== undefined)
    return left.serialNumber === right.serialNumber;
  const [one, other] = [left.model ?? '', right.model ?? ''].map((each) => each.toLowerCase());
  const isModel = one !== undefined && other !== undefined && (one.includes(other) || other.includes(one));
  const [bytes = 0, others = 0] = [left.bytes, right.bytes];
  return isModel && Math.abs(bytes - others) <= bytes / 100;
}

async function readStorage(reader: PartReader, system: JsonObject): Promise<readonly Disk[]> {
  const drives = new Map<string, JsonObject>();
  const volumes: Resource[] = [];
  for (const { data } of await reader.members(part, system, 'Storage')) {
    for (const path of linksAt(data, 'Drives')) {
      const drive = drives.has(path) ? undefined : await reader.get(part, path);
      if (drive !== undefined) drives.set(path, drive.data);
    }
    for (const volume of await reader.members(part, data, 'Volumes')) volumes.push(volume);
  }
  return disksOf(drives, volumes);
}

/** A volume that is one whole drive, such as its only NVMe namespace, is shown as the drive with the identifiers of both. */
function disksOf(drives: ReadonlyMap<string, JsonObject>, volumes: readonly Resource[]): readonly Disk[] {
  const arrays: Resource[] = [];
  const byDrive = new Map<string, Resource[]>();
  for (const volume of volumes.filter(({ data }) => !isAbsent(data))) {
    const [path, second] = linksAt(volume.data, 'Links', 'Drives');
    const drive = path === undefined || second !== undefined ? undefined : drives.get(path);
    if (path !== undefined && drive !== undefined && isWholeDrive(volume.data, drive))
      byDrive.set(path, [...(byDrive.get(path) ?? []), volume]);
    else arrays.push(volume);
  }
  const wholes = new Map<string, JsonObject>();
  for (const [path, [only, ...others]] of byDrive) {
    if (only !== undefined && others.length === 0) wholes.set(path, only.data);
    else for (const each of byDrive.get(path) ?? []) arrays.push(each);
  }
  const paths = new Set(arrays.map(({ path }) => path));
  const members = new Set(arrays.flatMap(({ data }) => linksAt(data, 'Links', 'Drives')));
  return [
    ...arrays.map(({ data }) => diskOf(data, { kind: 'volume', bus: volumeBus(data, drives) })),
    ...[...drives]
      .filter(([, drive]) => isPresent(drive))
      .map(([path, drive]) => {
        const isMember =
          members.has(path) || linksAt(drive, 'Links', 'Volumes').some((each) => paths.has(each));
        return diskOf(drive, driveOf(drive), { isMember, whole: wholes.get(path) });
      }),
  ];
}

/** Source: DSP2046, Volume, VolumeType and RAIDType; an NVMe namespace is a volume without RAID */
function isWholeDrive(volume: JsonObject, drive: JsonObject): boolean {
  if (textAt(volume, 'VolumeType') === 'RawDevice') return true;
  const raid = textAt(volume, 'RAIDType');
  return busOf(drive) === 'nvme' && (raid === undefined || raid === 'None');
}

/** Source: DSP2046, Chassis, Drives and Links.Drives */
async function readChassis(reader: PartReader, machine: Resource): Promise<readonly Disk[]> {
  const drives = new Map<string, JsonObject>();
  for (const { data } of await ownChassis(reader, part, machine)) {
    for (const drive of await reader.members(part, data, 'Drives')) drives.set(drive.path, drive.data);
    for (const link of linksAt(data, 'Links', 'Drives')) {
      const drive = drives.has(link) ? undefined : await reader.get(part, link);
      if (drive !== undefined) drives.set(link, drive.data);
    }
  }
  return disksOf(drives, []);
}

/** Devices of SimpleStorage have no identifiers. */
async function readSimpleStorage(reader: PartReader, system: JsonObject): Promise<readonly Disk[]> {
  const controllers = await reader.members(part, system, 'SimpleStorage');
  return controllers.flatMap(({ data }) =>
    objectsAt(data, 'Devices')
      .filter(isPresent)
      .map((device) => diskOf(device, driveOf(device))),
  );
}

/** Empty bays are listed without capacity, and some without a state. */
function isPresent(data: JsonObject): boolean {
  return !isAbsent(data) && (capacityOf(data) ?? lineAt(data, 'SerialNumber')) !== undefined;
}

function diskOf(
  data: JsonObject,
  device: NamedDevice,
  { isMember = false, whole }: { readonly isMember?: boolean; readonly whole?: JsonObject | undefined } = {},
): Disk {
  const own = diskLinks(data, device);
  const ofWhole: DiskLinks =
    whole === undefined ? { links: [] } : diskLinks(whole, { ...device, kind: 'volume' });
  // A namespace has the name that the kernel shows; the drive may have that of its controller.
  const links = [...new Set([...ofWhole.links, ...own.links])];
  const fault = links.length > 0 ? undefined : (ofWhole.fault ?? own.fault);
  const name = lineAt(data, 'Name');
  const bytes = capacityOf(data);
  const texts = {
    manufacturer: lineAt(data, 'Manufacturer'),
    model: lineAt(data, 'Model'),
    serialNumber: lineAt(data, 'SerialNumber'),
    media: lineAt(data, 'MediaType'),
    protocol: lineAt(data, 'Protocol'),
  };
  return {
    kind: device.kind,
    id: lineAt(data, 'Id') ?? name ?? '',
    ...(name !== undefined && { name }),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(bytes !== undefined && { bytes }),
    links,
    ...(fault !== undefined && { linkFault: fault }),
    isMember,
  };
}

function driveOf(data: JsonObject): NamedDevice {
  return { kind: 'drive', bus: busOf(data) };
}

/** Source: DSP2046, Drive, Protocol; older services report the PCIe of an NVMe drive */
function busOf(data: JsonObject): DiskBus {
  const protocol = textAt(data, 'Protocol') ?? '';
  if (protocol === '') return 'unknown';
  if (/^(?:NVMe|PCIe)/i.test(protocol)) return 'nvme';
  if (/^SAS/i.test(protocol)) return 'sas';
  return /^SATA|^ATA/i.test(protocol) ? 'sata' : 'scsi';
}

/**
 * A controller shows a volume of NVMe drives as NVMe namespace (NS204i, BOSS-N1) or as SCSI disk (tri-mode RAID), others as SCSI disk.
 * Source: DSP2046, Volume, NVMeNamespaceProperties
 */
function volumeBus(volume: JsonObject, drives: ReadonlyMap<string, JsonObject>): DiskBus {
  const members = linksAt(volume, 'Links', 'Drives').flatMap((path): readonly JsonObject[] => {
    const drive = drives.get(path);
    return drive === undefined ? [] : [drive];
  });
  if (memberAt(volume, 'NVMeNamespaceProperties') !== undefined) return 'nvme';
  return members.every((drive) => ['nvme', 'unknown'].includes(busOf(drive))) ? 'unknown' : 'scsi';
}
