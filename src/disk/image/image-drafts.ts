import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { sha256 } from '../../formats/sha256.js';
import { isOfOneKernel, isRunning, kernelId, ownIdentity, type ProcessIdentity } from '../lock/kernel.js';

/**
 * The file in which this process makes another one, beside it. Its name says who makes it, and not in full what: with the name of the other
 * it could be longer than a name can be.
 */
export function draftFor(path: string): string {
  const { namespace, pid, started } = ownIdentity();
  // As the kernel writes it: `pid:[4026531836]`.
  const maker = [namespace.replace(/\D/g, ''), String(pid), started].join('-');
  return join(dirname(path), `${beginningFor(path)}${kernelId()}.${maker}.new`);
}

/**
 * Removes drafts of a file whose processes have ended, by a kill or with their machine. One of another container, or of another machine
 * where the folder is shared, stays: nobody can tell from here whether it is being written.
 */
export function removeLeftDrafts(path: string): void {
  const folder = dirname(path);
  const beginning = beginningFor(path);
  for (const name of namesIn(folder).filter((each) => each.startsWith(beginning)))
    if (isLeft(folder, name.slice(beginning.length))) remove(join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // What is written next tells why.
    return [];
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is a folder, or somebody else's: no run of ours waits for it.
  }
}

function beginningFor(path: string): string {
  return `.sno-install-draft.${sha256(basename(path)).slice(0, 12)}.`;
}

function isLeft(folder: string, rest: string): boolean {
  const [, kernel, namespace, pid, started] = /^([0-9a-f]{12})\.(\d*)-(\d+)-(\d*)\.new$/.exec(rest) ?? [];
  if (kernel === undefined || namespace === undefined || pid === undefined || started === undefined)
    return false;
  if (kernel !== kernelId()) return isOfOneKernel(folder);
  const maker: ProcessIdentity = { namespace: namespaceOf(namespace), pid: Number(pid), started };
  return isRunning(maker) === false;
}

/** Empty where there is no /proc. */
function namespaceOf(inode: string): string {
  return inode === '' ? '' : `pid:[${inode}]`;
}
