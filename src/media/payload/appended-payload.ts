import { imageRange, type DiskImage } from '../../formats/disk-image.js';
import { squashfsBytes } from '../../formats/squashfs.js';

/** The node looks for the payload at multiples of it behind the volume. */
const alignment = 1024 * 1024;

/** Position of a payload behind a live ISO: the first multiple of 1 MiB. */
export function payloadOffset(liveBytes: number): number {
  return Math.ceil(liveBytes / alignment) * alignment;
}

/** A live ISO with a payload behind it. Firmware and boot loaders read only the volume, so both boot unchanged. */
export function withPayload(live: DiskImage, payload: DiskImage): DiskImage {
  const start = payloadOffset(live.bytes);
  const bytes = start + payload.bytes;
  const parts = [
    { image: live, from: 0 },
    { image: zeros(start - live.bytes), from: live.bytes },
    { image: payload, from: start },
  ];
  return {
    bytes,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes) return undefined;
      const pieces: Buffer[] = [];
      for (const { image, from } of parts) {
        const [first, last] = [Math.max(offset, from), Math.min(offset + length, from + image.bytes)];
        if (first >= last) continue;
        const piece = image.read(first - from, last - first);
        if (piece === undefined) return undefined;
        pieces.push(piece);
      }
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    },
  };
}

function zeros(bytes: number): DiskImage {
  return { bytes, read: (_offset, length) => Buffer.alloc(length) };
}

/** The node looks that far behind the volume: images of a hybrid ISO end with a partition table. */
const searchedSteps = 64;
/** Size of the volume in sectors, in the primary volume descriptor. Source: ECMA-119 §8.4.8 */
const volumeSizeAt = 16 * 2048 + 80;

/** The payload behind a live ISO, with the padded manifest; undefined if there is none. The node searches in the same way. */
export function findPayload(medium: DiskImage): DiskImage | undefined {
  const sectors = medium.read(volumeSizeAt, 4)?.readUInt32LE();
  if (sectors === undefined) return undefined;
  const first = payloadOffset(sectors * 2048);
  for (let step = 0; step <= searchedSteps; step += 1) {
    const offset = first + step * alignment;
    if (offset >= medium.bytes) return undefined;
    const rest = imageRange(medium, { offset, length: medium.bytes - offset });
    if (squashfsBytes(rest) !== undefined) return rest;
  }
  return undefined;
}
