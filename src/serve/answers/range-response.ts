import fresh from 'fresh';
import parseRange from 'range-parser';

import type { ByteRange } from '../../formats/disk-image.js';
import type { ServedFile } from './served-file.js';

/** Request headers with lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface FileRequest {
  readonly method: 'GET' | 'HEAD';
  readonly headers: RequestHeaders;
}

export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 412 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** The byte range to send; absent for a response without a body. */
  readonly body?: ByteRange;
}

/** Evaluates conditional headers and `Range`. Source: RFC 9110 §13 to §15 */
export function rangeResponse({ method, headers }: FileRequest, file: ServedFile): FileAnswer {
  const { bytes, etag } = file;
  const common = { 'accept-ranges': 'bytes', 'cache-control': 'private, no-store', etag };
  const empty = { ...common, 'content-length': '0' };
  if (!matchesIfMatch(headers, etag)) return { status: 412, headers: empty };
  if (fresh(headers, { etag })) return { status: 304, headers: common };
  const range = method === 'GET' && matchesIfRange(headers, etag) ? rangeOf(headers, bytes) : undefined;
  if (range === 'unsatisfiable')
    return { status: 416, headers: { ...empty, 'content-range': `bytes */${bytes}` } };
  const body = range ?? { offset: 0, length: bytes };
  return {
    status: range ? 206 : 200,
    headers: {
      ...common,
      'content-type': file.type,
      'content-length': String(body.length),
      ...(range && {
        'content-range': `bytes ${range.offset}-${range.offset + range.length - 1}/${bytes}`,
      }),
    },
    ...(method === 'GET' && { body }),
  };
}

function matchesIfMatch({ 'if-match': tags }: RequestHeaders, etag: string): boolean {
  if (typeof tags !== 'string' || tags.trim() === '*') return true;
  return tags.split(',').some((tag) => tag.trim() === etag);
}

/** Strong comparison (RFC 9110 §13.1.5). A date never matches: answers have no `Last-Modified`. */
export function matchesIfRange({ 'if-range': tag }: RequestHeaders, etag: string): boolean {
  return tag === undefined || tag === etag;
}

/**
 * Returns the range of a single-range request. Returns undefined for no range, several ranges, or a header to ignore (RFC 9110
 * §14.2).
 */
function rangeOf({ range: header }: RequestHeaders, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  if (typeof header !== 'string' || !/^bytes=/i.test(header)) return undefined;
  const ranges = parseRange(bytes, header);
  if (ranges === -2) return undefined;
  if (ranges === -1) return isLongSuffix(header) ? undefined : 'unsatisfiable';
  const [only, ...others] = ranges;
  return only === undefined || others.length > 0
    ? undefined
    : { offset: only.start, length: only.end - only.start + 1 };
}

/** RFC 9110 §14.2 serves the whole file for a suffix longer than the file; range-parser reports it as unsatisfiable. */
function isLongSuffix(header: string): boolean {
  return /[=,]\s*-\s*0*[1-9]/.test(header);
}
