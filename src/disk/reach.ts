import { existsSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';

import { procPath } from './file-systems/proc.js';

/** Why an opened file may not be read, by the path it was opened by; undefined where it may. */
export type Reach = (file: {
  readonly path: string;
  readonly descriptor: number;
  readonly stats: Stats;
}) => string | undefined;

/** Files below a folder: a link that leads out of it is refused. For what the program keeps there itself. */
export function reachBelow(root: string): Reach {
  let real: string | undefined;
  return (file) =>
    isBelow((real ??= realpathSync(root)), openedPath(file))
      ? undefined
      : 'it is behind a symbolic link that leads out of its folder';
}

/**
 * The user's files. Below `root`, links may lead to places below it and to others of the same Git repository. A path that leaves `root` by
 * itself was written into a field: it may name any file of the caller. Where somebody else owns the folder, such paths reach only what its
 * owner could read, too.
 */
export function reachOfInputs(root: string, { isNamed = false }: { readonly isNamed?: boolean } = {}): Reach {
  const lexical = resolve(root);
  let real: string | undefined;
  return ({ path, descriptor, stats }) => {
    real ??= realpathSync(lexical);
    const opened = openedPath({ path, descriptor });
    if (isBelow(real, opened)) return undefined;
    if (isNamed || !isBelow(lexical, resolve(path))) {
      const owner = statSync(real).uid;
      return isCaller(owner) || stats.uid === owner || isReadByAll(opened, stats)
        ? undefined
        : `it is outside of the directory, whose owner (user ${owner}) cannot read it`;
    }
    const repository = repositoryAround(real);
    if (repository !== undefined && isBelow(repository, opened)) {
      const owner = statSync(repository).uid;
      if (isCaller(owner) || stats.uid === owner) return undefined;
    }
    return 'it is behind a symbolic link that leads out of the directory and of its Git repository';
  };
}

/**
 * Why nothing may be written to a folder, there or not yet, that is named as one below `within`; undefined where it may. Links may lead
 * to places below `within` and, where the caller owns its top, to others of the same Git repository.
 */
export function whyOutside(folder: string, within: string): string | undefined {
  const root = realpathSync(within);
  const real = realPath(folder);
  if (isBelow(root, real)) return undefined;
  const repository = repositoryAround(root);
  if (repository !== undefined && isBelow(repository, real) && isCaller(statSync(repository).uid))
    return undefined;
  return 'it is behind a symbolic link that leads out of the directory and of its Git repository';
}

/** The path without links; of what is not there, that of the folder it would be in. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(resolve(path));
    return parent === resolve(path) ? parent : join(realPath(parent), basename(path));
  }
}

/** The path of an opened file without links. Linux knows it; elsewhere it is looked for again. */
function openedPath({ path, descriptor }: { readonly path: string; readonly descriptor: number }): string {
  const own = procPath('self/fd', String(descriptor));
  try {
    if (own !== undefined) return readlinkSync(own);
  } catch {
    // There is no /proc.
  }
  return realpathSync(path);
}

/** Whether a path is that of a folder, or below it. */
export function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

/** The folder with `.git` that a folder lies in. */
function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const outer = dirname(folder);
  return outer === folder ? undefined : repositoryAround(outer);
}

/** Whether a user is the caller, or the one who called sudo, as git does it. Windows has no such users. */
function isCaller(user: number): boolean {
  const caller = process.geteuid?.();
  return (
    caller === undefined || caller === user || (caller === 0 && process.env['SUDO_UID'] === String(user))
  );
}

/** S_IROTH of the file, and S_IXOTH of every folder above it (inode(7)). */
function isReadByAll(path: string, stats: Stats): boolean {
  if ((stats.mode & 0o004) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
