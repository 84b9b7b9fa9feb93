import { existsSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import process from 'node:process';

import { procPath } from './file-systems/proc.js';

/** Returns why an opened file may not be read, given the path used to open it; undefined if it may. */
export type ReadPolicy = (file: {
  readonly path: string;
  readonly descriptor: number;
  readonly stats: Stats;
}) => string | undefined;

/** Allows only files below a folder: rejects links that lead out of it. For files that the program itself keeps there. */
export function readPolicyBelow(root: string): ReadPolicy {
  let real: string | undefined;
  return (file) =>
    isBelow((real ??= realpathSync(root)), openedPath(file))
      ? undefined
      : 'it is behind a symbolic link to a place outside its folder';
}

/**
 * Rule for the user's files. Below `root`, links may lead to places below it and to others in the same Git repository. A path that
 * leaves `root` without a link comes from a field and may name any file of the caller. If another user owns the folder, such paths reach
 * only files that its owner can read too.
 */
export function inputReadPolicy(
  root: string,
  { isNamed = false }: { readonly isNamed?: boolean } = {},
): ReadPolicy {
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
        : `it is outside the directory, and the owner of the directory (user ${owner}) cannot read it`;
    }
    const repository = repositoryAround(real);
    if (repository !== undefined && isBelow(repository, opened)) {
      const owner = statSync(repository).uid;
      if (isCaller(owner) || stats.uid === owner) return undefined;
    }
    return 'it is behind a symbolic link to a place outside the directory and its Git repository';
  };
}

/**
 * Returns why nothing may be written to a folder named as one below `within`; undefined if it may. The folder need not exist. Links may
 * lead to places below `within` and, if the caller owns its top, to others in the same Git repository.
 */
export function whyOutside(folder: string, within: string): string | undefined {
  const root = realpathSync(within);
  const real = realPath(folder);
  if (isBelow(root, real)) return undefined;
  const repository = repositoryAround(root);
  if (repository !== undefined && isBelow(repository, real) && isCaller(statSync(repository).uid))
    return undefined;
  return 'it is behind a symbolic link to a place outside the directory and its Git repository';
}

/** Resolves links in a path. If it does not exist, resolves its nearest existing parent folder. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(resolve(path));
    return parent === resolve(path) ? parent : join(realPath(parent), basename(path));
  }
}

/** Path of an opened file with links resolved. Linux reports it; other platforms resolve the path again. */
function openedPath({ path, descriptor }: { readonly path: string; readonly descriptor: number }): string {
  const own = procPath('self/fd', String(descriptor));
  try {
    if (own !== undefined) return readlinkSync(own);
  } catch {
    // There is no /proc.
  }
  return realpathSync(path);
}

/** Whether a path is the folder `root` or below it. */
export function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}

/** The nearest folder with `.git`, from `folder` upwards. */
function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const outer = dirname(folder);
  return outer === folder ? undefined : repositoryAround(outer);
}

/** Whether a user is the caller or the one who called sudo, as in git. Always true on Windows, which has no user IDs. */
export function isCaller(user: number): boolean {
  const caller = process.geteuid?.();
  return (
    caller === undefined || caller === user || (caller === 0 && process.env['SUDO_UID'] === String(user))
  );
}

/** Checks S_IROTH of the file and S_IXOTH of every folder above it (inode(7)). */
function isReadByAll(path: string, stats: Stats): boolean {
  if ((stats.mode & 0o004) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
