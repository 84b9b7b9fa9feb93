import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

import { beforeEach, describe, expect, it, test, vi } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { createRecordFolder } from '../../src/disk/record-file.js';
import { whyOutside } from '../../src/disk/read-policy.js';
import { readBelow } from '../../src/disk/regular-file.js';
import { uncachedInputs } from '../../src/disk/read-inputs.js';
import { scratchFolder } from '../support/scratch.js';

const isRoot = process.geteuid?.() === 0;
const linkOut = 'it is behind a symbolic link to a place outside the directory and its Git repository';

let top = '';
beforeEach(() => {
  top = scratchFolder();
  // Files in /tmp are in no repository.
  for (const path of ['repo/site/own', 'repo/classes/a/shared', 'outside/secret']) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), path, { mode: 0o600 });
  }
  symlinkSync('own', join(top, 'repo/site/to-own'));
  symlinkSync('../classes/a', join(top, 'repo/site/to-classes'));
  symlinkSync('../../outside/secret', join(top, 'repo/site/to-secret'));
  symlinkSync(join(top, 'outside'), join(top, 'repo/site/openshift'));
});

/** The text at a path of the site, or why it cannot be read. */
function found(path: string, within?: string): string {
  const inputs = uncachedInputs(join(top, 'repo/site'), undefined, within);
  const [read, digest] = [inputs.read(path), inputs.digest(path)];
  expect(digest.kind).toBe(read.kind);
  if (read.kind === 'file') return Buffer.from(read.bytes).toString('utf8');
  return read.kind === 'absent' ? 'absent' : read.reason;
}

describe('a file of the user', () => {
  it('is read through a link inside the directory', () => {
    expect(found('to-own')).toBe('repo/site/own');
  });

  it.each(['to-secret', 'openshift/secret'])(
    'is not read through a link out of the directory: %s',
    (path) => {
      expect(found(path)).toBe(linkOut);
      mkdirSync(join(top, 'repo/.git'));
      expect(found(path)).toBe(linkOut);
    },
  );

  it('is read through a link to another folder of the repository', () => {
    expect(found('to-classes/shared')).toBe(linkOut);
    mkdirSync(join(top, 'repo/.git'));
    expect(found('to-classes/shared')).toBe('repo/classes/a/shared');
  });

  it('is read through a link to another folder of a fleet', () => {
    expect(found('to-classes/shared', join(top, 'repo'))).toBe('repo/classes/a/shared');
  });

  it.each(['../../outside/secret', '../classes/a/shared'])(
    'is read by a path out of the directory: %s',
    (path) => {
      expect(found(path)).toBe(path.replace(/^[./]+/, '').replace('classes', 'repo/classes'));
    },
  );
});

describe('a folder of another user', () => {
  const owner = 4711;
  beforeEach(({ skip }) => {
    if (!isRoot) skip('only root works in the folders of others');
    vi.stubEnv('SUDO_UID', undefined);
    mkdirSync(join(top, 'repo/.git'));
    for (const path of ['repo', 'repo/site', 'repo/site/own', 'repo/classes/a/shared'])
      chownSync(join(top, path), owner, owner);
  });

  const message = `it is outside the directory, and the owner of the directory (user ${owner}) cannot read it`;

  test('can read its own files, and those of its owner in the repository', () => {
    expect([found('to-own'), found('to-classes/shared')]).toEqual(['repo/site/own', 'repo/classes/a/shared']);
    chownSync(join(top, 'repo/classes/a/shared'), 0, 0);
    expect(found('to-classes/shared')).toBe(linkOut);
  });

  test('can read files by path that its owner can read', () => {
    expect(found('../../outside/secret')).toBe(message);
    chmodSync(join(top, 'outside/secret'), 0o644);
    chmodSync(join(top, 'outside'), 0o700);
    expect(found('../../outside/secret')).toBe(message);
    chownSync(join(top, 'outside/secret'), owner, owner);
    expect(found('../../outside/secret')).toBe('outside/secret');
  });

  test('is accepted if its owner ran sudo', () => {
    vi.stubEnv('SUDO_UID', String(owner));
    expect(found('../../outside/secret')).toBe('outside/secret');
  });
});

describe('a folder to write to', () => {
  const outside = (path: string): string | undefined =>
    whyOutside(join(top, 'repo/site', path), join(top, 'repo/site'));

  test('is below the directory, existing or new, also through links', () => {
    mkdirSync(join(top, 'repo/site/new/a'), { recursive: true });
    symlinkSync('new', join(top, 'repo/site/to-new'));
    for (const path of ['.', 'new', 'out/north-1', 'to-new/a', 'to-new/b'])
      expect([path, outside(path)]).toEqual([path, undefined]);
  });

  test.each(['openshift', 'openshift/new/below', 'to-classes'])(
    'is rejected behind a link out of the directory: %s',
    (path) => {
      expect(outside(path)).toBe(linkOut);
      const made = createRecordFolder(join(top, 'repo/site', path), join(top, 'repo/site'));
      expect(problemsOf(made)).toMatchObject([{ code: 'dir/not-writable' }]);
    },
  );

  test('may be another folder only in a repository of the caller', ({ skip }) => {
    mkdirSync(join(top, 'repo/.git'));
    expect([outside('to-classes'), outside('openshift')]).toEqual([undefined, linkOut]);
    if (!isRoot) skip('only root gives a folder away');
    vi.stubEnv('SUDO_UID', undefined);
    chownSync(join(top, 'repo'), 4711, 4711);
    expect(outside('to-classes')).toBe(linkOut);
  });
});

test('does not read a file of the program through a link out of its folder', () => {
  const dir = join(top, 'repo/site');
  expect(readBelow(dir, 'to-own')).toMatchObject({ kind: 'file' });
  expect(readBelow(dir, 'to-secret')).toEqual({
    kind: 'unreadable',
    reason: 'it is behind a symbolic link to a place outside its folder',
  });
});
