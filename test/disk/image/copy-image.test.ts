import { chmodSync, constants, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { patchImage } from '../../../src/disk/image/copy-image.js';
import { draftPath } from '../../../src/disk/image/image-drafts.js';
import { ownIdentity } from '../../../src/disk/lock/kernel.js';
import { type DiskImage } from '../../../src/formats/disk-image.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { underUmask } from '../../support/under-umask.js';
import {
  after,
  before,
  copied,
  digests,
  doneCalls,
  from,
  notWritten,
  patches,
  soundly,
  textsIn,
} from './copied-image.js';

let [folder, to] = ['', ''];
beforeEach(() => {
  folder = scratchFolder();
  to = join(folder, 'site.iso');
});

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('a copy of an image', () => {
  it('contains its patches, and returns the digests of both', async () => {
    expect(await copied(to)).toEqual(success(digests));
    expect(textsIn(folder)).toEqual({ 'site.iso': after });
  });

  it('has mode 0600 or the given mode, with any umask', async () => {
    await copied(to);
    expect(modeOf(to)).toBe(0o600);
    const other = join(folder, 'rootfs.img');
    let isDone: ReturnType<typeof copied> | undefined;
    underUmask(0o077, () => {
      isDone = copied(other, { mode: 0o644 });
    });
    await isDone;
    expect(modeOf(other)).toBe(0o644);
  });

  it('is synced and read back before its rename, also with short writes', async () => {
    const done = doneCalls(to);
    const isSound = (): Promise<boolean> => {
      done.push('read back');
      return soundly();
    };
    expect(await copied(to, { isSound })).toEqual(success(digests));
    const steps = [
      ['open draft wx', 'write 16 at null', 'write 16 at null', 'write 1 at null', 'close draft'],
      ['open draft r+', 'write 4 at 2', 'write 1 at 32', 'sync draft', 'read back', 'close draft'],
      ['name', 'open folder r', 'sync folder', 'close folder'],
    ];
    expect(done).toEqual(steps.flat());
    expect(textsIn(folder)).toEqual({ 'site.iso': after });
  });

  it('contains a long patch at its offset, also with short writes', async () => {
    const bytes = Buffer.from('a patch of more than 16 bytes');
    doneCalls(to);
    await copied(to, { patches: [{ offset: 3, bytes }] });
    expect(textsIn(folder)).toEqual({ 'site.iso': `a l${String(bytes)}d` });
  });

  it('is read back from the disk', async () => {
    const read: (string | undefined)[] = [];
    const isSound = (image: DiskImage): Promise<boolean> => {
      read.push(
        image.read(0, image.bytes)?.toString(),
        ...readdirSync(folder).map((name) => join(folder, name)),
      );
      return soundly();
    };
    await copied(to, { isSound });
    expect(read).toEqual([after, draftPath(to)]);
  });

  it('is removed if it cannot be read back', async () => {
    expect(await copied(to, { isSound: () => Promise.resolve(false) })).toEqual(
      notWritten(to, 'the written file cannot be read back'),
    );
    expect(textsIn(folder)).toEqual({});
  });

  it.each([
    { name: 'the disk is full', calls: { writeSync: failing('ENOSPC') }, reason: 'the disk is full' },
    {
      name: 'the disk reports an error',
      calls: { fsyncSync: failing('EIO') },
      reason: 'input/output error',
    },
  ])('is removed if $name', async ({ calls, reason }) => {
    replaceFsCalls(() => calls);
    expect(await copied(to)).toEqual(notWritten(to, reason));
    expect(textsIn(folder)).toEqual({});
  });

  it('closes all files if the disk is full', async () => {
    const done = doneCalls(to);
    replaceFsCalls(() => ({ writeSync: failing('ENOSPC') }));
    await copied(to);
    expect(done).toEqual(['open draft wx', 'close draft']);
  });

  it('is removed if the image ends early or its folder is missing', async () => {
    const cut = { bytes: from.bytes, read: () => undefined };
    expect(await copied(to, { from: cut })).toEqual(notWritten(to, 'the image ended early'));
    expect(textsIn(folder)).toEqual({});
    to = join(folder, 'missing/site.iso');
    expect(await copied(to)).toEqual(notWritten(to, 'it does not exist'));
  });

  it('removes the temporary file of a killed run', async () => {
    const left = basename(draftPath(to)).replace(`-${ownIdentity().started}.new`, '-1.new');
    writeFileSync(join(folder, left), 'half');
    await copied(to);
    expect(textsIn(folder)).toEqual({ 'site.iso': after });
  });
});

describe('a copy of a file', () => {
  /** Simulates a file system that shares blocks. Checks that the copy requests a reflink only, and never overwrites a file. */
  function blocksAreShared(): void {
    replaceFsCalls(({ copyFileSync }) => ({
      copyFileSync: (file, copy, how) => {
        expect(how).toBe(constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
        copyFileSync(file, copy);
        chmodSync(copy, 0o644);
      },
    }));
  }

  it('shares its blocks if possible, and writes only its patches', async () => {
    const file = join(folder, 'live.iso');
    writeFileSync(file, before);
    blocksAreShared();
    const done = doneCalls(to);
    expect(await copied(to, { file })).toEqual(success({ ...digests, sharesBlocks: true }));
    expect(textsIn(folder)).toEqual({ 'live.iso': before, 'site.iso': after });
    expect(done.slice(0, 3)).toEqual(['open draft r+', 'write 4 at 2', 'write 1 at 32']);
    expect(modeOf(to)).toBe(0o600);
  });

  it('is written completely if blocks cannot be shared', async () => {
    const file = join(folder, 'live.iso');
    writeFileSync(file, 'other');
    replaceFsCalls(() => ({ copyFileSync: failing('EOPNOTSUPP') }));
    expect(await copied(to, { file })).toEqual(success(digests));
    expect(textsIn(folder)).toEqual({ 'live.iso': 'other', 'site.iso': after });
  });

  it('is not opened without a path', async () => {
    replaceFsCalls(() => ({
      copyFileSync: () => {
        throw new Error('it is asked for');
      },
    }));
    const done = doneCalls(to);
    expect(await copied(to)).toEqual(success(digests));
    expect(done[0]).toBe('open draft wx');
  });
});

const patchedInPlace = (isSound = soundly) => patchImage(to, { from, patches, isSound });

describe('an image that is patched in place', () => {
  it('contains its patches, has mode 0600, and returns the digests of both', async () => {
    writeFileSync(to, before, { mode: 0o644 });
    const done = doneCalls(to);
    expect(await patchedInPlace()).toEqual(success(digests));
    expect([textsIn(folder), modeOf(to)]).toEqual([{ 'site.iso': after }, 0o600]);
    expect(done).toEqual(['open image r+', 'write 4 at 2', 'write 1 at 32', 'sync image', 'close image']);
  });

  it('reports read and write errors', async () => {
    expect(await patchedInPlace()).toEqual(notWritten(to, 'it does not exist'));
    writeFileSync(to, before);
    expect(await patchedInPlace(() => Promise.resolve(false))).toEqual(
      notWritten(to, 'the written file cannot be read back'),
    );
    replaceFsCalls(() => ({ writeSync: failing('ENOSPC') }));
    expect(await patchedInPlace()).toEqual(notWritten(to, 'the disk is full'));
  });
});
