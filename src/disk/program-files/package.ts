import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isSingleFile, partOf } from './single-file.js';

/** Build ID: a hash of code and templates, made at build time. Undefined without a build. */
export function buildId(): string | undefined {
  if (isSingleFile) return partOf('dist/build-id').toString('utf8');
  try {
    return readFileSync(join(packageFolder(), 'dist/build-id'), 'utf8');
  } catch {
    return undefined;
  }
}

export function templatesFolder(): string {
  return join(packageFolder(), 'templates');
}

/** The built program, which worker threads load as well. */
export function programFile(): string {
  return join(packageFolder(), 'dist/cli.js');
}

/**
 * The nearest folder above this module that contains the templates: a build may move the module, but not out of its package.
 * For a single executable it is the path of the file itself.
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
