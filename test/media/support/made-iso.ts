import type { DiskImage } from '../../../src/formats/disk-image.js';

const sector = 2048;

/** Files by path, in upper case as in ISO 9660. */
export type IsoFiles = Readonly<Record<string, Buffer>>;

interface Placed {
  readonly path: string;
  readonly bytes: Buffer;
  readonly sector: number;
  readonly isFolder: boolean;
}

const places = { primary: 16, bootRecord: 17, terminator: 18, catalog: 19, first: 20 } as const;

/**
 * An ISO 9660 image in the layout of mkisofs: volume descriptors, boot catalog, folders, files. Without `loader`, the path of a file, it
 * has no boot record. Source: ECMA-119, El Torito specification
 */
export function madeIso(files: IsoFiles, volumeId = 'rhcos-9.6.20250523-0', loader?: string): Buffer {
  const paths = Object.keys(files);
  const folders = ['', ...new Set(paths.flatMap(foldersAbove))].toSorted();
  const placed: Placed[] = [];
  let next: number = places.first;
  const place = (path: string, bytes: Buffer, isFolder: boolean): void => {
    placed.push({ path, bytes, sector: next, isFolder });
    next += Math.max(1, Math.ceil(bytes.length / sector));
  };
  for (const folder of folders) place(folder, Buffer.alloc(sector), true);
  for (const path of paths) place(path, files[path] ?? Buffer.alloc(0), false);
  const image = Buffer.alloc(next * sector);
  for (const { bytes, sector: at } of placed) bytes.copy(image, at * sector);
  for (const folder of folders)
    folderBytes(folder, placed).copy(image, placeOf(folder, placed).sector * sector);
  const primary = Buffer.alloc(sector);
  primary.write('\u0001CD001\u0001', 0, 'latin1');
  primary.write(volumeId.padEnd(32), 40, 'latin1');
  primary.writeUInt32LE(next, 80);
  record(placeOf('', placed), Buffer.from([0])).copy(primary, 156);
  primary.copy(image, places.primary * sector);
  const end = loader === undefined ? places.bootRecord : places.terminator;
  image.write('\u00ffCD001\u0001', end * sector, 'latin1');
  if (loader !== undefined) {
    bootRecord().copy(image, places.bootRecord * sector);
    bootCatalog(placeOf(loader, placed).sector).copy(image, places.catalog * sector);
  }
  return image;
}

function bootRecord(): Buffer {
  const bytes = Buffer.alloc(sector);
  bytes.write('\0CD001\u0001EL TORITO SPECIFICATION', 0, 'latin1');
  bytes.writeUInt32LE(places.catalog, 71);
  return bytes;
}

/** A validation entry, and one loader of 2048 bytes for BIOS. */
function bootCatalog(loader: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes[0] = 1;
  bytes.writeUInt16BE(0xaa55, 28);
  bytes.writeUInt16BE(0x55aa, 30);
  bytes[32] = 0x88;
  bytes.writeUInt16LE(4, 38);
  bytes.writeUInt32LE(loader, 40);
  return bytes;
}

export function inMemory(bytes: Buffer): DiskImage {
  return {
    bytes: bytes.length,
    read: (offset, length) =>
      offset + length <= bytes.length ? Buffer.from(bytes.subarray(offset, offset + length)) : undefined,
  };
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

function placeOf(path: string, placed: readonly Placed[]): Placed {
  const found = placed.find((each) => each.path === path);
  if (found === undefined) throw new Error(`${path} has no place`);
  return found;
}

function folderBytes(folder: string, placed: readonly Placed[]): Buffer {
  const prefix = folder === '' ? '' : `${folder}/`;
  const within = placed.filter(
    ({ path }) =>
      path !== '' && path.startsWith(prefix) && !path.slice(prefix.length).includes('/') && path !== folder,
  );
  const names = within.map((each) => {
    const name = each.path.slice(prefix.length);
    return record(each, Buffer.from(each.isFolder ? name : `${name};1`));
  });
  const itself = placeOf(folder, placed);
  const parent = placeOf(folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '', placed);
  return Buffer.concat([record(itself, Buffer.from([0])), record(parent, Buffer.from([1])), ...names]);
}

function record({ sector: at, bytes, isFolder }: Placed, name: Buffer): Buffer {
  const length = 33 + name.length + ((33 + name.length) % 2);
  const fields = Buffer.alloc(length);
  fields[0] = length;
  fields.writeUInt32LE(at, 2);
  fields.writeUInt32LE(bytes.length, 10);
  fields[25] = isFolder ? 2 : 0;
  fields[32] = name.length;
  name.copy(fields, 33);
  return fields;
}
