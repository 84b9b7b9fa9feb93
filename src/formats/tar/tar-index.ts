import type { ByteRange, DiskImage } from '../disk-image.js';

/** A regular file in an archive, with the place of its contents. */
export interface IndexedFile extends ByteRange {
  readonly path: string;
}

const blockBytes = 512;
/** A name or a pax header of an archive of images has some hundred bytes. */
const maxHeaderBytes = 64 * 1024;

/**
 * The files of an archive, found without reading their contents. Undefined if it is damaged, ends early, or is none. Understands the
 * long names and large sizes of GNU tar and pax. Source: pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html; GNU tar manual,
 * "Basic Tar Format"
 */
export function indexTar(image: DiskImage): readonly IndexedFile[] | undefined {
  const files: IndexedFile[] = [];
  let given: Readonly<{ path?: string; size?: number }> = {};
  for (let offset = 0; ;) {
    const header = image.read(offset, blockBytes);
    if (header === undefined) return undefined;
    if (header.every((byte) => byte === 0)) return offset === 0 ? undefined : files;
    if (!hasChecksum(header)) return undefined;
    const length = given.size ?? numberIn(header.subarray(124, 136));
    const type = String.fromCharCode(header[156] ?? 0);
    const start = offset + blockBytes;
    if (length === undefined || start + length > image.bytes) return undefined;
    if (type === 'x' || type === 'L') {
      const text = length <= maxHeaderBytes ? image.read(start, length)?.toString('utf8') : undefined;
      if (text === undefined) return undefined;
      given =
        type === 'x' ? { ...given, ...paxFields(text) } : { ...given, path: text.replace(/\0.*$/s, '') };
    } else {
      const path = (given.path ?? nameIn(header)).replace(/^\.\//, '');
      if (type === '0' || type === '\0') files.push({ path, offset: start, length });
      if (type !== 'g') given = {};
    }
    offset = start + Math.ceil(length / blockBytes) * blockBytes;
  }
}

/** The checksum counts its own field as spaces. */
function hasChecksum(header: Buffer): boolean {
  const own = header.subarray(148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  return numberIn(own) === sum - own.reduce((total, byte) => total + byte, 0) + 8 * 32;
}

/** An octal number, or one in base 256 if the first bit is set. */
function numberIn(field: Buffer): number | undefined {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(-8).readBigUInt64BE();
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
  }
  const text = field.toString('latin1').replace(/\0.*$/s, '').trim();
  return /^[0-7]+$/.test(text) ? parseInt(text, 8) : undefined;
}

function nameIn(header: Buffer): string {
  const text = (from: number, to: number): string => header.toString('utf8', from, to).replace(/\0.*$/s, '');
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? text(345, 500) : '';
  return prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}

/** Records of the form `<length> <keyword>=<value>\n`; the lengths count bytes. */
function paxFields(text: string): { readonly path?: string; readonly size?: number } {
  const fields = Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, keyword, value] = /^\d+ ([^=]+)=(.*)$/s.exec(line) ?? [];
      return keyword === undefined || value === undefined ? [] : [[keyword, value] as const];
    }),
  );
  const { path, size } = fields;
  return {
    ...(path !== undefined && { path }),
    ...(size !== undefined && /^\d+$/.test(size) && { size: Number(size) }),
  };
}
