import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import type { Variables } from './environment.js';
import { fileSize } from './file-size.js';

/** Resolves `~/` at the start of a typed path, as a shell does. */
export function homePath(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}

/** Returns the first path, relative to the home directory, of an existing file, as `~/…`. */
export function firstFileInHome(paths: readonly string[]): string | undefined {
  return paths.map((path) => `~/${path}`).find((path) => fileSize(homePath(path)) !== undefined);
}

/** The folder of this program's cache. Source: specifications.freedesktop.org/basedir-spec, `XDG_CACHE_HOME` */
export function cacheFolder({ XDG_CACHE_HOME: given = '' }: Variables): string {
  return join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'sno-install');
}
