import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { sharesBlocks } from './copy-image.js';
import { draftPath } from './image-drafts.js';

/** Copies of an image that will be written below a folder. */
export interface ImageCopies {
  /** File of the image. */
  readonly file: string;
  readonly bytes: number;
  readonly copies: number;
}

/**
 * Reports copies that do not fit into the file system of a folder. A file system that shares blocks between copies needs no space for
 * them. Problems: dir/not-writable.
 */
export function imageSpaceFaults(
  folder: string,
  { file, bytes, copies }: ImageCopies,
  free = freeBytes(folder),
): readonly Problem[] {
  const needed = bytes * copies;
  if (free >= needed || canShareBlocks(file, folder)) return [];
  const message = `writing ISOs (${copies}) needs ${Math.ceil(needed / mebibyte)} MiB, but the file system of ${folder} has only ${Math.floor(free / mebibyte)} MiB free`;
  const hint =
    'free disk space, select fewer sites with --only, or use a file system with reflinks (XFS, Btrfs), where the copies share their blocks';
  return [problem('dir/not-writable', message, { hint })];
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function canShareBlocks(file: string, folder: string): boolean {
  const draft = draftPath(join(folder, 'image'));
  try {
    return sharesBlocks(file, draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

const mebibyte = 1024 ** 2;
