import { closeSync, constants, lstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { piecesOf, type DiskImage } from '../../formats/disk-image.js';
import { defaultMinorRelease } from '../../release/releases.js';
import { unopened } from '../regular-file.js';
import { unreadableFile } from '../named-file.js';
import { removeStaleDrafts } from './image-drafts.js';

/** An image opened for reading; the caller closes it. */
export interface OpenImage {
  readonly image: DiskImage;
  readonly close: () => void;
}

/** How to get the live ISO of a release that an option names. */
export function downloadHint(release = defaultMinorRelease): string {
  return `download the live ISO with \`sno-install media download --release ${release} --out FILE\``;
}

/** `release` is that of the live ISO, for the hint of a missing one. Problems: usage/unreadable-file. */
export function openImage(option: string, path: string, release?: string): Result<OpenImage> {
  try {
    if (!statSync(path).isFile()) return unreadableFile(option, path, 'it is not a regular file');
    // Without O_NONBLOCK, a FIFO that took the place of the file blocks (open(2)).
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return success({
      image: { ...imageFromFile(file, statSync(path).size), path },
      close: () => {
        closeSync(file);
      },
    });
  } catch (error) {
    const unread = unopened(path, error);
    return unread.kind === 'absent' && option === '--iso'
      ? unreadableFile(option, path, 'it does not exist', downloadHint(release))
      : unreadableFile(option, path, unread.kind === 'absent' ? 'it does not exist' : unread.reason);
  }
}

/** The image in an open file of `bytes` bytes. */
export function imageFromFile(file: number, bytes: number): DiskImage {
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

/**
 * Checks whether an image can be written to a path, as far as this is known in advance. If not, still removes drafts of killed runs.
 * With `overwrite`, a regular file may be replaced. Problems: media/output.
 */
export function checkImagePath(path: string, { overwrite }: Overwrite): Result<string> {
  const there = entryAt(path);
  if (there === undefined) return success(path);
  removeStaleDrafts(path);
  return overwrite && there.isFile() ? success(path) : existingImageProblem(path);
}

export interface Overwrite {
  readonly overwrite: boolean;
}

/**
 * Whether an image must still be written to a path: false if the file there has the same bytes. Problems: media/output for any
 * other file that may not be replaced.
 */
export function needsWriting(
  path: string,
  image: DiskImage,
  { overwrite }: Overwrite = { overwrite: false },
): Result<boolean> {
  const there = entryAt(path);
  if (there === undefined) return success(true);
  const opened = openImage('the file', path);
  if (!opened.ok) return existingImageProblem(path);
  const isSame = isSameImage(opened.value.image, image);
  opened.value.close();
  if (isSame) return success(false);
  return overwrite && there.isFile() ? success(true) : existingImageProblem(path);
}

/** The entry at a path, links not followed; undefined if there is none. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A component of the path is not a folder; writing reports it.
    return undefined;
  }
}

/** Whether two paths lead to one file. */
export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
}

/** Compares the bytes of two images. */
export function isSameImage(one: DiskImage, other: DiskImage): boolean {
  if (one.bytes !== other.bytes) return false;
  const pieces = piecesOf(other);
  let same = 0;
  for (const piece of piecesOf(one)) {
    const { value } = pieces.next();
    if (value?.equals(piece) !== true) return false;
    same += piece.length;
  }
  // An image that ends early yields no more pieces.
  return same === one.bytes;
}

/** The problem for a path that has another file, or something that is never replaced. */
export function existingImageProblem(path: string): Result<never> {
  const there = entryAt(path);
  if (there === undefined || there.isFile()) {
    const hint = 'use another path, or replace the file with --overwrite';
    return failure(problem('media/output', `${path} already exists`, { hint }));
  }
  const kind = there.isDirectory()
    ? 'a folder'
    : there.isSymbolicLink()
      ? 'a symbolic link'
      : 'not a regular file';
  const hint = 'use another path, or move it away';
  return failure(problem('media/output', `${path} already exists and is ${kind}`, { hint }));
}
