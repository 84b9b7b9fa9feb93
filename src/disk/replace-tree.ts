import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { renameOver } from './file-systems/rename-over.js';
import { reasonOf } from './system-error.js';
import { readRegularFile } from './regular-file.js';

/**
 * Writes texts by path to a folder, replacing it in one step. The existing folder must be empty or an earlier tree of the same kind,
 * recognized by its `index.txt` (undefined for anything else).
 * Problems: review/not-a-tree, dir/not-writable.
 */
export function replaceTree(
  path: string,
  texts: Readonly<Record<string, string>>,
  kindOf: (index: string) => string | undefined,
): Result<void> {
  const folder = resolve(path);
  let staging: string | undefined;
  try {
    const conflict = conflictAt(folder, { kindOf, kind: kindOf(texts['index.txt'] ?? '') });
    if (path === '' || conflict !== undefined) {
      const message = path === '' ? '--out is empty' : `--out ${path} ${conflict}; it was not changed`;
      return failure(problem('review/not-a-tree', message, { hint: 'name a folder that does not exist' }));
    }
    mkdirSync(dirname(folder), { recursive: true });
    staging = mkdtempSync(join(dirname(folder), `.${basename(folder)}.`));
    writeTexts(join(staging, 'new'), texts);
    swapFolders(folder, staging);
    return success(undefined);
  } catch (error) {
    const hint = 'free disk space or grant write permission, or name another folder with --out';
    return failure(problem('dir/not-writable', `cannot write ${path}: ${reasonOf(error)}`, { hint }));
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
  }
}

function conflictAt(
  folder: string,
  {
    kindOf,
    kind,
  }: { readonly kindOf: (index: string) => string | undefined; readonly kind: string | undefined },
): string | undefined {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return 'is not a folder';
  if (readdirSync(folder).length === 0) return undefined;
  const index = readRegularFile(join(folder, 'index.txt'));
  const there = index.kind === 'file' ? kindOf(index.bytes.toString('utf8')) : undefined;
  if (there === undefined) return 'contains files that sno-install did not write';
  return there === kind ? undefined : `contains ${there}`;
}

function writeTexts(folder: string, texts: Readonly<Record<string, string>>): void {
  mkdirSync(folder);
  for (const [path, text] of Object.entries(texts)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  }
}

/** Moves the earlier tree away, and back if the new one cannot take its place. */
function swapFolders(folder: string, staging: string): void {
  const old = join(staging, 'old');
  const hasOld = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (hasOld) renameOver(folder, old);
  try {
    renameOver(join(staging, 'new'), folder);
  } catch (error) {
    if (hasOld) renameOver(old, folder);
    throw error;
  }
}
