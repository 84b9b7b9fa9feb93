import { lstatSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { geteuid } from 'node:process';

import { problem, type Problem } from '../core/problem.js';
import { shellWord } from '../formats/shell-word.js';
import { keepsModes } from './file-systems/modes.js';
import { readBelow, readOwnFile, type FileRead } from './regular-file.js';
import { isCaller } from './read-policy.js';
import { systemErrorCode } from './system-error.js';

/**
 * Returns why a file that controls what is written is not trusted: users other than the caller, the owner of `folder` and root can
 * write it. Undefined if it is trusted. Where the file system has no modes, access is restricted only by the mount options, or
 * by the folder's access list on Windows.
 */
export function whyUntrusted(file: Stats, folder: string): string | undefined {
  if (geteuid !== undefined && ![0, geteuid(), statSync(folder).uid].includes(file.uid))
    return `it belongs to user ${file.uid}, neither you nor the owner of its folder`;
  return file.isFile() && isOfPrivateGroup(file) ? undefined : whyWritable(file, folder);
}

/**
 * Returns why a file is not the caller's own, for a file that names programs to run: another user owns or can write it or its folder.
 * Undefined if it is the caller's or root's. The owner of the folder is not enough here: it is often the one who prepared the file.
 */
export function whyUntrustedOwner(path: string): string | undefined {
  for (const each of [path, dirname(path)]) {
    const stats = statSync(each);
    if (stats.uid !== 0 && !isCaller(stats.uid))
      return `${stats.isDirectory() ? 'its folder' : 'it'} belongs to user ${stats.uid}`;
    // In a folder with the sticky bit, files are replaced by their owners only (S_ISVTX, inode(7)).
    if (stats.isDirectory() && (stats.mode & 0o1000) !== 0) continue;
    const writable = isOfPrivateGroup(stats) ? undefined : whyWritable(stats, dirname(path));
    if (writable !== undefined)
      return stats.isDirectory() ? writable.replace('to it', 'to its folder') : writable;
  }
  return undefined;
}

function whyWritable(file: Stats, folder: string): string | undefined {
  if ((file.mode & writableByOthers) === 0 || !keepsModes(folder)) return undefined;
  return `other users can write to it (mode ${(file.mode & 0o7777).toString(8).padStart(4, '0')})`;
}

/** S_IWGRP and S_IWOTH (inode(7)). */
const writableByOthers = 0o022;

/**
 * Whether only the group can write and it contains only the owner, as in a checkout of Git with umask 002. A private group has the number
 * of its user. Source: useradd(8), USERGROUPS_ENAB; git's modes 100644 and 100755 become 0664 and 0775.
 */
function isOfPrivateGroup({ uid, gid, mode }: Stats): boolean {
  const isOpen = (mode & 0o002) !== 0 || (mode & 0o060) !== 0o060;
  if (isOpen || uid === 0 || uid !== gid) return false;
  const members = linesOf('/etc/group').find(([, , id]) => id === String(gid))?.[3] ?? '';
  const users = linesOf('/etc/passwd').filter(
    ([, , id, group]) => group === String(gid) && id !== String(uid),
  );
  const [owner = ''] = linesOf('/etc/passwd').find(([, , id]) => id === String(uid)) ?? [];
  return users.length === 0 && members.split(',').every((name) => name === '' || name === owner);
}

/** Fields of a file such as passwd(5). */
function linesOf(path: string): readonly (readonly string[])[] {
  const read = readOwnFile(path);
  return read.kind === 'file'
    ? read.bytes
        .toString('utf8')
        .split('\n')
        .map((line) => line.split(':'))
    : [];
}

/** As `readBelow`, for a record that controls machines or keys: rejects a file that other users can change. */
export function readTrusted(root: string, path: string, maxBytes?: number): FileRead {
  const read = readBelow(root, path, maxBytes);
  if (read.kind !== 'file') return read;
  const place = join(root, path);
  const reason = whyUntrusted(read.stats, dirname(place));
  return reason === undefined ? read : { kind: 'unreadable', reason: `${reason}; ${remedy(place)}` };
}

/** As `readTrusted`, for a file whose name the program chose. */
export function readTrustedFile(path: string, maxBytes?: number): FileRead {
  return readTrusted(dirname(path), basename(path), maxBytes);
}

/** Problems of records that other users can change; a missing record has none. Problems: dir/untrusted. */
export function untrustedRecords(root: string, names: readonly string[]): readonly Problem[] {
  return names.flatMap((name) => {
    const place = join(root, name);
    const stats = statsOf(place);
    const reason = stats?.isFile() === true ? whyUntrusted(stats, root) : undefined;
    if (reason === undefined) return [];
    const message = `the record ${name} is not used: ${reason}`;
    return [problem('dir/untrusted', message, { at: { file: place }, hint: remedy(place) })];
  });
}

/** Undefined for a file that is missing or cannot be looked up, which its reader reports. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

function remedy(path: string): string {
  return `if its content is yours, run \`chmod go-w ${shellWord(path)}\` or correct its owner with \`chown\``;
}
