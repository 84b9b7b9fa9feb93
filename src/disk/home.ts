import { homedir } from 'node:os';
import { join } from 'node:path';

import { fileSize } from './file-size.js';

/** Resolves `~/` at the start of a typed path, as a shell does. */
export function homePath(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

/** Returns the first path, relative to the home directory, of an existing file, as `~/…`. */
export function firstFileInHome(paths: readonly string[]): string | undefined {
  return paths.map((path) => `~/${path}`).find((path) => fileSize(homePath(path)) !== undefined);
}
