import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { patchedImage, type DiskImage, type Patch } from '../../formats/disk-image.js';
import { syncFolder } from '../write-durably.js';
import { renameNoReplace } from '../file-systems/rename-no-replace.js';
import { setMode } from '../file-systems/modes.js';
import { reasonOf } from '../system-error.js';
import { digestImage, type ImageDigests, type WrittenImage } from './image-digests.js';
import { draftPath, removeStaleDrafts } from './image-drafts.js';
import { entryAt, imageFromFile, needsWriting, existingImageProblem } from './image-file.js';

const ownerOnly = 0o600;

/** A patched copy of a disk image. */
export interface ImageCopy {
  readonly from: DiskImage;
  /** File of the original, if it is a file: the copy shares its blocks where the file system supports that. */
  readonly file?: string | undefined;
  readonly to: string;
  readonly patches: readonly Patch[];
  /** Permission bits. Default: readable by the owner only, since the image contains keys. */
  readonly mode?: number | undefined;
  /** Whether an existing file is replaced. */
  readonly overwrite?: boolean | undefined;
  /** Checks the written image, read back from the disk. */
  readonly isSound: (image: DiskImage) => Promise<boolean>;
}

/**
 * Writes a patched copy of an image and returns the digests of both. The copy gets its name only after it was read back.
 * Without `overwrite`, an existing file is not replaced; it is accepted if it is the same. Removes drafts of killed runs.
 * Problems: media/output, dir/not-writable.
 */
export async function copyImage(copy: ImageCopy): Promise<Result<WrittenImage>> {
  const { to, overwrite = false } = copy;
  const draft = draftPath(to);
  try {
    removeStaleDrafts(to);
    const there = entryAt(to);
    if (!overwrite && there !== undefined) return existingCopy(copy);
    if (there?.isFile() === false) return existingImageProblem(to);
    const digests = writeDraft(copy, draft);
    const fault = await patchAndReadBack(draft, copy);
    if (fault !== undefined) return notWritten(to, fault);
    if (overwrite) renameSync(draft, to);
    else if (renameNoReplace(draft, to) === 'taken') return existingCopy(copy);
    syncFolder(dirname(to));
    return success(digests);
  } catch (error) {
    return !overwrite && entryAt(to) !== undefined
      ? existingImageProblem(to)
      : notWritten(to, reasonOf(error));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Digests of an existing file if it is the same copy. Problems: media/output. */
function existingCopy({ from, patches, to }: ImageCopy): Result<ImageDigests> {
  const isNew = needsWriting(to, patchedImage(from, patches));
  if (!isNew.ok) return isNew;
  // The run that renamed it may have been killed before the rename was on the disk.
  syncFolder(dirname(to));
  return isNew.value ? existingImageProblem(to) : success(digestImage(from, patches));
}

/** Reads the image once, whether its bytes are written or shared. */
function writeDraft({ from, file: original, patches }: ImageCopy, path: string): WrittenImage {
  if (original !== undefined && sharesBlocks(original, path))
    return { ...digestImage(from, patches), sharesBlocks: true };
  const file = openSync(path, 'wx', ownerOnly);
  try {
    return digestImage(from, patches, (piece) => {
      writeAt(file, piece);
    });
  } finally {
    closeSync(file);
  }
}

/** Whether the file system created a copy that shares its blocks with the file. */
export function sharesBlocks(file: string, copy: string): boolean {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
    return true;
  } catch {
    return false;
  }
}

/** Without an offset, writes at the current position. */
function writeAt(file: number, bytes: Buffer, offset?: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, offset === undefined ? null : offset + done);
}

/** Patches an image in place and returns its digests before and after. Problems: dir/not-writable. */
export async function patchImage(
  path: string,
  { from, patches, isSound }: Pick<ImageCopy, 'from' | 'patches' | 'isSound'>,
): Promise<Result<ImageDigests>> {
  try {
    const digests = digestImage(from, patches);
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
    const isRead = await isSound(imageFromFile(file, statSync(path).size));
    return isRead ? undefined : 'the written file cannot be read back';
  } finally {
    closeSync(file);
  }
}

function notWritten(path: string, reason: string): Result<never> {
  const hint = 'free disk space or grant write permission, and run the command again';
  return failure(problem('dir/not-writable', `cannot write ${path}: ${reason}`, { hint }));
}
