import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { lockFileName, takeLock } from '../../src/disk/lock.js';
import { scratchFolder } from '../support/scratch.js';

it('names the holder to the second run and lets it in after release', () => {
  const dir = scratchFolder();
  const first = takeLock(dir, 'sno-install create manifests');

  const second = takeLock(dir, 'sno-install validate');

  expect(first.ok).toBe(true);
  expect(second).toEqual({
    ok: false,
    problems: [
      {
        code: 'dir/locked',
        severity: 'error',
        message: `another run works in this directory: \`sno-install create manifests\`, process ${process.pid} on ${hostname()}`,
        hint: 'wait for it to end',
      },
    ],
  });
  if (first.ok) first.value.release();
  const third = takeLock(dir, 'sno-install validate');
  expect(third.ok).toBe(true);
  if (third.ok) third.value.release();
  expect(readdirSync(dir)).toEqual([]);
});

it('takes over the lock of a process that is gone', () => {
  const dir = scratchFolder();
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(
    join(dir, lockFileName),
    JSON.stringify({ pid: gone, host: hostname(), started: '1', command: 'x' }),
  );

  const lock = takeLock(dir, 'sno-install validate');

  expect(lock.ok).toBe(true);
  expect(readFileSync(join(dir, lockFileName), 'utf8')).toContain(`"pid":${process.pid}`);
});

it('takes over a lock whose process number now belongs to another process', () => {
  const dir = scratchFolder();
  const sleeper = spawn(process.execPath, ['--eval', 'setTimeout(() => undefined, 60_000)']);
  onTestFinished(() => {
    sleeper.kill();
  });
  const started = 'before the last boot';
  writeFileSync(
    join(dir, lockFileName),
    JSON.stringify({ pid: sleeper.pid, host: hostname(), started, command: 'x' }),
  );

  expect(takeLock(dir, 'sno-install validate').ok).toBe(true);
});

it('leaves the lock of another machine alone and says how to end it', () => {
  const dir = scratchFolder();
  const path = join(dir, lockFileName);
  writeFileSync(
    path,
    JSON.stringify({ pid: 1, host: 'other.example.com', started: '1', command: 'sno-install x' }),
  );

  const lock = takeLock(dir, 'sno-install validate');

  expect(!lock.ok && lock.problems).toEqual([
    {
      code: 'dir/locked',
      severity: 'error',
      message: 'another run works in this directory: `sno-install x`, process 1 on other.example.com',
      hint: `if that machine no longer runs it, delete ${path}`,
    },
  ]);
});

it.each([
  ['', 'empty'],
  ['{"pid":', 'cut off'],
  ['[]', 'of another form'],
])('takes over a lock file that names nobody: %s (%s)', (text) => {
  const dir = scratchFolder();
  writeFileSync(join(dir, lockFileName), text);

  expect(takeLock(dir, 'sno-install validate').ok).toBe(true);
});

it('says that a directory cannot be written to', () => {
  const dir = join(scratchFolder(), 'missing');

  const lock = takeLock(dir, 'sno-install validate');

  expect(!lock.ok && lock.problems.map(({ code, message }) => [code, message])).toEqual([
    ['dir/not-writable', `cannot write in ${dir}: it does not exist`],
  ]);
  expect(existsSync(dir)).toBe(false);
});
