import { deflateRawSync, gunzipSync, gzipSync, type Gunzip } from 'node:zlib';

/** Byte of the header that names the operating system: 3 is Unix. Source: RFC 1952 §2.3.1 */
const operatingSystem = { offset: 9, unix: 3 };

/** The bytes as `gzip --best --no-name` packs them: without name and time. */
export function gzip(bytes: Uint8Array): Buffer {
  const packed = gzipSync(bytes, { level: 9 });
  packed[operatingSystem.offset] = operatingSystem.unix;
  return packed;
}

/** How many bytes Deflate in haste makes of these. */
export function deflatedBytes(bytes: Uint8Array): number {
  return deflateRawSync(bytes, { level: 1 }).length;
}

/** The unpacked bytes; undefined when the archive is damaged or holds more than `maxBytes`. */
export function gunzip(archive: Uint8Array, maxBytes: number): Buffer | undefined {
  try {
    return gunzipSync(archive, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** What is unpacked of the beginning of bytes, and how many of them it took; undefined as with `gunzip`. */
export function gunzipFirst(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  try {
    // The types of Node know nothing of `info`. Source: nodejs.org/api/zlib.html, class Options
    const options = { maxOutputLength: maxBytes, info: true };
    const { buffer, engine } = gunzipSync(bytes, options) as unknown as {
      readonly buffer: Buffer;
      readonly engine: Pick<Gunzip, 'bytesWritten'>;
    };
    return { bytes: buffer, end: engine.bytesWritten };
  } catch {
    return undefined;
  }
}
