import { sha256 } from '../formats/sha256.js';

/**
 * The path of a node's file below the folder of a tree, with a slash before it: as it is, unless a part of it would lead elsewhere or
 * cannot be the name of a file. Such parts are percent-encoded.
 */
export function treePath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.map((part) => `/${treeName(part)}`).join('') || '/%2F';
}

/** The longest name that file systems take, in bytes of UTF-8. Source: limits.h NAME_MAX */
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
