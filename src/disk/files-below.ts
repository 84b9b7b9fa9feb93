import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { byName } from '../core/compare.js';
import { failure, problemsOf, success, type Result } from '../core/result.js';
import { reasonOf } from './file-system-problem.js';
import { unreadableFile } from './named-file.js';

/** The files that a path names. */
export interface NamedFiles {
  /** Whether the path is a folder, whose files are meant, and not one of them. */
  readonly isFolder: boolean;
  /** In order of name. */
  readonly paths: readonly string[];
}

/**
 * What a path names: itself, or, where it is a folder, every regular file below it. Hidden files and folders, and links to folders,
 * are left out. Problems: usage/unreadable-file.
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

/** A link that leads nowhere holds no certificate. */
function leadsToFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
