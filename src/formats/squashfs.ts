import type { DiskImage } from './disk-image.js';

/** Source of the layout: Linux, fs/squashfs/squashfs_fs.h; Documentation/filesystems/squashfs.rst */
const magic = 0x73717368;
const superblockBytes = 96;
/** mksquashfs pads the file system to a multiple of it. */
const paddingBytes = 4096;
/** Bit of a metadata block's and of a data block's size: not compressed. */
const plainMetadata = 0x8000;
const plainData = 0x100_0000;
const noFragment = 0xffff_ffff;

/** A regular file in a file system. */
export interface SquashfsFile {
  /** Without a slash at the start. */
  readonly path: string;
  readonly bytes: number;
  /** Identifies the contents: hard links to one file have the same number. */
  readonly inode: number;
  /** The contents. Ends early if the image is damaged. */
  readonly pieces: () => Generator<Buffer>;
}

interface Superblock {
  readonly paddedBytes: number;
  readonly blockBytes: number;
  readonly root: { readonly block: number; readonly offset: number };
  readonly inodeTable: number;
  readonly directoryTable: number;
}

/** Size in bytes with padding of the file system at the start of an image; undefined if there is none of version 4. */
export function squashfsBytes(image: DiskImage): number | undefined {
  return superblockOf(image)?.paddedBytes;
}

function superblockOf(image: DiskImage): Superblock | undefined {
  const block = image.read(0, superblockBytes);
  if (block?.readUInt32LE(0) !== magic || block.readUInt16LE(28) !== 4) return undefined;
  const root = block.readBigUInt64LE(32);
  const used = Number(block.readBigUInt64LE(40));
  return {
    paddedBytes: Math.ceil(used / paddingBytes) * paddingBytes,
    blockBytes: block.readUInt32LE(12),
    root: { block: Number(root >> 16n), offset: Number(root & 0xffffn) },
    inodeTable: Number(block.readBigUInt64LE(64)),
    directoryTable: Number(block.readBigUInt64LE(72)),
  };
}

/** A file system that this reader cannot read. */
export class SquashfsError extends Error {}

/**
 * The regular files of an uncompressed file system without fragments, in the order of their paths. Throws SquashfsError if it is
 * damaged or of another kind.
 */
export function* squashfsFiles(image: DiskImage): Generator<SquashfsFile> {
  const superblock = superblockOf(image);
  if (superblock === undefined) throw new SquashfsError('it is no squashfs');
  try {
    yield* new Reader(image, superblock).filesBelow(superblock.root, '');
  } catch (error) {
    if (error instanceof RangeError) throw new SquashfsError('it is damaged');
    throw error;
  }
}

interface Place {
  /** Position of the metadata block in its table. */
  readonly block: number;
  /** In the unpacked block. */
  readonly offset: number;
}

/** Types of inodes. */
const types = { directory: 1, file: 2, longDirectory: 8, longFile: 9 } as const;

/** Limits for a damaged file system whose folders contain themselves. */
const maxDepth = 32;
const maxEntries = 1_000_000;

class Reader {
  private entriesSeen = 0;

  constructor(
    private readonly image: DiskImage,
    private readonly superblock: Superblock,
  ) {}

  *filesBelow(place: Place, path: string, depth = 0): Generator<SquashfsFile> {
    this.entriesSeen += 1;
    if (depth > maxDepth || this.entriesSeen > maxEntries) throw new SquashfsError('it is damaged');
    const inode = this.metadata(this.superblock.inodeTable, place);
    const type = inode.take(2).readUInt16LE();
    inode.take(10);
    const number = inode.take(4).readUInt32LE();
    if (type === types.directory || type === types.longDirectory) {
      const { size, ...at } = type === types.directory ? directoryOf(inode) : longDirectoryOf(inode);
      for (const entry of this.entries(at, size))
        yield* this.filesBelow(entry.place, path === '' ? entry.name : `${path}/${entry.name}`, depth + 1);
    } else if (type === types.file || type === types.longFile) {
      yield this.fileOf(inode, { type, path, number });
    }
  }

  /** The entries of a folder. `size` counts three bytes more than there are. */
  private entries(at: Place, size: number): readonly { readonly name: string; readonly place: Place }[] {
    const listing = this.metadata(this.superblock.directoryTable, at);
    const found: { name: string; place: Place }[] = [];
    for (let left = size - 3; left > 0;) {
      const header = listing.take(12);
      const [count, block] = [header.readUInt32LE(0) + 1, header.readUInt32LE(4)];
      left -= 12;
      for (let index = 0; index < count; index += 1) {
        const entry = listing.take(8);
        const name = listing.take(entry.readUInt16LE(6) + 1).toString('utf8');
        found.push({ name, place: { block, offset: entry.readUInt16LE(0) } });
        left -= 8 + Buffer.byteLength(name);
      }
    }
    return found;
  }

  private fileOf(
    inode: Metadata,
    { type, path, number }: { readonly type: number; readonly path: string; readonly number: number },
  ): SquashfsFile {
    const isLong = type === types.longFile;
    const fields = inode.take(isLong ? 40 : 16);
    const start = isLong ? Number(fields.readBigUInt64LE(0)) : fields.readUInt32LE(0);
    const bytes = isLong ? Number(fields.readBigUInt64LE(8)) : fields.readUInt32LE(12);
    const fragment = fields.readUInt32LE(isLong ? 28 : 4);
    if (fragment !== noFragment) throw new SquashfsError('it has fragments');
    const blocks = Math.ceil(bytes / this.superblock.blockBytes);
    const sizes = inode.take(blocks * 4);
    return { path, bytes, inode: number, pieces: () => this.pieces(start, bytes, sizes) };
  }

  private *pieces(start: number, bytes: number, sizes: Buffer): Generator<Buffer> {
    const { blockBytes } = this.superblock;
    let [offset, left] = [start, bytes];
    for (let index = 0; left > 0; index += 1) {
      const size = sizes.readUInt32LE(index * 4);
      const wanted = Math.min(blockBytes, left);
      if (size === 0) yield Buffer.alloc(wanted);
      else {
        if ((size & plainData) === 0) throw new SquashfsError('its data is compressed');
        const piece = this.image.read(offset, size & ~plainData);
        if (piece === undefined) return;
        yield piece;
        offset += piece.length;
      }
      left -= wanted;
    }
  }

  private metadata(table: number, { block, offset }: Place): Metadata {
    const reader = new Metadata(this.image, table + block);
    reader.take(offset);
    return reader;
  }
}

/** Reads the unpacked bytes of a table, across its blocks. */
class Metadata {
  private rest = Buffer.alloc(0);

  constructor(
    private readonly image: DiskImage,
    private next: number,
  ) {}

  take(count: number): Buffer {
    while (this.rest.length < count) this.readBlock();
    const bytes = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    return bytes;
  }

  private readBlock(): void {
    const size = this.image.read(this.next, 2)?.readUInt16LE();
    if (size === undefined || size === 0) throw new SquashfsError('it is damaged');
    if ((size & plainMetadata) === 0) throw new SquashfsError('its tables are compressed');
    const block = this.image.read(this.next + 2, size & ~plainMetadata);
    if (block === undefined || block.length === 0) throw new SquashfsError('it is damaged');
    this.rest = Buffer.concat([this.rest, block]);
    this.next += 2 + block.length;
  }
}

interface Listing extends Place {
  readonly size: number;
}

function directoryOf(inode: Metadata): Listing {
  const fields = inode.take(16);
  return { block: fields.readUInt32LE(0), size: fields.readUInt16LE(8), offset: fields.readUInt16LE(10) };
}

function longDirectoryOf(inode: Metadata): Listing {
  const fields = inode.take(24);
  return { size: fields.readUInt32LE(4), block: fields.readUInt32LE(8), offset: fields.readUInt16LE(18) };
}
