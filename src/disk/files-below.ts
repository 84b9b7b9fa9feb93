import { readdirSync, statSync } from 'node:fs';
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
}

/**
 * Returns the file itself, or every regular file below a folder. Skips hidden files and folders and links to folders.
 * Problems: usage/unreadable-file.
 */
export function filesBelow(path: string): Result<NamedFiles> {
  try {
    if (!statSync(path).isDirectory()) return success({ isFolder: false, paths: [path] });
    const paths = filesIn(path);
    return paths.ok ? success({ isFolder: true, paths: paths.value }) : paths;
  } catch (error) {
    return unreadableFile('the file', path, reasonOf(error));
  }
}

function filesIn(folder: string): Result<readonly string[]> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.'))
      .toSorted(byName);
    const read = entries.map((entry): Result<readonly string[]> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return success(entry.isFile() || (entry.isSymbolicLink() && leadsToFile(path)) ? [path] : []);
    });
    const problems = read.flatMap(problemsOf);
    return problems.length > 0
      ? failure(...problems)
      : success(read.flatMap((each) => (each.ok ? each.value : [])));
  } catch (error) {
    return unreadableFile('the folder', folder, reasonOf(error));
  }
}

/** False for a broken link. */
function leadsToFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
