import { isUtf8 } from 'node:buffer';

/**
 * A data URL (RFC 2397): UTF-8 text is percent-encoded, other bytes are base64.
 * Percent-encoded text compresses best: the minimal config takes 98 kB of the embed area, in base64 138 kB.
 */
export function dataUrl(contents: string | Uint8Array): string {
  const bytes = Buffer.from(contents);
  if (!isUtf8(bytes)) return base64Url(bytes);
  // encodeURI keeps the unreserved and reserved characters of RFC 2396 §2, and `#`, which would start a fragment.
  return `data:,${encodeURI(bytes.toString('utf8')).replaceAll('#', '%23')}`;
}

/** A base64 data URL. Shorter than percent-encoding if the result is not compressed. */
export function base64Url(contents: Uint8Array): string {
  return `data:;base64,${Buffer.from(contents).toString('base64')}`;
}

/** The form in which openshift-install writes the certificates of a pointer config; other programs search for it. */
export function base64TextUrl(text: string): string {
  return `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`;
}

/** Undefined if Ignition would not decode the URL. */
export function decodeDataUrl(url: string): Buffer | undefined {
  const parts = dataOf(url);
  if (parts === undefined) return undefined;
  return parts.isBase64 ? Buffer.from(parts.data, 'base64') : decodePercent(parts.data);
}

/** Whether Ignition can decode a data URL. */
export function isDataUrl(url: string): boolean {
  return dataOf(url) !== undefined;
}

/** Encoded data of a data URL: padded base64 on one line, or percent-encoded. Undefined for any other text. */
function dataOf(url: string): { readonly data: string; readonly isBase64: boolean } | undefined {
  const comma = url.indexOf(',');
  if (!url.startsWith('data:') || comma === -1) return undefined;
  const data = url.slice(comma + 1);
  const isBase64 = url.slice(0, comma).endsWith(';base64');
  const isSound = isBase64
    ? data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
    : !notPercentEncoded.some((pattern) => pattern.test(data));
  return isSound ? { data, isBase64 } : undefined;
}

/**
 * Characters that are not allowed in the data, and a `%` without two hex digits. Two patterns, since a combined one would exceed the
 * regular expression stack on long text. Source: RFC 2396 §2.2 and §2.3, as in Ignition's parser.
 */
const notPercentEncoded = [/[^A-Za-z0-9\-_.!~*'();/?:@&=+$,%]/, /%(?![0-9A-Fa-f]{2})/];

function decodePercent(text: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    // Decode byte by byte, since the data need not be UTF-8.
    const byte = (_escape: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
    return Buffer.from(text.replaceAll(/%([0-9A-Fa-f]{2})/g, byte), 'latin1');
  }
}
