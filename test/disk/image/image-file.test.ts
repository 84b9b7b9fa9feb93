import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { unreadableFailure } from '../../support/unreadable-file.js';
import { alreadyExists } from './copied-image.js';
import { problemsOf, success } from '../../../src/core/result.js';
import { draftPath } from '../../../src/disk/image/image-drafts.js';
import {
  needsWriting,
  openImage,
  checkImagePath,
  existingImageProblem,
} from '../../../src/disk/image/image-file.js';
import { kernelId, ownIdentity } from '../../../src/disk/lock/kernel.js';
import { imageInMemory, type DiskImage } from '../../../src/formats/disk-image.js';
import { replaceFsCalls, failing, trackOpenFiles } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';

let path = '';
beforeEach(() => {
  path = join(scratchFolder(), 'live.iso');
});

describe('an image named on the command line', () => {
  const opened = (): DiskImage => expectOk(openImage('--iso', path)).image;

  it('is read at any offset, but not beyond its end', () => {
    writeFileSync(path, '0123456789');
    const image = opened();
    expect(image.bytes).toBe(10);
    const places = [
      [0, 10],
      [3, 4],
      [9, 1],
      [10, 0],
      [0, 0],
      [9, 2],
      [11, 0],
      [-1, 2],
      [5, -1],
    ] as const;
    const read = places.map(([offset, length]) => image.read(offset, length)?.toString());
    expect(read).toEqual(['0123456789', '3456', '9', '', '', ...Array<undefined>(4)]);
  });

  it('is read completely with short reads', () => {
    writeFileSync(path, '0123456789');
    const image = opened();
    replaceFsCalls(({ readSync }) => ({
      readSync: ((file: number, into: Buffer, offset: number, length: number, position: number) =>
        readSync(file, into, offset, Math.min(3, length), position)) as typeof readSync,
    }));
    expect(image.read(1, 8)?.toString()).toBe('12345678');
  });

  it('is empty after its truncation', () => {
    writeFileSync(path, '0123456789');
    const image = opened();
    truncateSync(path, 5);
    expect([image.read(0, 5)?.toString(), image.read(0, 6), image.read(5, 1)]).toEqual([
      '01234',
      undefined,
      undefined,
    ]);
  });

  it('keeps its first size if it grows', () => {
    writeFileSync(path, '01234');
    const image = opened();
    writeFileSync(path, '0123456789');
    expect([image.bytes, image.read(0, 5)?.toString(), image.read(3, 4)]).toEqual([5, '01234', undefined]);
  });

  it('is open until it is closed', () => {
    writeFileSync(path, '');
    const open = trackOpenFiles();
    const { close } = expectOk(openImage('--iso', path));
    expect(open.size).toBe(1);
    close();
    expect(open.size).toBe(0);
  });

  const unreadable = (reason: string): object => unreadableFailure('--iso', path, reason);

  it('reports read errors with its option', () => {
    const hint = 'download the live ISO with `sno-install media download --release 4.21 --out FILE`';
    const absent = unreadableFailure('--iso', path, 'it does not exist');
    expect(openImage('--iso', path)).toEqual({
      ...absent,
      problems: absent.problems.map((each) => ({ ...each, hint })),
    });
    expect(problemsOf(openImage('--iso', path, '4.18'))).toMatchObject([
      { hint: hint.replace('4.21', '4.18') },
    ]);
    writeFileSync(path, '');
    replaceFsCalls(() => ({ openSync: failing('EACCES') }));
    expect(openImage('--iso', path)).toEqual(unreadable('permission denied'));
  });

  it('must be a file; other types are not opened', () => {
    mkdirSync(path);
    replaceFsCalls(() => ({ openSync: failing('EIO') }));
    expect(openImage('--iso', path)).toEqual(unreadable('it is not a regular file'));
  });
});

describe('a path for an image', () => {
  /** Writes the draft of a killed run: its process had the ID of this one and started earlier. */
  function layDraft(): string {
    const name = basename(draftPath(path)).replace(`-${ownIdentity().started}.new`, '-1.new');
    expect(name).toContain(kernelId());
    writeFileSync(join(dirname(path), name), '');
    return join(dirname(path), name);
  }

  it('is free if no file has the name', () => {
    const draft = layDraft();
    expect(checkImagePath(path, { overwrite: false })).toEqual(success(path));
    expect(existsSync(draft)).toBe(true);
  });

  it('keeps an existing file, and removes temporary files of killed runs', () => {
    const draft = layDraft();
    writeFileSync(path, 'theirs');
    expect(checkImagePath(path, { overwrite: false })).toEqual(alreadyExists(path));
    expect([existsSync(draft), readFileSync(path, 'utf8')]).toEqual([false, 'theirs']);
  });

  it('with overwrite, replaces a regular file, but not a link or a folder', () => {
    writeFileSync(path, 'theirs');
    expect(checkImagePath(path, { overwrite: true })).toEqual(success(path));
    symlinkSync(path, `${path}.link`);
    symlinkSync('missing', `${path}.dangling`);
    for (const [other, kind] of [
      [`${path}.link`, 'a symbolic link'],
      [`${path}.dangling`, 'a symbolic link'],
      [dirname(path), 'a folder'],
    ] as const)
      expect(checkImagePath(other, { overwrite: true })).toEqual(alreadyExists(other, kind));
  });

  it('reports an existing file with a hint', () => {
    expect(existingImageProblem('/images/x.iso')).toEqual(alreadyExists('/images/x.iso'));
  });
});

describe('an image is written', () => {
  const image = imageInMemory(Buffer.from('an image'));

  it('if it does not exist', () => {
    expect(needsWriting(path, image)).toEqual(success(true));
  });

  it('and not if an equal file exists', () => {
    writeFileSync(path, 'an image');
    const open = trackOpenFiles();
    expect(needsWriting(path, image)).toEqual(success(false));
    expect(open.size).toBe(0);
  });

  it('and not over another file', () => {
    writeFileSync(path, 'An image');
    const open = trackOpenFiles();
    expect(needsWriting(path, image)).toEqual(alreadyExists(path));
    expect(open.size).toBe(0);
  });

  it('and does not replace other file types', () => {
    mkdirSync(path);
    expect(needsWriting(path, image)).toEqual(alreadyExists(path, 'a folder'));
  });
});
