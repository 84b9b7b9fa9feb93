import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { digestFile } from '../file-digest.js';
import { reasonOf } from '../system-error.js';
import { findFolder } from '../inside-path.js';
import { maxFileBytes, readRegularFile } from '../regular-file.js';

/** Result of looking up a path below a folder without leaving the folder. */
export type FileBelow =
  | { readonly kind: 'file'; readonly real: string; readonly stats: Stats }
  | { readonly kind: 'absent' }
  /** A link, a folder or a device, which is never read. */
  | { readonly kind: 'odd'; readonly reason: string };

/** Looks up a file without reading it. `path` must satisfy `isInsidePath`. */
export function fileBelow(folder: string, path: string): FileBelow {
  try {
    const root = realpathSync(folder);
    const found = findFolder(root, dirname(path) === '.' ? [] : dirname(path).split('/'));
    if (typeof found === 'string') return { kind: 'odd', reason: found };
    if (found.missing.length > 0) return { kind: 'absent' };
    const real = join(root, ...found.parts, basename(path));
    const stats = lstatSync(real, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    if (stats.isSymbolicLink()) return { kind: 'odd', reason: 'it is a symbolic link' };
    return stats.isFile()
      ? { kind: 'file', real, stats }
      : { kind: 'odd', reason: stats.isDirectory() ? 'it is a folder' : 'it is not a regular file' };
  } catch (error) {
    return { kind: 'odd', reason: reasonOf(error) };
  }
}

/** SHA-256 (hex) of the file, or the reason why it cannot be read. */
export function hashOf({
  real,
}: {
  readonly real: string;
}): { readonly sha256: string } | { readonly reason: string } {
  const digest = digestFile(real);
  if (digest.kind === 'file') return digest;
  return { reason: digest.kind === 'absent' ? 'it does not exist' : digest.reason };
}

/** Undefined if the file cannot be read or is too large. */
export function bytesOf({ real }: { readonly real: string }): Buffer | undefined {
  const read = readRegularFile(real);
  return read.kind === 'file' ? read.bytes : undefined;
}

/** Reads a file below a folder; undefined if there is none, or it is too large. */
export function bytesBelow(folder: string, path: string): Buffer | undefined {
  const found = fileBelow(folder, path);
  return found.kind === 'file' && found.stats.size <= maxFileBytes ? bytesOf(found) : undefined;
}

/** Names of the entries of a subfolder except folders, sorted. Empty if the subfolder leads out of `folder`. */
export function namesBelow(folder: string, inner: string): readonly string[] {
  try {
    const root = realpathSync(folder);
    const found = findFolder(root, inner === '.' ? [] : inner.split('/'));
    if (typeof found === 'string' || found.missing.length > 0) return [];
    const entries = readdirSync(join(root, ...found.parts), { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .toSorted(byCodeUnit);
  } catch {
    return [];
  }
}
