import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { failure, type Result } from '../../../src/core/result.js';
import { copyImage, type ImageCopy } from '../../../src/disk/image/copy-image.js';
import type { ImageDigests } from '../../../src/disk/image/image-digests.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { imageInMemory } from '../../../src/formats/disk-image.js';
import { replaceFsCalls } from '../../support/other-system.js';

/** An image before and after the patches. */
export const before = 'a live image, as it is downloaded';
export const after = 'a LIVE image, as it is downloadeD';
export const from = imageInMemory(Buffer.from(before));
export const patches = [
  { offset: 2, bytes: Buffer.from('LIVE') },
  { offset: 32, bytes: Buffer.from('D') },
];
export const digests = { before: sha256(before), after: sha256(after) };

/** A soundness check that always passes. */
export function soundly(): Promise<boolean> {
  return Promise.resolve(true);
}

/** Copies that image with its patches, unless `parts` replaces them. */
export function copied(to: string, parts: Partial<ImageCopy> = {}): Promise<Result<ImageDigests>> {
  return copyImage({ from, to, patches, isSound: soundly, ...parts });
}

export function notWritten(to: string, reason: string): object {
  const message = `cannot write ${to}: ${reason}`;
  const hint = 'free disk space or grant write permission, and run the command again';
  return failure({ code: 'dir/not-writable', severity: 'error', message, hint });
}

/** The refusal of a path; `kind` is set for anything but a file, which is never replaced. */
export function alreadyExists(to: string, kind?: string): object {
  const message = `${to} already exists${kind === undefined ? '' : ` and is ${kind}`}`;
  const hint = `use another path, or ${kind === undefined ? 'replace the file with --overwrite' : 'move it away'}`;
  return failure({ code: 'media/output', severity: 'error', message, hint });
}

/** Contents of the files in a folder, keyed by name. */
export function textsIn(folder: string): object {
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** Records, in order, the file system calls on an image, its draft and their folder until the test ends. Each write is cut to 16 bytes. */
export function doneCalls(to: string): string[] {
  const done: string[] = [];
  const names = new Map<number, string>();
  replaceFsCalls(({ openSync, closeSync, fsyncSync, linkSync, writeSync }) => ({
    openSync: (path, flags, mode) => {
      const file = openSync(path, flags, mode);
      const name = path === dirname(to) ? 'folder' : path === to ? 'image' : 'draft';
      names.set(file, name);
      done.push(`open ${name} ${String(flags)}`);
      return file;
    },
    writeSync: ((file: number, bytes: Buffer, start: number, length: number, place: number | null) => {
      done.push(`write ${Math.min(length, 16)} at ${place}`);
      return writeSync(file, bytes, start, Math.min(length, 16), place);
    }) as typeof writeSync,
    fsyncSync: (file) => {
      done.push(`sync ${names.get(file)}`);
      fsyncSync(file);
    },
    linkSync: (draft, name) => {
      done.push('name');
      linkSync(draft, name);
    },
    closeSync: (file) => {
      done.push(`close ${names.get(file)}`);
      closeSync(file);
    },
  }));
  return done;
}
