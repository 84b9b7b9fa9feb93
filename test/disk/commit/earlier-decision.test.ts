import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import type { ProblemCode } from '../../../src/core/problem.js';
import { failure, success } from '../../../src/core/result.js';
import { recover } from '../../../src/disk/commit.js';
import { scratchFolder } from '../../support/scratch.js';

const pending = '.sno-install-pending';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
  writeFileSync(join(dir, 'a'), 'old a');
  writeFileSync(join(dir, 'gone'), 'old');
});

/** The files of the directory by their paths, and what they say. */
function files(): object {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted();
  const isFile = (path: string): boolean => statSync(join(dir, path)).isFile();
  return Object.fromEntries(
    paths.filter(isFile).map((path) => [path, readFileSync(join(dir, path), 'utf8')]),
  );
}

const untouched = { a: 'old a', gone: 'old' };

function problem(code: ProblemCode, message: string, details: object): object {
  return failure({ code, severity: 'error', message, ...details });
}

const completedFirst =
  'mend that and run the command again: it puts the missing files in place before anything else';

const blocked = (reason: string, details: object = {}): object =>
  problem('dir/unfinished', `what an earlier run decided to write is not all in place yet: ${reason}`, {
    hint: completedFirst,
    ...details,
  });

describe('a decision of an earlier run', () => {
  /** What it decided, of which `staged` waits. */
  function decided(steps: readonly object[], staged: readonly string[] = []): void {
    mkdirSync(join(dir, pending), { mode: 0o700 });
    for (const name of staged) writeFileSync(join(dir, pending, name), `staged ${name}`, { mode: 0o600 });
    writeFileSync(join(dir, pending, 'plan.json'), JSON.stringify(steps), { mode: 0o600 });
  }

  it('waits where a place is blocked', () => {
    decided([{ path: 'auth/b', staged: '0' }], ['0']);
    writeFileSync(join(dir, 'auth'), '');
    const at = { file: 'auth/b' };
    expect(recover(dir)).toEqual(blocked('cannot write auth/b: auth is a file, not a folder', { at }));
    expect(readdirSync(join(dir, pending)).toSorted()).toEqual(['0', 'plan.json']);
    rmSync(join(dir, 'auth'));
    expect(recover(dir)).toEqual(success(undefined));
    expect(files()).toEqual({ ...untouched, 'auth/b': 'staged 0' });
  });

  it('is not carried out where others can have made it', () => {
    decided([{ path: 'a', staged: '0' }], ['0']);
    chmodSync(join(dir, pending, '0'), 0o666);
    expect(recover(dir)).toMatchObject({ ok: false, problems: [{ code: 'dir/untrusted' }] });
    expect(files()).toMatchObject(untouched);
  });

  it('makes no folder for what is to go', () => {
    decided([{ path: 'new/deep/old' }, { path: 'gone' }]);
    expect(recover(dir)).toEqual(success(undefined));
    expect(readdirSync(dir)).toEqual(['a']);
  });

  it('is written behind a link that leads to another folder of the directory', () => {
    decided([{ path: 'link/b', staged: '0' }, { path: 'link/c' }], ['0']);
    mkdirSync(join(dir, 'real'));
    writeFileSync(join(dir, 'real/c'), '');
    symlinkSync('real', join(dir, 'link'));
    expect(recover(dir)).toEqual(success(undefined));
    expect(files()).toEqual({ ...untouched, 'link/b': 'staged 0', 'real/b': 'staged 0' });
  });

  it('is none where the directory is not there', () => {
    expect(recover(join(dir, 'missing'))).toEqual(blocked('it does not exist'));
    expect(recover(dir)).toEqual(success(undefined));
    expect(files()).toEqual(untouched);
  });
});
