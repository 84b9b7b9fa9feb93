import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { liesIn, replaceFile } from '../../src/disk/replace-file.js';
import { scratchFolder } from '../support/scratch.js';

test("a file is replaced whole, also behind a link, and is its owner's alone", () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'real'));
  writeFileSync(join(dir, 'real/out'), 'older', { mode: 0o666 });
  writeFileSync(join(dir, 'real/.out.new'), 'left by a run that was killed', { mode: 0o666 });
  symlinkSync('real/out', join(dir, 'link'));

  expect(replaceFile(join(dir, 'link'), 'newer')).toMatchObject({ ok: true });

  expect(readFileSync(join(dir, 'real/out'), 'utf8')).toBe('newer');
  expect(statSync(join(dir, 'real/out')).mode & 0o7777).toBe(0o600);
  expect([readdirSync(dir), readdirSync(join(dir, 'real'))]).toEqual([['link', 'real'], ['out']]);
});

test('a place that cannot be written keeps what it has, without a draft beside it', () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'out/full'), { recursive: true });
  expect(replaceFile(join(dir, 'out'), 'text')).toMatchObject({
    ok: false,
    problems: [{ code: 'dir/not-writable' }],
  });
  expect(readdirSync(dir)).toEqual(['out']);
});

test('a path lies in another whatever links lead there', () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'real/tls'), { recursive: true });
  symlinkSync('real', join(dir, 'link'));
  expect(liesIn(join(dir, 'link/tls/none/new'), join(dir, 'real/tls'))).toBe(true);
  expect(liesIn(join(dir, 'real/tls'), join(dir, 'link/tls'))).toBe(true);
  expect(liesIn(join(dir, 'real/tls-other'), join(dir, 'real/tls'))).toBe(false);
});
