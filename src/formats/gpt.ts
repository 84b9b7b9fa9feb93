import { crc32 } from 'node:zlib';

import type { ByteRange, DiskImage, Patch } from './disk-image.js';
import { uuidOfUrl } from './uuid.js';

/** Source of the layout: UEFI specification 2.10, §5.2 and §5.3 */
const entryBytes = 128;
const entryCount = 128;
const headerBytes = 92;
/** Linux filesystem data. Source: UAPI group, Discoverable Partitions Specification */
const linuxData = '0fc63daf-8483-4772-8e79-3d69d8477de4';

const mebibyte = 1024 * 1024;
/** Enough for the second table, also with sectors of 4096 bytes. */
const backupBytes = 32 * 1024;

/** The only partition of a disk: aligned to 1 MiB, and as large as the disk allows. Its length is 0 or less on a tiny disk. */
export function onlyPartition(diskBytes: number): ByteRange {
  const end = Math.floor((diskBytes - backupBytes) / mebibyte) * mebibyte;
  return { offset: mebibyte, length: end - mebibyte };
}

/** Size of the smallest disk whose only partition has at least this size. */
export function leastDiskBytes(partitionBytes: number): number {
  return (Math.ceil(partitionBytes / mebibyte) + 2) * mebibyte;
}

export interface DiskGeometry {
  readonly bytes: number;
  /** 512 or 4096. */
  readonly sectorBytes: number;
}

/**
 * The partition table of a disk with one partition, and zeros in the rest of the two areas around the partition: no earlier table or
 * signature stays. The same seed gives the same identifiers.
 */
export function singlePartitionTable(disk: DiskGeometry, name: string, seed: string): readonly Patch[] {
  const { sectorBytes } = disk;
  const sectors = Math.floor(disk.bytes / sectorBytes);
  const partition = onlyPartition(disk.bytes);
  const end = partition.offset + partition.length;
  const tableSectors = (entryBytes * entryCount) / sectorBytes;
  const entries = Buffer.alloc(entryBytes * entryCount);
  guid(linuxData).copy(entries, 0);
  guid(uuidOfUrl(`sno-install:partition:${seed}`)).copy(entries, 16);
  entries.writeBigUInt64LE(BigInt(partition.offset / sectorBytes), 32);
  entries.writeBigUInt64LE(BigInt(end / sectorBytes - 1), 40);
  entries.write(name, 56, 'utf16le');
  const header = (at: number, other: number, table: number): Buffer =>
    gptHeader({ at, other, table, sectors, tableSectors, seed, entries });
  const front = Buffer.alloc(partition.offset);
  protectiveMbr(sectors).copy(front);
  header(1, sectors - 1, 2).copy(front, sectorBytes);
  entries.copy(front, 2 * sectorBytes);
  const back = Buffer.alloc(sectors * sectorBytes - end);
  const backTable = sectors - 1 - tableSectors;
  entries.copy(back, backTable * sectorBytes - end);
  header(sectors - 1, 1, backTable).copy(back, (sectors - 1) * sectorBytes - end);
  return [
    { offset: 0, bytes: front },
    { offset: end, bytes: back },
  ];
}

interface Header {
  /** Sectors of this header, of the other one, and of the entries. */
  readonly at: number;
  readonly other: number;
  readonly table: number;
  readonly sectors: number;
  readonly tableSectors: number;
  readonly seed: string;
  readonly entries: Buffer;
}

function gptHeader({ at, other, table, sectors, tableSectors, seed, entries }: Header): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('EFI PART', 'latin1');
  header.writeUInt32LE(0x0001_0000, 8);
  header.writeUInt32LE(headerBytes, 12);
  header.writeBigUInt64LE(BigInt(at), 24);
  header.writeBigUInt64LE(BigInt(other), 32);
  header.writeBigUInt64LE(BigInt(2 + tableSectors), 40);
  header.writeBigUInt64LE(BigInt(sectors - 2 - tableSectors), 48);
  guid(uuidOfUrl(`sno-install:disk:${seed}`)).copy(header, 56);
  header.writeBigUInt64LE(BigInt(table), 72);
  header.writeUInt32LE(entryCount, 80);
  header.writeUInt32LE(entryBytes, 84);
  header.writeUInt32LE(crc32(entries), 88);
  header.writeUInt32LE(crc32(header), 16);
  return header;
}

/** Keeps programs that know no GPT from writing to the disk. */
function protectiveMbr(sectors: number): Buffer {
  const mbr = Buffer.alloc(512);
  Buffer.from([0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff]).copy(mbr, 446);
  mbr.writeUInt32LE(1, 454);
  mbr.writeUInt32LE(Math.min(sectors - 1, 0xffff_ffff), 458);
  mbr.writeUInt16BE(0x55aa, 510);
  return mbr;
}

/** The bytes of a GUID, whose first three fields are little endian. */
function guid(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

/** Sizes of a sector. */
const sectorSizes = [512, 4096];

/** The partition with a name in the table of a disk; undefined if there is none. */
export function partitionRange(disk: DiskImage, name: string): ByteRange | undefined {
  for (const sectorBytes of sectorSizes) {
    const header = disk.read(sectorBytes, headerBytes);
    if (header?.toString('latin1', 0, 8) !== 'EFI PART') continue;
    const [count, size] = [header.readUInt32LE(80), header.readUInt32LE(84)];
    const at = Number(header.readBigUInt64LE(72)) * sectorBytes;
    if (size < entryBytes || count > maxEntries) return undefined;
    for (let index = 0; index < count; index += 1) {
      const entry = disk.read(at + index * size, entryBytes);
      if (entry === undefined) return undefined;
      const [label = ''] = entry.toString('utf16le', 56).split('\0');
      if (label !== name) continue;
      const [first, last] = [entry.readBigUInt64LE(32), entry.readBigUInt64LE(40)].map(Number);
      const offset = (first ?? 0) * sectorBytes;
      const length = ((last ?? 0) + 1) * sectorBytes - offset;
      return length > 0 && offset + length <= disk.bytes ? { offset, length } : undefined;
    }
  }
  return undefined;
}

/** Tables have 128 entries, rarely more. */
const maxEntries = 1024;
