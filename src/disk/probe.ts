import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { geteuid } from 'node:process';
import { basename, dirname, join } from 'node:path';

import { problem, type Problem } from '../core/problem.js';
import { whyOddLink } from './regular-file.js';
import { reasonOf, systemErrorCode } from './system-error.js';
import { procPath } from './file-systems/proc.js';
import { findFolder, isInsidePath } from './inside-path.js';

/**
 * Checks whether each path below `root`, a folder without links, can be replaced by a rename from there, or removed.
 * Changes nothing. Problems: dir/not-writable.
 */
export function probeTargets(root: string, paths: readonly string[]): readonly Problem[] {
  const looks = new Map<string, FolderLook>();
  return paths.flatMap((path) => {
    if (!isInsidePath(path)) return [notWritable(path, 'it is not a path below the directory', elsewhere)];
    const folder = dirname(path) === '.' ? '' : dirname(path);
    const known = looks.get(folder);
    const looked = known ?? look(root, folder);
    looks.set(folder, looked);
    if (looked.kind === 'lost')
      return known === undefined ? [notWritable(path, looked.reason, elsewhere)] : [];
    const reason = looked.kind === 'closed' ? looked.reason : whyNotReplaced(looked, basename(path));
    return reason === undefined ? [] : [notWritable(path, reason, makeRoom)];
  });
}

/** Result of checking a target folder: it leads out of the root, takes no new names, or is usable. */
type FolderLook =
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'closed'; readonly reason: string }
  | OpenFolder;

interface OpenFolder {
  readonly kind: 'open';
  readonly folder: string;
  /** If false, the folder will be created, and `folder` is the existing parent in which that happens. */
  readonly isThere: boolean;
}

function look(root: string, path: string): FolderLook {
  const found = findFolder(root, path === '' ? [] : path.split('/'));
  if (typeof found === 'string') return { kind: 'lost', reason: found };
  const folder = join(root, ...found.parts);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return { kind: 'closed', reason: cannotBeWritten(error) };
  }
  return folder !== root && isMountedApart(folder, root)
    ? { kind: 'closed', reason: 'its folder is on a different file system' }
    : { kind: 'open', folder, isThere: found.missing.length === 0 };
}

/** Predicts why a rename to a name in a folder would fail, as far as possible. */
function whyNotReplaced({ folder, isThere }: OpenFolder, name: string): string | undefined {
  try {
    return isThere ? whyNotReplacedByOwner(folder, join(folder, name)) : undefined;
  } catch (error) {
    return cannotBeWritten(error);
  }
}

function cannotBeWritten(error: unknown): string {
  return `its folder is not writable: ${reasonOf(error)}`;
}

function whyNotReplacedByOwner(folder: string, target: string): string | undefined {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return 'it is a folder';
  if (isStickyForOthers(lstatSync(folder), stats)) return `it belongs to user ${stats.uid}`;
  if (stats.isSymbolicLink()) return whyOddLink(target);
  if (!stats.isFile()) return 'it is not a regular file';
  if (isImmutable(target)) return 'it is marked as immutable';
  return isMountedApart(target, folder) ? 'it is a mount point' : undefined;
}

/** In a sticky folder only owners may rename and remove entries (inode(7), S_ISVTX). */
function isStickyForOthers(folder: Stats, file: Stats): boolean {
  const own = geteuid?.();
  return (folder.mode & 0o1000) !== 0 && own !== undefined && ![0, folder.uid, file.uid].includes(own);
}

/** access(2) returns EACCES for a read-only file and EPERM for an immutable one. */
function isImmutable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

function isMountedApart(path: string, other: string): boolean {
  const [mount, otherMount] = [mountOf(path), mountOf(other)];
  return mount !== undefined && otherMount !== undefined && mount !== otherMount;
}

/** Mount ID of a file or folder; a rename cannot cross mounts (rename(2), EXDEV). Undefined if unknown. */
function mountOf(path: string): string | undefined {
  let opened: number;
  try {
    opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    return mountId(opened) ?? `device ${fstatSync(opened).dev}`;
  } finally {
    closeSync(opened);
  }
}

/** Field mnt_id of proc_pid_fdinfo(5). */
function mountId(opened: number): string | undefined {
  const infoPath = procPath('self/fdinfo', String(opened));
  try {
    return infoPath === undefined
      ? undefined
      : /^mnt_id:\s*([0-9]+)$/m.exec(readFileSync(infoPath, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

const makeRoom = 'free disk space or grant write permission, and run the command again';
const elsewhere = 'replace it with a folder on the same file system, or name another directory with --dir';

function notWritable(path: string, reason: string, hint: string): Problem {
  return problem('dir/not-writable', `cannot write ${path}: ${reason}`, { at: { file: path }, hint });
}
