import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { sharesBlocks } from './copy-image.js';
import { draftPath } from './image-drafts.js';

/** Copies of images that will be written below a folder. */
export interface ImageCopies {
  readonly copies: number;
  readonly bytes: number;
  /** Bytes that are needed if the copies share the blocks of one image. */
  readonly sharedBytes: number;
  /** Whether the file system shares blocks. */
  readonly sharesBlocks: () => boolean;
}

/** Reports copies that do not fit into the file system of a folder. Problems: dir/not-writable. */
export function imageSpaceFaults(
  folder: string,
  groups: readonly ImageCopies[],
  free = freeBytes(folder),
): readonly Problem[] {
  const all = sumOf(groups.map(({ bytes }) => bytes));
  if (free >= all) return [];
  const needed = sumOf(groups.map((each) => (each.sharesBlocks() ? each.sharedBytes : each.bytes)));
  if (free >= needed) return [];
  const copies = sumOf(groups.map((each) => each.copies));
  const message = `writing ISOs (${copies}) needs ${Math.ceil(needed / mebibyte)} MiB, but the file system of ${folder} has only ${Math.floor(free / mebibyte)} MiB free`;
  const hint =
    'free disk space, select fewer sites with --only, or use a file system with reflinks (XFS, Btrfs), where the copies share their blocks';
  return [problem('dir/not-writable', message, { hint })];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether a copy of a file in a folder shares the blocks of the file. */
export function canShareBlocks(file: string, folder: string): boolean {
  const draft = draftPath(join(folder, 'image'));
  try {
    return sharesBlocks(file, draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

const mebibyte = 1024 ** 2;
