import { parseAddress } from './cidr.js';

/**
 * Explains why Go's net/url rejects an absolute URL, as the end of a sentence; undefined if it is valid. The programs of the cluster
 * parse our URLs with it. Source: net/url url.go (unescape, validUserinfo, parseHost, validOptionalPort).
 */
export function goUrlFault(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'has a control character';
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return 'has a "%" that is not followed by two hexadecimal digits';
  const authority = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (at > 0 && !/^[\w.~:@!$&'()*+,;=%-]*$/.test(authority.slice(0, at)))
    return 'has an invalid character before its "@"';
  // ASCII must not be escaped in a host, except the "%" before the zone of an IPv6 address.
  if (/%(?!25)[0-7]/.test(host) || (host.includes('%25') && !host.startsWith('[')))
    return 'has an escaped character in its host';
  const address = /^\[([^\]%]*)(?:%25[^\]]+)?\](?::\d*)?$/.exec(host)?.[1];
  const isSound =
    address === undefined ? /^[^:[\]]*(?::\d*)?$/.test(host) : address.includes(':') && parseAddress(address);
  if (!isSound) return 'has a host or port that cannot be read';
  if (/[\s"<>\\^`{|}]/.test(host)) return 'has an invalid character in its host';
  return undefined;
}
