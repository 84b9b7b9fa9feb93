import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import {
  draftFolder,
  makeFolders,
  moveFolder,
  publishFolder,
} from '../../../src/disk/keypool/sole-folder.js';
import { callsAre, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

const at = (name: string): string => join(dir, name);

function lay(name: string): string {
  mkdirSync(at(name));
  writeFileSync(join(at(name), 'file'), name);
  return at(name);
}

describe('a folder that is moved', () => {
  it.each([
    { code: 'ENOTEMPTY', want: 'there' },
    { code: 'EEXIST', want: 'there' },
    { code: 'ENOENT', want: 'gone' },
  ])('is $want where the system says $code', ({ code, want }) => {
    callsAre(() => ({ renameSync: failing(code) }));
    expect(moveFolder(lay('a'), at('b'))).toBe(want);
  });

  it('finds its name taken where the system refuses each folder that is there', () => {
    lay('b');
    callsAre(() => ({ renameSync: failing('EPERM') }));
    expect(moveFolder(lay('a'), at('b'))).toBe('there');
    expect(() => moveFolder(at('a'), at('c'))).toThrow('EPERM');
  });

  it('is not taken for gone where it cannot be moved', () => {
    lay('b');
    callsAre(() => ({ renameSync: failing('EACCES') }));
    expect(() => moveFolder(lay('a'), at('b'))).toThrow('EACCES');
  });

  it('takes the place of an empty folder', () => {
    mkdirSync(at('b'));
    expect(moveFolder(lay('a'), at('b'))).toBe('moved');
    expect(readFileSync(at('b/file'), 'utf8')).toBe('a');
  });
});

describe('a draft', () => {
  it('has one file in a folder of its own, for its owner alone', () => {
    const drafts = at('pool/drafts');
    const made = [draftFolder(drafts, 'x.age', 'one'), draftFolder(drafts, 'x.age', Buffer.from('two'))];
    expect(made.map((draft) => [dirname(draft), readdirSync(draft)])).toEqual([
      [drafts, ['x.age']],
      [drafts, ['x.age']],
    ]);
    expect(made.map((draft) => readFileSync(join(draft, 'x.age'), 'utf8'))).toEqual(['one', 'two']);
    const [first = ''] = made;
    expect([drafts, first, join(first, 'x.age')].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
  });

  it('is published under a name that has nothing', () => {
    const draft = draftFolder(at('drafts'), 'x.age', 'one');
    expect(publishFolder(draft, at('given/deep/kit'))).toBe(true);
    expect(readFileSync(at('given/deep/kit/x.age'), 'utf8')).toBe('one');
    expect([modeOf(at('given')), modeOf(at('given/deep')), existsSync(draft)]).toEqual([0o700, 0o700, false]);
  });

  it('is taken away where its name is taken', () => {
    lay('kit');
    const draft = draftFolder(at('drafts'), 'x.age', 'one');
    expect(publishFolder(draft, at('kit'))).toBe(false);
    expect([readdirSync(at('kit')), readdirSync(at('drafts'))]).toEqual([['file'], []]);
  });

  it('that another run has taken away is not published', () => {
    expect(publishFolder(at('drafts/gone'), at('kit'))).toBe(false);
    expect(existsSync(at('kit'))).toBe(false);
  });
});

it('folders that are there stay as they are', () => {
  lay('a');
  makeFolders(at('a'));
  makeFolders(at('a/b/c'));
  expect(readdirSync(at('a')).toSorted()).toEqual(['b', 'file']);
});
