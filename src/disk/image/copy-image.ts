import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { patched, type DiskImage, type Patch } from '../../formats/disk-image.js';
import { syncFolder } from '../durable.js';
import { giveName } from '../file-systems/give-name.js';
import { setMode } from '../file-systems/modes.js';
import { reasonOf } from '../file-system-problem.js';
import { digestsWhile, type ImageDigests } from './image-digests.js';
import { draftFor, removeLeftDrafts } from './image-drafts.js';
import { imageOf, isToBeWritten, taken } from './image-file.js';

const ownerOnly = 0o600;

/** How a new image comes to be. */
export interface ImageCopy {
  readonly from: DiskImage;
  /** The file that it is, where it is one: blocks are shared with it where the file system can. */
  readonly file?: string | undefined;
  readonly to: string;
  readonly patches: readonly Patch[];
  /** Permission bits; without them it is for its owner alone, since it holds keys. */
  readonly mode?: number | undefined;
  /** Whether what was written can be used, read back from the disk. */
  readonly isSound: (image: DiskImage) => Promise<boolean>;
}

/**
 * Writes a copy of an image with patches, and gives the digests of both. The copy has its name only once it was read back; a file of that
 * name is left as it is, and serves if it is the same; what killed runs left of it is removed. Problems: media/output, dir/not-writable.
 */
export async function copyImage(copy: ImageCopy): Promise<Result<ImageDigests>> {
  const { to } = copy;
  const draft = draftFor(to);
  try {
    removeLeftDrafts(to);
    if (existsSync(to)) return thereAlready(copy);
    const digests = writeWhole(copy, draft);
    const fault = await patchAndReadBack(draft, copy);
    if (fault !== undefined) return notWritten(to, fault);
    if (giveName(draft, to) === 'taken') return thereAlready(copy);
    syncFolder(dirname(to));
    return success(digests);
  } catch (error) {
    return existsSync(to) ? taken(to) : notWritten(to, reasonOf(error));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The digests of what has the name, if it is the copy. Problems: media/output. */
function thereAlready({ from, patches, to }: ImageCopy): Result<ImageDigests> {
  const isNew = isToBeWritten(to, patched(from, patches));
  if (!isNew.ok) return isNew;
  // Whoever gave it the name may have been killed before the disk had it.
  syncFolder(dirname(to));
  return isNew.value ? taken(to) : success(digestsWhile(from, patches));
}

/** The image is read once, whether its bytes are written or shared. */
function writeWhole({ from, file: original, patches }: ImageCopy, path: string): ImageDigests {
  if (original !== undefined && sharesBlocks(original, path)) return digestsWhile(from, patches);
  const file = openSync(path, 'wx', ownerOnly);
  try {
    return digestsWhile(from, patches, (piece) => {
      writeAt(file, piece);
    });
  } finally {
    closeSync(file);
  }
}

/** Whether the file system made a copy that shares its blocks with the file. */
function sharesBlocks(file: string, copy: string): boolean {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch {
    return false;
  }
}

/** At an offset, or where the last bytes ended. */
function writeAt(file: number, bytes: Buffer, offset?: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, offset === undefined ? null : offset + done);
}

/** Patches an image where it lies, and gives its digests before and after that. Problems: dir/not-writable. */
export async function patchImage(
  path: string,
  { from, patches, isSound }: Pick<ImageCopy, 'from' | 'patches' | 'isSound'>,
): Promise<Result<ImageDigests>> {
  try {
    const digests = digestsWhile(from, patches);
    const fault = await patchAndReadBack(path, { patches, isSound });
    return fault === undefined ? success(digests) : notWritten(path, fault);
  } catch (error) {
    return notWritten(path, reasonOf(error));
  }
}

async function patchAndReadBack(
  path: string,
  { patches, mode = ownerOnly, isSound }: Pick<ImageCopy, 'patches' | 'mode' | 'isSound'>,
): Promise<string | undefined> {
  const file = openSync(path, 'r+');
  try {
    setMode(file, mode);
    for (const { offset, bytes } of patches) writeAt(file, bytes, offset);
    fsyncSync(file);
    const isRead = await isSound(imageOf(file, statSync(path).size));
    return isRead ? undefined : 'what was written cannot be read back';
  } finally {
    closeSync(file);
  }
}

function notWritten(path: string, reason: string): Result<never> {
  const hint = 'make room or give write permission, and run it again';
  return failure(problem('dir/not-writable', `cannot write ${path}: ${reason}`, { hint }));
}
