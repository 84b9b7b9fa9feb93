import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { replaceFsCalls, failing, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import {
  after,
  before,
  copied,
  digests,
  doneCalls,
  alreadyExists,
  soundly,
  textsIn,
} from './copied-image.js';

let [folder, to] = ['', ''];
beforeEach(() => {
  folder = scratchFolder();
  to = join(folder, 'site.iso');
});

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

describe('if the name of a copy exists', () => {
  it('an equal file is kept and synced', async () => {
    writeFileSync(to, after, { mode: 0o640 });
    const done = doneCalls(to);
    expect(await copied(to)).toEqual(success(digests));
    expect(done.filter((call) => !call.includes('image'))).toEqual([
      'open folder r',
      'sync folder',
      'close folder',
    ]);
    expect([textsIn(folder), modeOf(to)]).toEqual([{ 'site.iso': after }, 0o640]);
  });

  it.each([before, '', `${after} and more`])('another file is kept: %j', async (theirs) => {
    writeFileSync(to, theirs);
    expect(await copied(to)).toEqual(alreadyExists(to));
    expect(textsIn(folder)).toEqual({ 'site.iso': theirs });
  });

  it('a folder is kept', async () => {
    mkdirSync(to);
    expect(await copied(to)).toEqual(alreadyExists(to, 'a folder'));
    expect(readdirSync(folder)).toEqual(['site.iso']);
  });

  it.each([
    { name: 'the same', theirs: after, want: (): object => success(digests) },
    { name: 'another', theirs: before, want: alreadyExists },
  ])('compares the file of a concurrent run: $name', async ({ theirs, want }) => {
    const isSound = (): Promise<boolean> => {
      writeFileSync(to, theirs);
      return soundly();
    };
    expect(await copied(to, { isSound })).toEqual(want(to));
    expect(textsIn(folder)).toEqual({ 'site.iso': theirs });
  });

  it('the file is kept if the copy fails', async () => {
    const isSound = (): Promise<boolean> => {
      writeFileSync(to, after);
      return Promise.reject(systemError('EIO'));
    };
    expect(await copied(to, { isSound })).toEqual(alreadyExists(to));
    expect(textsIn(folder)).toEqual({ 'site.iso': after });
  });

  it('succeeds if the name becomes free before the comparison', async () => {
    replaceFsCalls(() => ({ linkSync: failing('EEXIST') }));
    expect(await copied(to)).toEqual(alreadyExists(to));
    expect(textsIn(folder)).toEqual({});
  });
});
