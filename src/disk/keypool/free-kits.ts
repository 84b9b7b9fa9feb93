import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { AgeKeys } from '../../formats/age.js';
import { syncFolder } from '../durable.js';
import { reasonOf } from '../file-system-problem.js';
import { readRegularFile } from '../regular-file.js';
import { replaceFile } from '../replace-file.js';
import { idForm, needName, needText, readNeed, type KeyNeed } from './key-kit.js';
import { kitFileName, namesIn, openKit } from './kit-files.js';
import type { PoolFolder } from './pool-folder.js';
import { draftFolder, makeFolders, moveFolder, publishFolder } from './sole-folder.js';

/** Kits of nobody that hold the same keys. */
export interface FreeKits {
  readonly need: KeyNeed;
  /** Their names, sorted. */
  readonly ids: readonly string[];
}

/** The kits that nobody has, by what is in them. */
export function freeKits(pool: PoolFolder): readonly FreeKits[] {
  return namesIn(pool.free).flatMap((name) => {
    const need = needIn(join(pool.free, name));
    if (need === undefined || needName(need) !== name) return [];
    return [{ need, ids: namesIn(join(pool.free, name)).filter((id) => idForm.test(id)) }];
  });
}

/** Puts an encrypted kit among those of nobody: all of it or nothing. Problems: dir/not-writable. */
export function putKit(
  pool: PoolFolder,
  need: KeyNeed,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): Result<void> {
  try {
    const folder = folderOf(pool, need);
    const begun = needIn(folder) === undefined ? beginNeed(folder, need) : success(undefined);
    if (!begun.ok) return begun;
    const draft = draftFolder(pool.drafts, kitFileName(id), sealed);
    if (!publishFolder(draft, join(folder, id))) throw new Error('internal error: two kits have one name');
    return success(undefined);
  } catch (error) {
    return failure(problem('dir/not-writable', `cannot write in ${pool.path}: ${reasonOf(error)}`));
  }
}

/** Moves a kit of nobody into a part of the pool; false when somebody took it meanwhile. Problems: dir/not-writable. */
export function moveKit(
  from: PoolFolder,
  to: PoolFolder,
  { need, id }: { readonly need: KeyNeed; readonly id: string },
): Result<boolean> {
  try {
    const folder = folderOf(to, need);
    const begun = needIn(folder) === undefined ? beginNeed(folder, need) : success(undefined);
    if (!begun.ok) return begun;
    return success(moveFolder(join(folderOf(from, need), id), join(folder, id)) === 'moved');
  } catch (error) {
    return failure(problem('dir/not-writable', `cannot move keys to ${to.path}: ${reasonOf(error)}`));
  }
}

/**
 * Binds a kit to a site, so that it outlives a power cut: the `number`th of the site, from 1. `there`: the site has that one already;
 * `gone`: somebody else has the kit. Throws system errors.
 */
export function claimKit(
  pool: PoolFolder,
  { need, id }: { readonly need: KeyNeed; readonly id: string },
  { site, number }: { readonly site: string; readonly number: number },
): 'claimed' | 'there' | 'gone' {
  const from = join(folderOf(pool, need), id);
  const to = join(pool.taken, site, String(number));
  for (;;) {
    makeFolders(join(pool.taken, site));
    syncFolder(pool.taken);
    const moved = moveFolder(from, to);
    if (moved === 'moved') return 'claimed';
    // Over NFS, an answer may be lost and the request repeated: what became of the kit is looked at, not believed.
    if (moved === 'there' || existsSync(to)) return 'there';
    // The folder of the site goes when its kits are erased, which may be at this moment.
    if (!existsSync(from)) return 'gone';
  }
}

/** Whether keys open the kits of nobody: one of each need is tried, and stays where it is. */
export async function opensKits(
  pool: PoolFolder,
  free: readonly FreeKits[],
  keys: AgeKeys,
): Promise<boolean> {
  for (const { need, ids } of free) {
    const [id] = ids;
    if (id === undefined) continue;
    if ((await openKit(join(folderOf(pool, need), id, kitFileName(id)), keys)) === 'no-key') return false;
  }
  return true;
}

function folderOf(pool: PoolFolder, need: KeyNeed): string {
  return join(pool.free, needName(need));
}

function needIn(folder: string): KeyNeed | undefined {
  const read = readRegularFile(join(folder, needFileName), 1024 * 1024);
  return read.kind === 'file' ? readNeed(read.bytes) : undefined;
}

function beginNeed(folder: string, need: KeyNeed): Result<void> {
  makeFolders(folder);
  return replaceFile(join(folder, needFileName), needText(need));
}

const needFileName = 'need.json';
