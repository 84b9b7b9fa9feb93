import { goUrlFault } from '../formats/go-url.js';

/** Why a URL cannot be the base of a mirror, as the end of a sentence. */
export function mirrorFault(url: string): string | undefined {
  return /^https:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/.test(url) && URL.canParse(url) && goUrlFault(url) === undefined
    ? undefined
    : 'is not an https URL of a folder, without user, password and query';
}

/** Where a mirror has the file of a URL: below its base by host and path, as `wget --force-directories` lays it. */
export function mirroredUrl(url: string, base: string | undefined): string {
  return base === undefined ? url : `${base.replace(/\/+$/, '')}/${placeInMirror(url)}`;
}

/** Where a mirror has the file of a URL, below its base. */
export function placeInMirror(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
