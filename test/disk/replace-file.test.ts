import {
  fstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { isSameOrBelow, replaceFile } from '../../src/disk/replace-file.js';
import { failure, success } from '../../src/core/result.js';
import { replaceFsCalls, failing } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

test('replaces a file atomically with mode 0600, also through a link', () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'real'));
  writeFileSync(join(dir, 'real/out'), 'older', { mode: 0o666 });
  writeFileSync(join(dir, 'real/.out.new'), 'left by a run that was killed', { mode: 0o666 });
  symlinkSync('real/out', join(dir, 'link'));

  expect(replaceFile(join(dir, 'link'), 'newer', { followsLink: true })).toMatchObject({ ok: true });

  expect(readFileSync(join(dir, 'real/out'), 'utf8')).toBe('newer');
  expect(statSync(join(dir, 'real/out')).mode & 0o7777).toBe(0o600);
  expect([readdirSync(dir), readdirSync(join(dir, 'real'))]).toEqual([['link', 'real'], ['out']]);
});

test('replaces a link, not its target, unless the user named it', () => {
  const [dir, victim] = [scratchFolder(), join(scratchFolder(), 'victim')];
  writeFileSync(victim, 'precious');
  symlinkSync(victim, join(dir, 'wait.json'));

  expect(replaceFile(join(dir, 'wait.json'), 'text')).toEqual(success(undefined));

  expect([readFileSync(victim, 'utf8'), readFileSync(join(dir, 'wait.json'), 'utf8')]).toEqual([
    'precious',
    'text',
  ]);
});

test.each([
  {
    name: 'a folder in the place of the draft',
    path: 'wait.json',
    draft: '.wait.json.new',
    says: 'is in the place of its draft',
  },
  { name: 'a name that is too long', path: 'a'.repeat(300), says: 'name' },
])('reports $name', ({ path, draft, says }) => {
  const dir = scratchFolder();
  if (draft !== undefined) mkdirSync(join(dir, draft));
  const written = replaceFile(join(dir, path), 'text');
  expect(written.ok).toBe(false);
  expect(!written.ok && written.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringMatching(new RegExp(`^dir/not-writable: .*${says}`)),
  ]);
});

test('keeps the existing file after a write error, without a draft', () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'out/full'), { recursive: true });
  expect(replaceFile(join(dir, 'out'), 'text')).toEqual(
    notWritable(join(dir, 'out'), 'it is not a regular file'),
  );
  expect(readdirSync(dir)).toEqual(['out']);
});

test('resolves links when it compares paths', () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'real/tls'), { recursive: true });
  symlinkSync('real', join(dir, 'link'));
  expect(isSameOrBelow(join(dir, 'link/tls/none/new'), join(dir, 'real/tls'))).toBe(true);
  expect(isSameOrBelow(join(dir, 'real/tls'), join(dir, 'link/tls'))).toBe(true);
  expect(isSameOrBelow(join(dir, 'real/tls-other'), join(dir, 'real/tls'))).toBe(false);
});

describe('a file', () => {
  it('is created with the given mode', () => {
    const path = join(scratchFolder(), 'out');
    expect(replaceFile(path, 'text', { mode: 0o644 })).toEqual(success(undefined));
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o7777]).toEqual(['text', 0o644]);
  });

  it('is not written in the place of a broken link', () => {
    const dir = scratchFolder();
    symlinkSync('none', join(dir, 'link'));
    for (const followsLink of [false, true])
      expect(replaceFile(join(dir, 'link'), 'text', { followsLink })).toMatchObject({
        ok: false,
        problems: [{ code: 'dir/not-writable', hint: 'remove the link' }],
      });
    expect(readdirSync(dir)).toEqual(['link']);
  });

  it('is synced before its rename, and its folder afterwards', () => {
    const done: string[] = [];
    replaceFsCalls(({ fsyncSync, renameSync }) => ({
      fsyncSync: (file) => {
        done.push(fstatSync(file).isDirectory() ? 'sync folder' : 'sync file');
        fsyncSync(file);
      },
      renameSync: (from, to) => {
        done.push('name');
        renameSync(from, to);
      },
    }));
    replaceFile(join(scratchFolder(), 'out'), 'text');
    expect(done).toEqual(['sync file', 'name', 'sync folder']);
  });

  it.each([
    ['writeSync', 'ENOSPC', 'the disk is full'],
    ['renameSync', 'EIO', 'input/output error'],
  ])('is kept if the new one is incomplete: %s, %s', (call, code, reason) => {
    const dir = scratchFolder();
    const path = join(dir, 'out');
    writeFileSync(path, 'older');
    replaceFsCalls(() => ({ [call]: failing(code) }));
    expect(replaceFile(path, 'newer')).toEqual(notWritable(path, reason));
    expect([readdirSync(dir), readFileSync(path, 'utf8')]).toEqual([['out'], 'older']);
  });

  it('needs a folder', () => {
    const path = join(scratchFolder(), 'missing/out');
    expect(replaceFile(path, 'text')).toEqual(notWritable(path, 'it does not exist'));
  });
});

test('resolves a path that does not exist', () => {
  const dir = scratchFolder();
  expect(isSameOrBelow(join(dir, 'a'), join(dir, 'a/b'))).toBe(false);
  expect(isSameOrBelow(join(dir, 'none'), join(dir, 'none'))).toBe(true);
  expect(isSameOrBelow('none', '.')).toBe(true);
});

function notWritable(path: string, reason: string): object {
  const hint = 'free disk space or grant write permission, and run the command again';
  const message = `cannot write ${path}: ${reason}`;
  return failure({ code: 'dir/not-writable', severity: 'error', message, hint });
}
