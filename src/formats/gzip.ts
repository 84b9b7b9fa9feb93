import { deflateRawSync, gunzipSync, gzipSync, type Gunzip } from 'node:zlib';

/** Header byte with the operating system: 3 is Unix. Source: RFC 1952 §2.3.1 */
const operatingSystem = { offset: 9, unix: 3 };

/** Compresses like `gzip --best --no-name`: no file name and no timestamp. */
export function gzip(bytes: Uint8Array): Buffer {
  const packed = gzipSync(bytes, { level: 9 });
  packed[operatingSystem.offset] = operatingSystem.unix;
  return packed;
}

/** Size of the bytes after fast Deflate compression (level 1). */
export function deflatedBytes(bytes: Uint8Array): number {
  return deflateRawSync(bytes, { level: 1 }).length;
}

/** Undefined if the archive is damaged or unpacks to more than `maxBytes`. */
export function gunzip(archive: Uint8Array, maxBytes: number): Buffer | undefined {
  try {
    return gunzipSync(archive, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

/** Unpacks the gzip data at the start of `bytes`; `end` is its length. Undefined in the cases of `gunzip`. */
export function gunzipFirst(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  try {
    // Node's types do not include `info`. Source: nodejs.org/api/zlib.html, class Options
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
