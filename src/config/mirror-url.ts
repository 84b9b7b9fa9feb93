import { goUrlFault } from '../formats/go-url.js';

/** The reason why a URL cannot be the base of a mirror, as the end of a sentence. */
export function mirrorFault(url: string): string | undefined {
  return /^https:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/.test(url) && URL.canParse(url) && goUrlFault(url) === undefined
    ? undefined
    : 'is not an https URL of a folder, without user, password and query';
}

/** URL of a file in a mirror: host and path below the base, in the layout of `wget --force-directories`. */
export function mirroredUrl(url: string, base: string | undefined): string {
  return base === undefined ? url : `${base.replace(/\/+$/, '')}/${pathInMirror(url)}`;
}

/** Path of a URL's file in a mirror, relative to the base. */
export function pathInMirror(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
