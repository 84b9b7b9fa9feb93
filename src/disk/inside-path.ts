import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { fileNameFault } from './file-systems/file-names.js';
import { reasonOf, systemErrorCode } from './system-error.js';

/** Whether a path is relative and normalized, and stays below its base folder. */
export function isInsidePath(path: string): boolean {
  return (
    path
      .split('/')
      .every((part) => part !== '' && part !== '.' && part !== '..' && fileNameFault(part) === undefined) &&
    !path.includes('\0')
  );
}

/** Real location of a folder below a root. */
export interface FoundFolder {
  /** Existing parts, relative to the root, links resolved. */
  readonly parts: readonly string[];
  /** Parts below them that do not exist. */
  readonly missing: readonly string[];
}

/**
 * Resolves a path of folders below `root`, which must have no links itself. A link may lead to another folder below the root.
 * Returns the reason as text if a part is not a folder, or a link is broken or leads out of the root.
 */
export function findFolder(root: string, parts: readonly string[]): FoundFolder | string {
  let found: readonly string[] = [];
  for (const [index, part] of parts.entries()) {
    const next = [...found, part];
    const shown = parts.slice(0, index + 1).join('/');
    const stats = lstatSync(join(root, ...next), { throwIfNoEntry: false });
    if (stats === undefined) return { parts: found, missing: parts.slice(index) };
    if (!stats.isSymbolicLink() && !stats.isDirectory()) return `${shown} is a file, not a folder`;
    const behind = stats.isSymbolicLink() ? behindLink(root, next, shown) : next;
    if (typeof behind === 'string') return behind;
    found = behind;
  }
  return { parts: found, missing: [] };
}

function behindLink(root: string, link: readonly string[], shown: string): readonly string[] | string {
  let target: string;
  try {
    target = realpathSync(join(root, ...link));
  } catch (error) {
    const reason =
      systemErrorCode(error) === 'ENOENT' ? 'leads nowhere' : `cannot be followed: ${reasonOf(error)}`;
    return `${shown} is a symbolic link that ${reason}`;
  }
  const inside = relative(root, target);
  if (inside === '') return [];
  if (inside.split(sep)[0] === '..') return `${shown} is a symbolic link to a place outside the directory`;
  return lstatSync(target).isDirectory() ? inside.split(sep) : `${shown} is a symbolic link to a file`;
}
