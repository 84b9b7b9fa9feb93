import type { DiskImage } from './disk-image.js';

/** A file or folder in an archive. */
export interface CpioMember {
  /** Relative, separated by `/`. */
  readonly path: string;
  /** File type and permission bits, as in stat(2). */
  readonly mode: number;
  readonly contents: Buffer;
}

/** File types in a mode. Source: inode(7) */
export const cpioType = { mask: 0o170_000, file: 0o100_000, folder: 0o040_000 } as const;

const trailer = 'TRAILER!!!';

/** An archive in `newc` format, whose header fields are eight hex digits each. Source: cpio(5) */
export function cpioArchive(members: readonly CpioMember[]): Buffer {
  const all = [...members, { path: trailer, mode: 0, contents: Buffer.alloc(0) }];
  return Buffer.concat(all.map(memberBytes));
}

/** One member: magic, thirteen numbers, name and contents. */
function memberBytes({ path, mode, contents }: CpioMember): Buffer {
  const links = 1;
  const name = Buffer.from(`${path}\0`);
  const [inode, uid, gid, modified, device, check] = [0, 0, 0, 0, [0, 0, 0, 0], 0];
  const numbers = [inode, mode, uid, gid, links, modified, contents.length, ...device, name.length, check];
  const header = `${magic}${numbers.map(hexDigits).join('')}`;
  return Buffer.concat([padded(Buffer.concat([Buffer.from(header), name])), padded(contents)]);
}

function hexDigits(number: number): string {
  return number.toString(16).padStart(8, '0');
}

/** Pads to a multiple of four bytes, as required after name and contents. */
function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

const magic = '070701';
const headerBytes = 110;

/** Reads an archive and its end offset; undefined if the bytes are not a valid archive. */
export function readCpio(
  bytes: Buffer,
): { readonly members: readonly CpioMember[]; readonly end: number } | undefined {
  const members: CpioMember[] = [];
  for (let offset = 0; offset + headerBytes <= bytes.length;) {
    const header = headerIn(bytes.subarray(offset, offset + headerBytes));
    if (header === undefined) return undefined;
    const { mode, length, nameLength } = header;
    const nameAt = offset + headerBytes;
    const contentsAt = offset + aligned(headerBytes + nameLength);
    const end = contentsAt + aligned(length);
    if (nameLength === 0 || contentsAt + length > bytes.length) return undefined;
    const path = bytes.toString('utf8', nameAt, nameAt + nameLength - 1);
    if (path === trailer) return { members, end: Math.min(end, bytes.length) };
    members.push({ path, mode, contents: bytes.subarray(contentsAt, contentsAt + length) });
    offset = end;
  }
  return undefined;
}

/** More than in any archive of an image. */
const maxMembers = 10_000;

/** Whether an image that begins like an archive also has its end. Reads the headers only. True for other data. */
export function hasWholeCpio(image: DiskImage): boolean {
  if (image.read(0, magic.length)?.toString('latin1') !== magic) return true;
  let offset = 0;
  for (let count = 0; count < maxMembers; count += 1) {
    const header = headerIn(image.read(offset, headerBytes) ?? Buffer.alloc(0));
    if (header === undefined) return false;
    const { length, nameLength } = header;
    const name = image.read(offset + headerBytes, Math.min(nameLength, trailer.length + 1));
    if (name?.toString('latin1') === `${trailer}\0`) return true;
    offset += aligned(headerBytes + nameLength) + aligned(length);
  }
  return true;
}

interface Header {
  readonly mode: number;
  readonly length: number;
  readonly nameLength: number;
}

function headerIn(bytes: Buffer): Header | undefined {
  const header = bytes.toString('latin1');
  if (!new RegExp(`^${magic}[0-9A-Fa-f]{104}$`).test(header)) return undefined;
  const number = (index: number): number =>
    Number.parseInt(header.slice(magic.length + index * 8, magic.length + index * 8 + 8), 16);
  return { mode: number(1), length: number(6), nameLength: number(11) };
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}
