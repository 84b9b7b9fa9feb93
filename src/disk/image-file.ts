import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { piecesOf, type DiskImage, type Patch } from '../media/disk-image.js';
import { syncFolder } from './durable.js';
import { reasonOf, systemErrorCode } from './file-system-problem.js';
import { unreadableFile } from './named-file.js';

/** An image that is open for reading, until it is closed. */
export interface OpenImage {
  readonly image: DiskImage;
  readonly close: () => void;
}

/** Opens an image. Problems: usage/unreadable-file. */
export function openImage(option: string, path: string): Result<OpenImage> {
  try {
    if (!statSync(path).isFile()) return unreadableFile(option, path, 'it is not a regular file');
    const file = openSync(path, 'r');
    return success({
      image: imageOf(file, statSync(path).size),
      close: () => {
        closeSync(file);
      },
    });
  } catch (error) {
    return unreadableFile(option, path, reasonOf(error));
  }
}

function imageOf(file: number, bytes: number): DiskImage {
  return {
    bytes,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > bytes) return undefined;
      const buffer = Buffer.alloc(length);
      for (let done = 0; done < length;) {
        const read = readSync(file, buffer, done, length - done, offset + done);
        if (read === 0) return undefined;
        done += read;
      }
      return buffer;
    },
  };
}

/** Whether an image can be written there, as far as that can be told before. Problems: media/output. */
export function placeForImage(path: string): Result<string> {
  return existsSync(path) ? taken(path) : success(path);
}

/**
 * Whether an image has still to be written there: a file that holds the same already serves as well. Problems: media/output for any
 * other file.
 */
export function isToBeWritten(path: string, image: DiskImage): Result<boolean> {
  if (!existsSync(path)) return success(true);
  const opened = openImage('the file', path);
  if (!opened.ok) return taken(path);
  const isSame = isSameImage(opened.value.image, image);
  opened.value.close();
  return isSame ? success(false) : taken(path);
}

/** Whether two images have the same bytes. */
export function isSameImage(one: DiskImage, other: DiskImage): boolean {
  if (one.bytes !== other.bytes) return false;
  const pieces = piecesOf(other);
  for (const piece of piecesOf(one)) {
    const { value } = pieces.next();
    if (value?.equals(piece) !== true) return false;
  }
  return true;
}

const ownerOnly = 0o600;

/** How a new image comes to be. */
export interface ImageCopy {
  /** A file, of which blocks are shared where the file system can, or an image that is nowhere as a file. */
  readonly from: string | DiskImage;
  readonly to: string;
  readonly patches: readonly Patch[];
  /** Permission bits; without them it is for its owner alone, since it holds keys. */
  readonly mode?: number | undefined;
  /** Whether what was written can be used, read back from the disk. */
  readonly isSound: (image: DiskImage) => Promise<boolean>;
}

/**
 * Writes a copy of an image with patches. The copy has its name only once it was read back; a file of that name is left as it is.
 * Problems: media/output, dir/not-writable.
 */
export async function copyImage({ from, to, patches, mode, isSound }: ImageCopy): Promise<Result<void>> {
  const draft = join(dirname(to), `.${basename(to)}.${process.pid}.new`);
  try {
    if (existsSync(to)) return taken(to);
    if (typeof from === 'string')
      copyFileSync(from, draft, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    else writeWhole(from, draft);
    const fault = await patchAndReadBack(draft, { patches, mode, isSound });
    if (fault !== undefined) return notWritten(to, fault);
    giveName(draft, to);
    syncFolder(dirname(to));
    return success(undefined);
  } catch (error) {
    return existsSync(to) ? taken(to) : notWritten(to, reasonOf(error));
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeWhole(image: DiskImage, path: string): void {
  const file = openSync(path, 'wx', ownerOnly);
  try {
    for (const piece of piecesOf(image)) writeAt(file, piece);
    if (fstatSync(file).size !== image.bytes) throw new Error('the image ended early');
  } finally {
    closeSync(file);
  }
}

/** At an offset, or where the last bytes ended. */
function writeAt(file: number, bytes: Buffer, offset?: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, offset === undefined ? null : offset + done);
}

/** Unlike a rename, a link takes nobody's place; file systems of memory sticks have none. */
function giveName(draft: string, to: string): void {
  try {
    linkSync(draft, to);
  } catch (error) {
    const hasNoLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemErrorCode(error) ?? '');
    if (!hasNoLinks || existsSync(to)) throw error;
    renameSync(draft, to);
  }
}

function taken(path: string): Result<never> {
  const hint = 'name another file, or delete this one';
  return failure(problem('media/output', `${path} is there already and is left as it is`, { hint }));
}

/** Patches an image where it lies. Problems: dir/not-writable. */
export async function patchImage(
  path: string,
  patches: readonly Patch[],
  isSound: ImageCopy['isSound'],
): Promise<Result<void>> {
  try {
    const fault = await patchAndReadBack(path, { patches, isSound });
    return fault === undefined ? success(undefined) : notWritten(path, fault);
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
    fchmodSync(file, mode);
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
