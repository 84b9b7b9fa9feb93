import { readdirSync, statSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';

import { byName } from '../core/compare.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { reasonOf } from './system-error.js';
import { unreadableFile } from './named-file.js';

/** Files that a path on the command line names. */
export interface NamedFiles {
  /** Whether the path is a folder. */
  readonly isFolder: boolean;
  /** Sorted by name. */
  readonly paths: readonly string[];
  /** Entries that are neither files nor folders, such as links to missing files, and folders with the name of an output. */
  readonly odd: readonly OddEntry[];
}

export interface OddEntry {
  readonly path: string;
  readonly reason: string;
}

type Entries = Pick<NamedFiles, 'paths' | 'odd'>;

/**
 * Returns the file itself, or every regular file below a folder. Skips links to folders, and hidden files and folders
 * unless `readsHidden` accepts their name. Problems: usage/unreadable-file.
 */
export function filesBelow(
  path: string,
  readsHidden: (name: string) => boolean = () => false,
): Result<NamedFiles> {
  try {
    if (!statSync(path).isDirectory()) return success({ isFolder: false, paths: [path], odd: [] });
    const found = filesIn(path, readsHidden);
    return found.ok ? success({ isFolder: true, ...found.value }) : found;
  } catch (error) {
    return unreadableFile('the file', path, reasonOf(error));
  }
}

function filesIn(folder: string, readsHidden: (name: string) => boolean): Result<Entries> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') || readsHidden(name))
      .toSorted(byName);
    const read = entries.map((entry): Result<Entries> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return outputName.test(entry.name)
          ? success({ paths: [], odd: [{ path, reason: 'it is a folder, not a file' }] })
          : filesIn(path, readsHidden);
      const target = entry.isFile() ? entry : statSync(path, { throwIfNoEntry: false });
      if (target?.isFile() === true) return success({ paths: [path], odd: [] });
      // A link to a folder could lead back to it.
      return success({
        paths: [],
        odd: target?.isDirectory() === true ? [] : [{ path, reason: whyOdd(target) }],
      });
    });
    const problems = read.flatMap(problemsOf);
    return problems.length > 0
      ? failure(...problems)
      : success({
          paths: read.flatMap((each) => (each.ok ? each.value.paths : [])),
          odd: read.flatMap((each) => (each.ok ? each.value.odd : [])),
        });
  } catch (error) {
    return unreadableFile('the folder', folder, reasonOf(error));
  }
}

/** Names of outputs, which are never folders. */
const outputName = /^kubeconfig$|\.ign$/;

function whyOdd(target: Dirent | Stats | undefined): string {
  return target === undefined
    ? 'it is a symbolic link to a file that does not exist'
    : 'it is not a regular file';
}
