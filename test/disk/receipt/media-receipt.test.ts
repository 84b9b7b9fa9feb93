import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import {
  removeMediaReceipt,
  isMediaReceiptMissing,
  pathBelow,
  mediaReceiptPath,
} from '../../../src/disk/receipt/media-receipt.js';
import { serializeReceipt } from '../../../src/disk/receipt/receipt.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { soundMediumReceipt } from '../../support/sound-receipt.js';

const receipt = serializeReceipt(soundMediumReceipt);

let [folder, place] = ['', ''];
beforeEach(() => {
  folder = scratchFolder();
  place = join(folder, 'site.iso.receipt.json');
});

function refused(message: string): object {
  const hint = 'name another path with --out';
  return failure({ code: 'media/output', severity: 'error', message, hint });
}

describe('the receipt of an image', () => {
  it.each([
    ['out/site.iso', 'out/site.iso.receipt.json'],
    ['out/pxe/', 'out/pxe.receipt.json'],
    ['/images/./site.iso', '/images/site.iso.receipt.json'],
    ['.', `${resolve('.')}.receipt.json`],
    ['..', `${resolve('..')}.receipt.json`],
    ['out/..', `${resolve('.')}.receipt.json`],
  ])('for %s is next to it, at %s', (medium, want) => {
    expect(mediaReceiptPath(medium)).toEqual(success(want));
  });

  it.each(['out/a\\b.iso', 'a\tb.iso', '/'])('for %j is rejected, since the name is invalid', (medium) => {
    const message = 'the file name contains a character that is not allowed in a receipt';
    expect(mediaReceiptPath(medium)).toEqual(refused(message));
  });

  it('replaces another receipt', () => {
    writeFileSync(place, receipt);
    expect(mediaReceiptPath(join(folder, 'site.iso'))).toEqual(success(place));
  });

  it.each([
    {
      name: 'a file',
      lay: () => {
        writeFileSync(place, '{}');
      },
    },
    {
      name: 'a folder',
      lay: () => {
        mkdirSync(place);
      },
    },
    {
      name: 'a link to a receipt',
      lay: () => {
        writeFileSync(join(folder, 'receipt.json'), receipt);
        symlinkSync('receipt.json', place);
      },
    },
    {
      name: 'a broken link',
      lay: () => {
        symlinkSync('nothing', place);
      },
    },
  ])('does not replace $name', ({ lay }) => {
    lay();
    const message = `${place} already exists and is not a receipt; it was not changed`;
    expect(mediaReceiptPath(join(folder, 'site.iso'))).toEqual(refused(message));
  });

  it('is missing if the path does not exist', () => {
    const medium = join(folder, 'site.iso');
    expect([isMediaReceiptMissing(medium), isMediaReceiptMissing(folder)]).toEqual([true, true]);
    symlinkSync('nothing', place);
    expect(isMediaReceiptMissing(medium)).toBe(false);
  });
});

describe('the path of an image in a receipt', () => {
  it.each([
    { path: '.', want: '' },
    { path: 'a/b', want: 'a/b' },
    { path: 'a/../a', want: 'a' },
    { path: 'to-a/b', want: 'a/b' },
    { path: '..c', want: '..c' },
    { path: 'out', want: undefined },
    { path: '..', want: undefined },
    { path: 'd\\e', want: undefined },
  ])('is $want for $path', ({ path, want }) => {
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    for (const name of ['..c', 'd\\e']) writeFileSync(join(folder, name), '');
    symlinkSync('a', join(folder, 'to-a'));
    symlinkSync(dirname(folder), join(folder, 'out'));
    expect(pathBelow(folder, join(folder, path))).toBe(want);
    expect(pathBelow(join(folder, 'out', basename(folder)), join(folder, path))).toBe(want);
  });
});

describe('the receipt of a deleted image', () => {
  const forgotten = () => removeMediaReceipt(join(folder, 'site.iso'), place, { overwrite: false });

  it('is removed, or does not exist', () => {
    expect(forgotten()).toEqual(success(undefined));
    writeFileSync(place, receipt);
    expect(forgotten()).toEqual(success(undefined));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['a file', 'a link to nothing'])('is kept if the image exists, %s', (kind) => {
    writeFileSync(place, receipt);
    if (kind === 'a file') writeFileSync(join(folder, 'site.iso'), '');
    else symlinkSync('nothing', join(folder, 'site.iso'));
    expect(forgotten()).toEqual(success(undefined));
    expect(readFileSync(place, 'utf8')).toBe(receipt);
  });

  it('reports removal errors', () => {
    writeFileSync(place, receipt);
    replaceFsCalls(() => ({ rmSync: failing('EROFS') }));
    const message = `cannot remove ${place}: the file system is read-only`;
    expect(forgotten()).toEqual(failure({ code: 'dir/not-writable', severity: 'error', message }));
  });
});
