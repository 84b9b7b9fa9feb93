import type { Stretch } from '../../media/disk-image.js';
import { rangeWish } from './byte-ranges.js';
import { conditionOf, isRangeMeant, type RequestHeaders } from './conditions.js';
import type { BodyPart, ServedFile } from './served-file.js';

/** What is asked of a file. */
export interface FileRequest {
  readonly method: 'GET' | 'HEAD';
  readonly headers: RequestHeaders;
}

/** What is answered; `parts` are in order, and none for a request that gets no body. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 412 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly BodyPart[];
}

/** What a request for a file gets: all of it, stretches of it, or why not. Source: RFC 9110 §13 to §15 */
export function answerTo({ method, headers }: FileRequest, file: ServedFile): FileAnswer {
  const { bytes, etag } = file;
  const common = { 'accept-ranges': 'bytes', 'cache-control': 'private, no-store', etag };
  const condition = conditionOf(headers, etag);
  if (condition === 'not-modified') return { status: 304, headers: common, parts: [] };
  if (condition === 'failed')
    return { status: 412, headers: { ...common, 'content-length': '0' }, parts: [] };
  const header = typeof headers['range'] === 'string' ? headers['range'] : undefined;
  const isRange = method === 'GET' && isRangeMeant(headers, etag);
  const wish = rangeWish(isRange ? header : undefined, bytes);
  switch (wish.kind) {
    case 'whole':
      return withBody(200, common, { method, file, parts: [{ offset: 0, length: bytes }] });
    case 'unsatisfiable':
      return {
        status: 416,
        headers: { ...common, 'content-range': `bytes */${bytes}`, 'content-length': '0' },
        parts: [],
      };
    case 'stretches':
      return stretchesOf(wish.stretches, { method, file, common });
  }
}

interface Order {
  readonly method: FileRequest['method'];
  readonly file: ServedFile;
}

function stretchesOf(
  stretches: readonly Stretch[],
  { method, file, common }: Order & { readonly common: FileAnswer['headers'] },
): FileAnswer {
  const [first, ...others] = stretches;
  if (first !== undefined && others.length === 0) {
    const headers = { ...common, 'content-range': contentRange(first, file.bytes) };
    return withBody(206, headers, { method, file, parts: [first] });
  }
  // No part can hold it by accident: it is a hash of what the file is.
  const boundary = file.etag.replaceAll('"', '');
  const parts = stretches.flatMap((stretch): readonly BodyPart[] => [
    `\r\n--${boundary}\r\nContent-Type: ${file.type}\r\nContent-Range: ${contentRange(stretch, file.bytes)}\r\n\r\n`,
    stretch,
  ]);
  const type = `multipart/byteranges; boundary=${boundary}`;
  return withBody(
    206,
    { ...common, 'content-type': type },
    {
      method,
      file,
      parts: [...parts, `\r\n--${boundary}--\r\n`],
    },
  );
}

function contentRange({ offset, length }: Stretch, bytes: number): string {
  return `bytes ${offset}-${offset + length - 1}/${bytes}`;
}

function withBody(
  status: 200 | 206,
  headers: FileAnswer['headers'],
  { method, file, parts }: Order & { readonly parts: readonly BodyPart[] },
): FileAnswer {
  const length = parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length),
    0,
  );
  return {
    status,
    headers: { 'content-type': file.type, ...headers, 'content-length': String(length) },
    parts: method === 'HEAD' ? [] : parts,
  };
}
