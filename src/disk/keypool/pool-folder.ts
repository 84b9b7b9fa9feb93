import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { reasonOf } from '../file-system-problem.js';
import { readRegularFile } from '../regular-file.js';
import { replaceFile } from '../replace-file.js';
import { members, text } from '../state/state-shape.js';
import { idForm } from './key-kit.js';
import { makeFolders } from './sole-folder.js';

/** A folder with keys that were drawn ahead. Kits lie in folders of their own, of which each has one name at a time. */
export interface PoolFolder {
  readonly path: string;
  /** Of this pool and the parts it was split into. */
  readonly id: string;
  /** `free/NEED/KIT/`: kits of nobody. */
  readonly free: string;
  /** `taken/SITE/1/`: the first kit of a site. */
  readonly taken: string;
  /** `given/KIT/`: which site a kit was given to, for good. */
  readonly given: string;
  /** `refused/KIT/`: what cannot be used. */
  readonly refused: string;
  /** `drafts/`: kits on their way in or out, or that were when a run was killed. */
  readonly drafts: string;
  /** `notes/`: notes on their way to `given/`. */
  readonly notes: string;
}

/** The file that makes a folder a pool. */
const poolFileName = 'pool.json';

/** What makes a folder the one that it is: a copy of it has others, and so has one that a backup brought back. */
interface FolderMark {
  readonly inode: string;
  /** When it was made, in nanoseconds; 0 where the file system does not say. */
  readonly born: string;
}

interface PoolFile {
  readonly pool: string;
  /** Absent of a part that nobody has used. */
  readonly folder?: FolderMark;
}

/** Whether a folder is a pool, or was meant to be one. */
export function isPool(path: string): boolean {
  return existsSync(join(path, poolFileName));
}

/** Opens a pool for taking keys. Problems: fleet/keys-missing, fleet/keys-unreadable, fleet/keys-copied, dir/not-writable. */
export function openPool(path: string): Result<PoolFolder> {
  const file = readPoolFile(path);
  if (!file.ok) return file;
  const known = file.value;
  return known !== undefined && known.folder === undefined ? bindPool(path, known.pool) : seePool(path);
}

/** Opens a pool to look into it, which writes nothing: a part stays one that can be carried. Problems: those of `openPool`. */
export function seePool(path: string): Result<PoolFolder> {
  const file = readPoolFile(path);
  if (!file.ok) return file;
  if (file.value === undefined) return noPool(path);
  const { pool, folder } = file.value;
  return folder === undefined || isMarkOf(path, folder) ? success(poolAt(path, pool)) : copied(path);
}

/** Opens a pool to fill it, making it where there is none. Problems: those of `openPool`. */
export function beginPool(path: string): Result<PoolFolder> {
  const file = readPoolFile(path);
  if (!file.ok) return file;
  return file.value === undefined ? bindPool(path, newId()) : openPool(path);
}

/** Makes a copy the pool that is taken from. Problems: those of `openPool`, but for fleet/keys-copied. */
export function adoptPool(path: string): Result<PoolFolder> {
  const file = readPoolFile(path);
  if (!file.ok) return file;
  return file.value === undefined ? noPool(path) : bindPool(path, file.value.pool);
}

/** A part of a pool that is to be carried elsewhere, or one that was begun. Problems: fleet/keys-part. */
export function beginPart(path: string, pool: PoolFolder): Result<PoolFolder> {
  const file = readPoolFile(path);
  if (!file.ok) return file;
  const known = file.value;
  if (known !== undefined && (known.pool !== pool.id || known.folder !== undefined)) {
    const hint = 'move it away: a part goes to where its keys are used';
    return failure(
      problem('fleet/keys-part', `${path} is a pool already, and no part of this one`, { hint }),
    );
  }
  const written = known === undefined ? writePoolFile(path, { pool: pool.id }) : success(undefined);
  return written.ok ? success(poolAt(path, pool.id)) : written;
}

/** A name that nothing else has: 32 hexadecimal digits. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

function poolAt(path: string, id: string): PoolFolder {
  return {
    path,
    id,
    free: join(path, 'free'),
    taken: join(path, 'taken'),
    given: join(path, 'given'),
    refused: join(path, 'refused'),
    drafts: join(path, 'drafts'),
    notes: join(path, 'notes'),
  };
}

function bindPool(path: string, pool: string): Result<PoolFolder> {
  try {
    makeFolders(path);
    const written = writePoolFile(path, { pool, folder: markOf(path) });
    return written.ok ? success(poolAt(path, pool)) : written;
  } catch (error) {
    return failure(problem('dir/not-writable', `cannot make the pool ${path}: ${reasonOf(error)}`));
  }
}

function writePoolFile(path: string, file: PoolFile): Result<void> {
  makeFolders(path);
  return replaceFile(join(path, poolFileName), `${JSON.stringify({ version: 1, ...file }, null, 2)}\n`);
}

const markShape = members({ inode: text(), born: text() });
const poolShape = members(
  { pool: text('32 hexadecimal digits', (value) => idForm.test(value)) },
  { folder: markShape },
);

function isPoolFile(value: unknown): value is PoolFile {
  return poolShape(value, '') === undefined;
}

function readPoolFile(path: string): Result<PoolFile | undefined> {
  const file = join(path, poolFileName);
  const read = readRegularFile(file, 64 * 1024);
  if (read.kind === 'absent') return success(undefined);
  if (read.kind === 'unreadable') return unreadable(file, read.reason);
  try {
    const value: unknown = JSON.parse(read.bytes.toString('utf8'));
    return isPoolFile(value) ? success(value) : unreadable(file, 'it is not as fleet keys wrote it');
  } catch {
    return unreadable(file, 'it is no JSON');
  }
}

function unreadable(file: string, reason: string): Result<never> {
  const hint = 'restore it from a copy; without it nobody can tell which pool this is';
  return failure(problem('fleet/keys-unreadable', `${file} cannot be used: ${reason}`, { hint }));
}

function noPool(path: string): Result<never> {
  const hint = 'draw keys by `sno-install fleet keys --fill`';
  return failure(problem('fleet/keys-missing', `there is no pool of keys in ${path}`, { hint }));
}

function copied(path: string): Result<never> {
  const message = `${path} is a copy of a pool: two of them would give the same keys to two sites`;
  const hint =
    'if no other copy was used since this one was made, or ever will be, run `sno-install fleet keys --adopt`';
  return failure(problem('fleet/keys-copied', message, { hint }));
}

function markOf(path: string): FolderMark {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return { inode: String(ino), born: String(birthtimeNs) };
}

/** A time is compared where both sides have one: of one folder, not every client of NFS is told it. */
function isMarkOf(path: string, { inode, born }: FolderMark): boolean {
  const own = markOf(path);
  return own.inode === inode && (own.born === born || own.born === '0' || born === '0');
}
