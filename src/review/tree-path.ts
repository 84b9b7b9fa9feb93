import { sha256 } from '../formats/sha256.js';

/**
 * Converts a node path to a path within a tree, with a leading slash. Percent-encodes components that are invalid file names or
 * would leave the folder.
 */
export function treePath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.map((part) => `/${treeName(part)}`).join('') || '/%2F';
}

/** The longest file name in bytes of UTF-8. Source: limits.h NAME_MAX */
const longestName = 255;

function treeName(part: string): string {
  const name = /^\.{1,2}$/.test(part)
    ? part.replaceAll('.', '%2E')
    : part.replaceAll(/[\u0000-\u001f\u007f%]/g, encoded);
  return Buffer.byteLength(name) <= longestName
    ? name
    : `${Array.from(name).slice(0, 50).join('')}%${sha256(part).slice(0, 8)}`;
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
