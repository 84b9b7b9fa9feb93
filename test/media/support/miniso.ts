import { xzEncode } from '../../../src/formats/xz.js';
import { openVolume } from '../../../src/media/iso-volume.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { expectOk } from '../../support/sound-value.js';
import { liveFiles, liveIso } from './live-iso.js';
import { inMemory } from './made-iso.js';

/** An integer in bincode 1; `bytes` selects a wider encoding than necessary. */
export function integer(value: number, bytes?: 2 | 4 | 8): Buffer {
  const width = bytes ?? (value <= 250 ? 0 : value < 2 ** 16 ? 2 : value < 2 ** 32 ? 4 : 8);
  if (width === 0) return Buffer.from([value]);
  const written = Buffer.alloc(1 + width);
  written[0] = { 2: 251, 4: 252, 8: 253 }[width];
  if (width === 8) written.writeBigUInt64LE(BigInt(value), 1);
  else written.writeUIntLE(value, 1, width);
  return written;
}

/** The fields of miniso data. */
export interface WrittenData {
  readonly version: number;
  readonly entries: readonly (readonly [inMinimal: number, inFull: number, length: number])[];
  readonly digest: Buffer;
  readonly packed: Buffer;
}

export function minisoBytes({ version, entries, digest, packed }: WrittenData): Buffer {
  return Buffer.concat([
    Buffer.from('MINISO\0\0', 'latin1'),
    integer(version),
    integer(6),
    Buffer.from('0.27.0'),
    integer(entries.length),
    ...entries.flat().map((value) => integer(value)),
    digest,
    integer(packed.length),
    packed,
  ]);
}

/** The root file system of the full image below. */
export const rootfs = Buffer.from('a root file system, much smaller than most\n'.repeat(5000));

const dataFile = 'COREOS/MINISO.DAT';
const dataBytes = 16 * 1024;
const sectorBytes = 2048;

export type Change = (data: WrittenData) => WrittenData;

/** The kernel argument description of a live ISO, with spare bytes for another indentation. */
export const description = Buffer.from(
  JSON.stringify(JSON.parse((liveFiles['COREOS/KARGS.JSO'] ?? '').toString()), null, 4),
);

/** A live ISO with miniso data, as coreos-installer packs it, and its minimal ISO: the same without root file system and miniso data. */
export async function packedIso(
  change: Change = (data) => data,
  kargs: Buffer = description,
): Promise<{ readonly full: Buffer; readonly minimal: Buffer }> {
  const more = { 'COREOS/KARGS.JSO': kargs };
  const minimal = liveIso({ ...more, 'IMAGES/PXEBOOT/ROOTFS.IMG': undefined });
  const full = liveIso({
    ...more,
    [dataFile]: Buffer.alloc(dataBytes),
    'IMAGES/PXEBOOT/ROOTFS.IMG': rootfs,
  });
  const [inFull, inMinimal] = [full, minimal].map((iso) => expectOk(openVolume(inMemory(iso))));
  const shared = Object.keys(liveFiles)
    .flatMap((path) => {
      const [one, other] = [inMinimal?.find(path), inFull?.find(path)];
      return one === undefined || other === undefined ? [] : [{ one, other }];
    })
    .toSorted((left, right) => left.one.offset - right.one.offset);
  const gaps = shared.map(({ one }, index) => {
    const before = shared[index - 1]?.one;
    return minimal.subarray(before === undefined ? 0 : before.offset + before.length, one.offset);
  });
  const last = shared.at(-1)?.one;
  const rest = minimal.subarray((last?.offset ?? 0) + (last?.length ?? 0));
  const data: WrittenData = {
    version: 1,
    entries: shared.map(({ one, other }) => [
      one.offset / sectorBytes,
      other.offset / sectorBytes,
      one.length,
    ]),
    digest: Buffer.from(sha256(minimal), 'hex'),
    packed: await xzEncode(Buffer.concat([...gaps, rest]), 'fast'),
  };
  minisoBytes(change(data)).copy(full, inFull?.find(dataFile)?.offset);
  return { full, minimal };
}

/** Offset of the miniso data. */
export function dataPlace(full: Buffer): number {
  return full.indexOf('MINISO\0\0', 0, 'latin1');
}
