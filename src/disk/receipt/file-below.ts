import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { digestFile } from '../file-digest.js';
import { reasonOf } from '../file-system-problem.js';
import { findFolder } from '../inside-path.js';
import { maxFileBytes, readRegularFile } from '../regular-file.js';

/** What stands at a path below a folder, without following it out of there. */
export type FileBelow =
  | { readonly kind: 'file'; readonly real: string; readonly stats: Stats }
  | { readonly kind: 'absent' }
  /** A link, a folder, a device: nothing that is read, and why. */
  | { readonly kind: 'odd'; readonly reason: string };

/** Looks for a file, whose path is inside (`isInsidePath`), and reads nothing of it. */
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

/** SHA-256 (hex) of such a file, or why there is none. */
export function hashOf({
  real,
}: {
  readonly real: string;
}): { readonly sha256: string } | { readonly reason: string } {
  const digest = digestFile(real);
  if (digest.kind === 'file') return digest;
  return { reason: digest.kind === 'absent' ? 'it does not exist' : digest.reason };
}

/** The bytes of such a file, where it is of a size that is read into memory. */
export function bytesOf({ real }: { readonly real: string }): Buffer | undefined {
  const read = readRegularFile(real);
  return read.kind === 'file' ? read.bytes : undefined;
}

/** The bytes of a file at a path below a folder, where one stands there that is read into memory. */
export function bytesBelow(folder: string, path: string): Buffer | undefined {
  const found = fileBelow(folder, path);
  return found.kind === 'file' && found.stats.size <= maxFileBytes ? bytesOf(found) : undefined;
}

/** The names of the files, not of the folders, in a folder below another; none where it leads out of that. */
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
