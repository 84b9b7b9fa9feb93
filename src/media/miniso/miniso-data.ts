/** A file that both images contain. Offsets and length are in bytes. */
export interface SharedStretch {
  readonly inMinimal: number;
  readonly inFull: number;
  readonly length: number;
}

/** Instructions for building a minimal image from a full one. */
export interface MinisoData {
  /** In the order of the minimal image, without overlaps. */
  readonly shared: readonly SharedStretch[];
  /** SHA-256 (hex) of the minimal image. */
  readonly sha256: string;
  /** The data before, between and after the shared files, compressed with xz. */
  readonly packed: Buffer;
}

/** The reason why the data cannot be read. */
export type MinisoFault =
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'version'; readonly version: number };

/** Source of the layout: coreos-installer src/miniso.rs, which serializes with bincode 1 and variable-length integers */
const magic = Buffer.from('MINISO\0\0', 'latin1');
const knownVersion = 1;
const digestBytes = 32;
const sectorBytes = 2048;
const maxSector = 0xffff_ffff;

/** The limit of coreos-installer. Source: src/miniso.rs, DATA_MAX_SIZE */
export const maxMinisoBytes = 1024 * 1024;

/** The same limit as for the files of an image. */
const maxShared = 10_000;

/** Parses the minimal image data of a live image. Ignores bytes after the data. */
export function readMiniso(bytes: Buffer): MinisoData | MinisoFault {
  const reader = readerOf(bytes);
  if (reader.take(magic.length)?.equals(magic) !== true) return damage('its header is not valid');
  const version = reader.integer();
  if (version === undefined) return damage('it is cut off');
  if (version !== knownVersion) return { kind: 'version', version };
  // The version of coreos-installer that wrote the data.
  if (reader.take(reader.integer()) === undefined) return damage('it is cut off');
  const shared = readShared(reader);
  if (typeof shared === 'string') return damage(shared);
  const [digest, packed] = [reader.take(digestBytes), reader.take(reader.integer())];
  if (digest === undefined || packed === undefined) return damage('it is cut off');
  return { shared, sha256: digest.toString('hex'), packed };
}

export function isMinisoFault(read: MinisoData | MinisoFault): read is MinisoFault {
  return 'kind' in read;
}

function damage(what: string): MinisoFault {
  return { kind: 'damaged', what };
}

/** Returns the shared files, or a fault. */
function readShared(reader: Reader): readonly SharedStretch[] | string {
  const count = reader.integer();
  if (count === undefined) return 'it is cut off';
  if (count === 0 || count > maxShared) return `it names ${count} files`;
  const shared: SharedStretch[] = [];
  for (let end = 0; shared.length < count;) {
    const [minimalSector, fullSector, length] = [reader.integer(), reader.integer(), reader.integer()];
    if (minimalSector === undefined || fullSector === undefined || length === undefined)
      return 'it is cut off';
    if (Math.max(minimalSector, fullSector, length) > maxSector)
      return 'a file is beyond the end of the image';
    const inMinimal = minimalSector * sectorBytes;
    if (inMinimal < end) return 'two files overlap';
    shared.push({ inMinimal, inFull: fullSector * sectorBytes, length });
    end = inMinimal + length;
  }
  return shared;
}

interface Reader {
  /** Reads the next bytes; undefined if there are too few, or if `length` is undefined. */
  take(length: number | undefined): Buffer | undefined;
  /** Reads the next integer; undefined at the end, or if it exceeds the safe integers. */
  integer(): number | undefined;
}

/** Number of bytes after the first byte of an integer, by that byte. Source: bincode 1, VarintEncoding */
const widths: Readonly<Record<number, number>> = { 251: 2, 252: 4, 253: 8 };
const maxSmall = 250;

function readerOf(bytes: Buffer): Reader {
  let at = 0;
  const take = (length: number | undefined): Buffer | undefined => {
    if (length === undefined || at + length > bytes.length) return undefined;
    at += length;
    return bytes.subarray(at - length, at);
  };
  const integer = (): number | undefined => {
    const first = take(1)?.[0];
    if (first === undefined || first <= maxSmall) return first;
    const digits = take(widths[first]);
    const value = digits?.reduceRight((sum, digit) => sum * 256 + digit, 0);
    return Number.isSafeInteger(value) ? value : undefined;
  };
  return { take, integer };
}
