import { problem } from '../core/problem.js';
import { failure, success, type Failure, type Result } from '../core/result.js';
import type { DiskImage, ByteRange } from '../formats/disk-image.js';

/** An ISO 9660 volume with the features that CoreOS live images use: upper-case names, and files in one extent. */
export interface IsoVolume {
  readonly image: DiskImage;
  /** Volume ID, such as `rhcos-418.94.202501221327-0`. */
  readonly id: string;
  /** The extent of a file by its path, such as `images/ignition.img`, ignoring case; undefined if it does not exist. */
  find(path: string): ByteRange | undefined;
}

const sectorBytes = 2048;
const firstDescriptor = 16;
/** Larger than in any live image. Directories of a damaged image may form loops. */
const limits = { descriptors: 64, folderBytes: 1024 * 1024, depth: 8, entries: 10_000 };

/** Source of offsets: ECMA-119 §8.4 and §9.1 */
const descriptor = { type: 0, standard: 1, id: 40, idBytes: 32, root: 156, rootBytes: 34 } as const;
const record = { sector: 2, size: 10, flags: 25, nameLength: 32, name: 33, isFolder: 2 } as const;
const types = { primary: 1, end: 255 } as const;

interface Entry extends ByteRange {
  /** Upper case, without version and trailing dot. */
  readonly path: string;
}

/** Whether an image has the ISO 9660 identifier. */
export function isIso(image: DiskImage): boolean {
  const mark = image.read(firstDescriptor * sectorBytes + descriptor.standard, 5);
  return mark?.toString('latin1') === 'CD001';
}

/** Reads the directories of an image. Problems: media/not-an-iso, media/damaged. */
export function openVolume(image: DiskImage): Result<IsoVolume> {
  const primary = primaryDescriptor(image);
  if (primary === undefined) {
    const hint = 'use a CoreOS live ISO as downloaded';
    return failure(problem('media/not-an-iso', 'the file is not an ISO 9660 image', { hint }));
  }
  const root = entryOf(primary.subarray(descriptor.root, descriptor.root + descriptor.rootBytes), '');
  const entries = new Map<string, Entry>();
  const fault = root === undefined ? 'its root folder has no position' : readFolder(image, root, entries, 0);
  if (fault !== undefined) return damagedImage(fault);
  return success({
    image,
    id: primary.toString('latin1', descriptor.id, descriptor.id + descriptor.idBytes).replace(/[\s\0]+$/, ''),
    find: (path) => entries.get(path.toUpperCase()),
  });
}

/** A media/damaged failure. */
export function damagedImage(fault: string): Failure {
  const hint = 'download it again, and compare its checksum';
  return failure(problem('media/damaged', `the image is damaged: ${fault}`, { hint }));
}

function primaryDescriptor(image: DiskImage): Buffer | undefined {
  for (let index = 0; index < limits.descriptors; index += 1) {
    const sector = image.read((firstDescriptor + index) * sectorBytes, sectorBytes);
    if (sector?.toString('latin1', descriptor.standard, descriptor.standard + 5) !== 'CD001')
      return undefined;
    if (sector[descriptor.type] === types.primary) return sector;
    if (sector[descriptor.type] === types.end) return undefined;
  }
  return undefined;
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
