import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { sha256 } from '../../formats/sha256.js';
import { isLocalFileSystem, isRunning, kernelId, ownIdentity, type ProcessIdentity } from '../lock/kernel.js';

/**
 * Path of the draft in which this process writes a file, in the same folder. The name identifies the process. It contains only a part of
 * the final name, since the full one could exceed the length limit of names.
 */
export function draftPath(path: string): string {
  const { namespace, pid, started } = ownIdentity();
  // The kernel writes it as `pid:[4026531836]`.
  const maker = [namespace.replace(/\D/g, ''), String(pid), started].join('-');
  return join(dirname(path), `${draftPrefix(path)}${kernelId()}.${maker}.new`);
}

/**
 * Removes drafts of a file whose processes have ended, including those from before a reboot. Drafts of other containers, or of other
 * machines on a shared folder, stay: their processes cannot be checked from here.
 */
export function removeStaleDrafts(path: string): void {
  const folder = dirname(path);
  const beginning = draftPrefix(path);
  for (const name of namesIn(folder).filter((each) => each.startsWith(beginning)))
    if (isStale(folder, name.slice(beginning.length))) remove(join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The following write reports the reason.
    return [];
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A folder, or a file of another user: no run of ours depends on it.
  }
}

function draftPrefix(path: string): string {
  return `.sno-install-draft.${sha256(basename(path)).slice(0, 12)}.`;
}

function isStale(folder: string, rest: string): boolean {
  const [, kernel, namespace, pid, started] = /^([0-9a-f]{12})\.(\d*)-(\d+)-(\d*)\.new$/.exec(rest) ?? [];
  if (kernel === undefined || namespace === undefined || pid === undefined || started === undefined)
    return false;
  if (kernel !== kernelId()) return isLocalFileSystem(folder);
  const maker: ProcessIdentity = { namespace: namespaceOf(namespace), pid: Number(pid), started };
  return isRunning(maker) === false;
}

/** Empty if there is no /proc. */
function namespaceOf(inode: string): string {
  return inode === '' ? '' : `pid:[${inode}]`;
}
