import { closeSync, existsSync, fsyncSync, openSync, rmSync, rmdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { AgeKeys } from '../../formats/age.js';
import { systemErrorCode } from '../file-system-problem.js';
import { holderOf, noteErased } from './given-notes.js';
import type { KeyKit } from './key-kit.js';
import { kitFileName, kitIdIn, namesIn, openKit } from './kit-files.js';
import { newId, type PoolFolder } from './pool-folder.js';
import { makeFolders, moveFolder } from './sole-folder.js';

/** A kit by the site that took it: its first has the number 1. */
export interface TakenKit {
  readonly site: string;
  readonly number: number;
}

/** Why a kit of a site gives no keys. `given`: another site has them; `erased`: they were used, and their kit is to be erased. */
export type KitFault = 'no-key' | 'damaged' | 'foreign' | 'given' | 'erased';

/** A kit of a site as it was found: which it is, and its keys, or why it gives none. */
export type OpenedKit =
  { readonly kit: KeyKit } | { readonly fault: KitFault; readonly id: string | undefined };

/**
 * A kit of a site; undefined where it has not so many. From then on, no other site is ever given these keys. Throws system errors.
 */
export async function openTaken(
  pool: PoolFolder,
  place: TakenKit,
  keys: AgeKeys,
): Promise<OpenedKit | undefined> {
  const folder = folderOf(pool, place);
  while (existsSync(folder)) {
    const id = kitIdIn(folder);
    const opened = id === undefined ? 'damaged' : await openAs(pool, { id, site: place.site, folder }, keys);
    if (typeof opened !== 'string') return { kit: opened };
    // Another run of the site may have erased that kit, and taken the next by the same number, while it was looked at.
    if (existsSync(folder) && kitIdIn(folder) === id) return { fault: opened, id };
  }
  return undefined;
}

async function openAs(
  pool: PoolFolder,
  { id, site, folder }: { readonly id: string; readonly site: string; readonly folder: string },
  keys: AgeKeys,
): Promise<KeyKit | KitFault> {
  const kit = await openKit(join(folder, kitFileName(id)), keys);
  if (typeof kit === 'string') return kit;
  if (kit.id !== id || kit.pool !== pool.id) return 'foreign';
  const holder = holderOf(pool, id, site);
  return holder === 'ours' ? kit : holder === 'erased' ? 'erased' : 'given';
}

/**
 * Takes a kit of a site out of use for good; it stays for somebody to look at. Another one that has its number by now, since another run
 * of the site was here, is given back. Throws system errors.
 */
export function refuseKit(pool: PoolFolder, place: TakenKit, id: string | undefined): void {
  const folder = folderOf(pool, place);
  const refused = join(pool.refused, newId());
  makeFolders(pool.refused);
  if (kitIdIn(folder) !== id || moveFolder(folder, refused) !== 'moved' || kitIdIn(refused) === id) return;
  for (let number = place.number; ; number += 1) {
    makeFolders(join(pool.taken, place.site));
    if (moveFolder(refused, folderOf(pool, { ...place, number })) !== 'there') return;
  }
}

function folderOf(pool: PoolFolder, { site, number }: TakenKit): string {
  return join(pool.taken, site, String(number));
}

/**
 * Erases the kits of a site, whose keys are kept elsewhere by now: their bytes are overwritten, and the files taken away. What a file
 * system, a disk or a copy keeps of earlier bytes stays there, encrypted. Throws system errors.
 */
export function eraseTaken(pool: PoolFolder, site: string): void {
  for (const number of namesIn(join(pool.taken, site))) eraseKit(pool, { site, number: Number(number) });
  ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => {
    rmdirSync(join(pool.taken, site));
  });
}

/**
 * Erases one of them. It is noted first, whose it was as well: a kit whose erasing was interrupted gives no keys any more, nor does one that
 * another run of the site took and has not opened yet. Throws system errors.
 */
export function eraseKit(pool: PoolFolder, place: TakenKit): void {
  const { site } = place;
  const folder = folderOf(pool, place);
  const noted = noteErasedIn(pool, folder, site);
  makeFolders(pool.drafts);
  const erased = join(pool.drafts, newId());
  if (moveFolder(folder, erased) !== 'moved') return;
  // Another run may have erased that kit, and taken the next by the same number, between these lines.
  if (kitIdIn(erased) !== noted) noteErasedIn(pool, erased, site);
  wipe(erased);
}

/** Notes that the kit in a folder was a site's and is erased; returns which it is. Throws system errors. */
function noteErasedIn(pool: PoolFolder, folder: string, site: string): string | undefined {
  const id = kitIdIn(folder);
  if (id !== undefined && holderOf(pool, id, site) === 'ours') noteErased(pool, id);
  return id;
}

/** Erases what runs left that were killed while they filled the pool or erased something. Throws system errors. */
export function clearDrafts(pool: PoolFolder): void {
  for (const name of namesIn(pool.drafts)) wipe(join(pool.drafts, name));
}

/** Overwrites the files of a folder and takes it away; another run may do the same at this moment. */
function wipe(folder: string): void {
  for (const name of namesIn(folder)) {
    ignoring(['ENOENT'], () => {
      overwrite(join(folder, name));
    });
  }
  rmSync(folder, { recursive: true, force: true });
}

function overwrite(path: string): void {
  if (!statSync(path).isFile()) return;
  const file = openSync(path, 'r+');
  try {
    const zeros = Buffer.alloc(statSync(path).size);
    for (let offset = 0; offset < zeros.length;)
      offset += writeSync(file, zeros, offset, zeros.length - offset, offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function ignoring(codes: readonly string[], act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!codes.includes(systemErrorCode(error) ?? '')) throw error;
  }
}
