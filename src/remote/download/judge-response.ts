import type { HttpStream } from '../http/request.js';

/** Meaning of a response to a request for the rest of a file. */
export type Judged =
  /** The body contains the file from this position on. */
  | {
      readonly kind: 'body';
      readonly from: number;
      readonly total: number | undefined;
      readonly validator: string | undefined;
    }
  /** All bytes are there already. */
  | { readonly kind: 'complete' }
  /** The bytes so far do not belong to the file of the server. */
  | { readonly kind: 'restart'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string }
  | { readonly kind: 'fatal'; readonly reason: string };

interface SoFar {
  readonly bytes: number;
  readonly validator: string | undefined;
}

/** Source: RFC 9110 §14.4, §15.3.7, §15.5.17 */
export function judgeResponse(
  { status, headers }: Pick<HttpStream, 'status' | 'headers'>,
  soFar: SoFar,
): Judged {
  const encoding = headers['content-encoding'] ?? 'identity';
  const isBody = status === 200 || status === 206;
  if (isBody && encoding !== 'identity')
    return { kind: 'fatal', reason: `the server sends it compressed (${shown(encoding)})` };
  if (status === 200)
    return {
      kind: 'body',
      from: 0,
      total: lengthIn(headers['content-length']),
      validator: validatorOf(headers),
    };
  if (status === 206) return judgeRange(headers, soFar);
  if (status === 416) {
    const isWhole = headers['content-range'] === `bytes */${soFar.bytes}`;
    if (isWhole) return { kind: 'complete' };
    return { kind: 'restart', reason: 'the server has no such range (HTTP 416)' };
  }
  const reason = `HTTP ${status}${wordsOf[status] === undefined ? '' : `, ${wordsOf[status]}`}`;
  const mayPass = status === 408 || status === 429 || status >= 500;
  return mayPass ? { kind: 'retry', reason } : { kind: 'fatal', reason };
}

function judgeRange(headers: HttpStream['headers'], { bytes, validator }: SoFar): Judged {
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
  if (from === undefined || to === undefined || Number(from) !== bytes || bytes === 0)
    return { kind: 'restart', reason: 'the server sent another range' };
  const now = validatorOf(headers);
  if (validator !== undefined && now !== undefined && now !== validator)
    return { kind: 'restart', reason: 'the file on the server has changed' };
  return { kind: 'body', from: bytes, total: lengthIn(total), validator: now };
}

function lengthIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A weak ETag does not identify single bytes. Source: RFC 9110 §13.1.5 */
function validatorOf({ etag, 'last-modified': lastModified }: HttpStream['headers']): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

function shown(encoding: string): string {
  return /^[\w, -]{1,40}$/.test(encoding) ? `Content-Encoding: ${encoding}` : 'Content-Encoding';
}

const wordsOf: Readonly<Record<number, string>> = {
  401: 'the server requires a login',
  403: 'access denied',
  404: 'the server does not have it',
  407: 'the proxy requires a login',
  410: 'the server does not have it any more',
  429: 'too many requests',
  503: 'the server is overloaded',
};
