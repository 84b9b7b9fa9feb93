import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isSingleFile, partOf } from './single-file.js';

/** Which build of the program this is: a hash of its code and templates, made at build time; undefined without a build. */
export function buildId(): string | undefined {
  if (isSingleFile) return partOf('dist/build-id').toString('utf8');
  try {
    return readFileSync(join(packageFolder(), 'dist/build-id'), 'utf8');
  } catch {
    return undefined;
  }
}

/** Where the constant files of the program are. */
export function templatesFolder(): string {
  return join(packageFolder(), 'templates');
}

/** The built program, which a thread loads as a process does. */
export function programFile(): string {
  return join(packageFolder(), 'dist/cli.js');
}

/**
 * The nearest folder above this module that holds the constant files: a build may move the module, but not out of its package. Of a single
 * file it is its own path, below which nothing else can be.
 */
function packageFolder(): string {
  if (isSingleFile) return process.execPath;
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'templates'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('internal error: there is no folder templates above the program');
    folder = parent;
  }
  return folder;
}
