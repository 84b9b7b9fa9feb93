import { byPath } from '../core/compare.js';
import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { cpioArchive, cpioType, readCpio, type CpioMember } from '../formats/cpio.js';
import { gunzipFirst } from '../formats/gzip.js';
import { xzDecode, xzEncode } from '../formats/xz.js';
import { xzStreamLength } from '../formats/xz-stream.js';
import { damagedImage } from './iso-volume.js';

/** Files to add to the initramfs of a live system, by path without a leading slash. */
export type InitrdFiles = ReadonlyMap<string, CpioMember>;

/** Limit for an unpacked embed area: about a hundred times the size of real contents. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/**
 * Reads the files of the archives in an embed area; empty if every byte is zero. Of two files at one path the later one wins.
 * Archives are uncompressed, gzip or xz, and are concatenated with zeros between them. Source: coreos-installer src/io/initrd.rs
 * Problems: media/damaged, media/unknown-packing.
 */
export async function readInitrd(area: Buffer): Promise<Result<InitrdFiles>> {
  const files = new Map<string, CpioMember>();
  for (let at = nextByte(area, 0); at < area.length;) {
    const packed = await unpackFirst(area.subarray(at));
    if (!packed.ok) return packed;
    const { bytes, end } = packed.value;
    const fault = addArchives(bytes, files);
    if (fault !== undefined) return damagedImage(fault);
    at = nextByte(area, at + end);
  }
  return success(files);
}

/** Reads concatenated archives in one stream; zeros may separate and follow them. Returns a fault or undefined. */
function addArchives(bytes: Buffer, files: Map<string, CpioMember>): string | undefined {
  for (let at = nextByte(bytes, 0); at < bytes.length;) {
    const archive = readCpio(bytes.subarray(at));
    if (archive === undefined) return 'the space for the Ignition config does not contain an archive';
    for (const member of archive.members) {
      const path = member.path.replace(/^\/+/, '');
      if ((member.mode & cpioType.mask) === cpioType.file) files.set(path, { ...member, path });
    }
    at = nextByte(bytes, at + archive.end);
  }
  return undefined;
}

interface Unpacked {
  readonly bytes: Buffer;
  /** Length of the compressed data in bytes. */
  readonly end: number;
}

/** Whether bytes begin like an initramfs archive, compressed or not. */
export function isInitrd(head: Buffer | undefined): boolean {
  return head !== undefined && head.length >= 6 && (isCpio(head) || isGzip(head) || isXz(head));
}

function isCpio(head: Buffer): boolean {
  return head.toString('latin1', 0, 6) === '070701';
}

/** Source: RFC 1952 §2.3.1 */
function isGzip(head: Buffer): boolean {
  return head.length >= 2 && head.readUInt16BE(0) === 0x1f8b;
}

/** Source: xz-file-format §2.1.1.1 */
function isXz(head: Buffer): boolean {
  return head.toString('latin1', 0, 6) === '\u00fd7zXZ\0';
}

async function unpackFirst(bytes: Buffer): Promise<Result<Unpacked>> {
  if (isCpio(bytes)) {
    const archive = readCpio(bytes);
    return archive === undefined
      ? damagedImage('an archive is cut off')
      : success({ bytes: bytes.subarray(0, archive.end), end: archive.end });
  }
  if (isGzip(bytes)) {
    const unpacked = gunzipFirst(bytes, maxUnpackedBytes);
    return unpacked === undefined ? damagedImage('gzip data is damaged') : success(unpacked);
  }
  const end = xzStreamLength(bytes);
  if (end !== undefined) {
    const unpacked = await xzDecode(bytes.subarray(0, end), maxUnpackedBytes);
    return unpacked === undefined ? damagedImage('xz data is damaged') : success({ bytes: unpacked, end });
  }
  const message = 'the space for the Ignition config contains neither cpio nor gzip or xz data';
  return failure(
    problem('media/unknown-packing', message, { hint: 'use the image as downloaded, or use --force' }),
  );
}

/** Offset of the next byte that is not zero. */
function nextByte(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] === 0) at += 1;
  return at;
}

/**
 * Packs the files and their parent directories into an archive that the kernel can unpack: xz with CRC32. Empty without files.
 */
export async function packInitrd(files: InitrdFiles): Promise<Buffer> {
  if (files.size === 0) return Buffer.alloc(0);
  const folders = [...new Set([...files.keys()].flatMap(foldersAbove))].map((path) => ({
    path,
    mode: cpioType.folder | 0o755,
    contents: Buffer.alloc(0),
  }));
  const members = [...folders, ...[...files].map(([path, member]) => ({ ...member, path }))];
  return xzEncode(cpioArchive(members.toSorted(byPath)), 'best');
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
