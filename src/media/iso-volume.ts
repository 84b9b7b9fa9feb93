import { resolve } from 'node:path';

import { problem, type Problem, type ProblemCode } from '../core/problem.js';
import { failure, problemsOf, success, type Failure, type Result } from '../core/result.js';
import type { DiskImage, ByteRange } from '../formats/disk-image.js';

/** An ISO 9660 volume with the features that CoreOS live images use: upper-case names, and files in one extent. */
export interface IsoVolume {
  readonly image: DiskImage;
  /** Volume ID, such as `rhcos-418.94.202501221327-0`. */
  readonly id: string;
  /** Offset of the El Torito boot catalog; absent without a boot record. */
  readonly bootCatalog?: number;
  /** The extent of a file by its path, such as `images/ignition.img`, ignoring case; undefined if it does not exist. */
  find(path: string): ByteRange | undefined;
}

export const sectorBytes = 2048;
const firstDescriptor = 16;
/** Larger than in any live image. Directories of a damaged image may form loops. */
const limits = { descriptors: 64, folderBytes: 1024 * 1024, depth: 8, entries: 10_000 };

/** Source of offsets: ECMA-119 §8.4 and §9.1 */
const descriptor = {
  ...{ type: 0, standard: 1, id: 40, idBytes: 32, sectors: 80, root: 156, rootBytes: 34 },
} as const;
/** Source: El Torito specification §2.0 */
const bootRecord = { system: 'EL TORITO SPECIFICATION', systemAt: 7, catalog: 71 } as const;
const record = { sector: 2, size: 10, flags: 25, nameLength: 32, name: 33, isFolder: 2 } as const;
const types = { boot: 0, primary: 1, end: 255 } as const;

interface Entry extends ByteRange {
  /** Upper case, without version and trailing dot. */
  readonly path: string;
}

/** Whether an image has the ISO 9660 identifier. */
export function isIso(image: DiskImage): boolean {
  const mark = image.read(firstDescriptor * sectorBytes + descriptor.standard, 5);
  return mark?.toString('latin1') === 'CD001';
}

/** Reads the directories of an image, and checks that all its files are there. Problems: media/not-an-iso, media/damaged. */
export function openVolume(image: DiskImage): Result<IsoVolume> {
  const read = readDirectories(image);
  if (!read.ok) return read;
  const fault = missingPart(read.value);
  return fault === undefined ? success(read.value.volume) : damagedImage(fault);
}

/** Like openVolume, but the end of the image may be missing. */
export function openPartialVolume(image: DiskImage): Result<IsoVolume> {
  const read = readDirectories(image);
  return read.ok ? success(read.value.volume) : read;
}

interface Directories {
  readonly volume: IsoVolume;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Size of the image by its volume descriptor. */
  readonly bytes: number;
}

function readDirectories(image: DiskImage): Result<Directories> {
  const descriptors = descriptorsOf(image);
  const primary = descriptors.find((sector) => sector[descriptor.type] === types.primary);
  if (primary === undefined) {
    const hint = 'use a CoreOS live ISO as downloaded';
    return failure(problem('media/not-an-iso', 'the file is not an ISO 9660 image', { hint }));
  }
  const bytes = primary.readUInt32LE(descriptor.sectors) * sectorBytes;
  const root = entryOf(primary.subarray(descriptor.root, descriptor.root + descriptor.rootBytes), '');
  const entries = new Map<string, Entry>();
  const fault = root === undefined ? 'its root folder has no position' : readFolder(image, root, entries, 0);
  if (fault !== undefined) return damagedImage(bytes > image.bytes ? cutOff(image, bytes) : fault);
  const bootCatalog = bootCatalogIn(descriptors);
  const volume = {
    image,
    id: primary.toString('latin1', descriptor.id, descriptor.id + descriptor.idBytes).replace(/[\s\0]+$/, ''),
    find: (path: string): Entry | undefined => entries.get(path.toUpperCase()),
    ...(bootCatalog !== undefined && { bootCatalog }),
  };
  return success({ volume, entries, bytes });
}

function missingPart({ volume: { image }, entries, bytes }: Directories): string | undefined {
  if (bytes > image.bytes) return cutOff(image, bytes);
  const [last] = [...entries.values()].filter(
    ({ offset, length }) => offset + length > image.bytes && length > 0,
  );
  return (
    last &&
    `the file has ${image.bytes} bytes, but ${last.path.toLowerCase()} ends at byte ${last.offset + last.length}`
  );
}

function cutOff({ bytes }: DiskImage, declared: number): string {
  return `the file has ${bytes} bytes, but the image has ${declared}`;
}

/** A media/damaged failure. */
export function damagedImage(fault: string): Failure {
  return failure(damageProblem(fault));
}

/** A media/damaged problem. */
export function damageProblem(fault: string): Problem {
  const hint = 'download it again, and compare its checksum';
  return problem('media/damaged', `the image is damaged: ${fault}`, { hint });
}

/** Problems that are no fault of the image. */
const ofOptions: ReadonlySet<ProblemCode> = new Set(['media/kernel-arguments', 'media/pxe-source']);

/** Adds the file of an image to its problems. */
export function locatedIn<T>({ path }: DiskImage, result: Result<T>): Result<T> {
  if (path === undefined) return result;
  const at = { file: resolve(path) };
  const located = problemsOf(result).map((each) => (ofOptions.has(each.code) ? each : { at, ...each }));
  return result.ok ? success(result.value, located) : failure(...located);
}

/** The volume descriptors up to the terminator. */
function descriptorsOf(image: DiskImage): readonly Buffer[] {
  const found: Buffer[] = [];
  while (found.length < limits.descriptors) {
    const sector = image.read((firstDescriptor + found.length) * sectorBytes, sectorBytes);
    const isDescriptor = sector?.toString('latin1', descriptor.standard, descriptor.standard + 5) === 'CD001';
    if (!isDescriptor || sector[descriptor.type] === types.end) break;
    found.push(sector);
  }
  return found;
}

function bootCatalogIn(descriptors: readonly Buffer[]): number | undefined {
  const { system, systemAt, catalog } = bootRecord;
  const record = descriptors.find(
    (sector) =>
      sector[descriptor.type] === types.boot &&
      sector.toString('latin1', systemAt, systemAt + system.length) === system,
  );
  return record && record.readUInt32LE(catalog) * sectorBytes;
}

/** Adds the files below a directory to `entries`. Returns a fault or undefined. */
function readFolder(
  image: DiskImage,
  folder: Entry,
  entries: Map<string, Entry>,
  depth: number,
): string | undefined {
  if (depth > limits.depth) return 'its folders are nested too deeply';
  if (folder.length > limits.folderBytes) return 'a folder is too large';
  const bytes = image.read(folder.offset, folder.length);
  if (bytes === undefined) return 'a folder is beyond its end';
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    // Directory records do not cross sector boundaries.
    if (length === 0) {
      at = (Math.floor(at / sectorBytes) + 1) * sectorBytes;
      continue;
    }
    const fields = bytes.subarray(at, at + length);
    const entry = entryOf(fields, folder.path);
    if (entry === undefined) return 'an entry of a folder is cut off';
    at += length;
    if (isItselfOrParent(fields)) continue;
    if (entries.size >= limits.entries) return 'it has too many files';
    const isFolder = ((fields[record.flags] ?? 0) & record.isFolder) !== 0;
    if (!isFolder) entries.set(entry.path, entry);
    const fault = isFolder ? readFolder(image, entry, entries, depth + 1) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isItselfOrParent(fields: Buffer): boolean {
  return fields[record.nameLength] === 1 && (fields[record.name] ?? 0) <= 1;
}

function entryOf(fields: Buffer, folder: string): Entry | undefined {
  const nameLength = fields[record.nameLength];
  if (nameLength === undefined || fields.length < record.name + nameLength) return undefined;
  const name = fields
    .toString('latin1', record.name, record.name + nameLength)
    .replace(/;\d*$/, '')
    .replace(/\.$/, '')
    .toUpperCase();
  return {
    path: folder === '' ? name.replaceAll('\0', '') : `${folder}/${name}`,
    offset: fields.readUInt32LE(record.sector) * sectorBytes,
    length: fields.readUInt32LE(record.size),
  };
}
