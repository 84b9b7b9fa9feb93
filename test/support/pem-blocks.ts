import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';

export interface PemBlock {
  /** Path of the file, then each encoding around the block. */
  readonly place: string;
  readonly label: string;
  /** Empty for a BEGIN line without a complete block. */
  readonly der: Buffer;
}

/**
 * Every PEM block of a file: in its text, in JSON and YAML strings, and below any number of layers of data URLs, base64 and gzip. A BEGIN
 * line without a whole block is returned as a block without bytes.
 */
export function pemBlocksIn(place: string, contents: Uint8Array | string): readonly PemBlock[] {
  const bytes = Buffer.from(contents);
  if (isGzip(bytes)) return pemBlocksIn(`${place} > gzip`, gunzipSync(bytes));
  if (!isUtf8(bytes)) return [];
  const text = bytes
    .toString()
    .replaceAll('\\n', '\n')
    .replaceAll(/^[ \t]+/gm, '');
  const blocks = [...text.matchAll(block)].map(([, label = '', base64 = '']) => ({
    place,
    label,
    der: Buffer.from(base64, 'base64'),
  }));
  const rest = text.replaceAll(block, '');
  const broken = [...rest.matchAll(/-----BEGIN ([A-Z0-9 ]*)-----/g)].map(([, label = '']) => ({
    place,
    label,
    der: Buffer.alloc(0),
  }));
  return [...blocks, ...broken, ...encodedBlocksIn(place, rest)];
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----\n([A-Za-z0-9+/=\n]+)-----END \1-----/g;

function encodedBlocksIn(place: string, text: string): readonly PemBlock[] {
  const percent = [...text.matchAll(/data:[^,"'\s]*,([^"'\s]*%[^"'\s]*)/g)];
  const base64 = [...text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)];
  return [
    ...percent.flatMap(([, data = '']) => pemBlocksIn(`${place} > data URL`, decodeURIComponent(data))),
    ...base64.flatMap(([data]) => {
      const decoded = Buffer.from(data, 'base64');
      const isText = isUtf8(decoded) && decoded.length * 4 <= data.length * 3;
      return isText || isGzip(decoded) ? pemBlocksIn(`${place} > base64`, decoded) : [];
    }),
  ];
}

/** RFC 1952 §2.3.1: magic number and deflate. */
function isGzip(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).equals(Buffer.of(0x1f, 0x8b, 8));
}
