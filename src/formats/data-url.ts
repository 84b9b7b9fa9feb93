import { isUtf8 } from 'node:buffer';

/**
 * A data URL (RFC 2397) that holds these bytes: text percent-encoded, anything else in base64.
 * Percent-encoded text is what xz compresses best, see docs/decisions/0005-xz-size.md.
 */
export function dataUrl(contents: string | Uint8Array): string {
  const bytes = Buffer.from(contents);
  if (!isUtf8(bytes)) return base64Url(bytes);
  // encodeURI leaves alone what RFC 2396 §2 calls unreserved and reserved, and `#`, which would begin a fragment.
  return `data:,${encodeURI(bytes.toString('utf8')).replaceAll('#', '%23')}`;
}

/** A data URL in base64, whatever the bytes are: the shorter form where nothing compresses it. */
export function base64Url(contents: Uint8Array): string {
  return `data:;base64,${Buffer.from(contents).toString('base64')}`;
}

/** The form in which openshift-install writes the certificates of a pointer config, and other programs look for them. */
export function base64TextUrl(text: string): string {
  return `data:text/plain;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`;
}

/** The bytes of a data URL, or undefined when it is none that Ignition decodes. */
export function decodeDataUrl(url: string): Buffer | undefined {
  const parts = dataOf(url);
  if (parts === undefined) return undefined;
  return parts.isBase64 ? Buffer.from(parts.data, 'base64') : decodePercent(parts.data);
}

/** Whether Ignition decodes a data URL. */
export function isDataUrl(url: string): boolean {
  return dataOf(url) !== undefined;
}

/** What a data URL encodes, where it is one: padded base64 on one line, or percent-encoded. */
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
 * What may not stand in the data, and a sign of escape without its two digits: each looked for by itself, since one pattern for the
 * whole text would be too deep for a long one. Source: RFC 2396 §2.2 and §2.3, which Ignition's parser follows.
 */
const notPercentEncoded = [/[^A-Za-z0-9\-_.!~*'();/?:@&=+$,%]/, /%(?![0-9A-Fa-f]{2})/];

function decodePercent(text: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    // Not UTF-8: byte by byte.
    const byte = (_escape: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
    return Buffer.from(text.replaceAll(/%([0-9A-Fa-f]{2})/g, byte), 'latin1');
  }
}
