import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

import { describe, expect, it, test } from 'vitest';

import { draftPath, removeStaleDrafts } from '../../../src/disk/image/image-drafts.js';
import { kernelId, ownIdentity } from '../../../src/disk/lock/kernel.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { processIs } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const exitedPid = spawnSync(process.execPath, ['--version']).pid;

/** A folder with a draft for `site.iso`, named as another process would name it. */
function withDraft(change: (own: string) => string): { readonly iso: string; readonly draft: string } {
  const iso = join(scratchFolder(), 'site.iso');
  const own = draftPath(iso);
  const draft = join(own, '..', change(basename(own)));
  writeFileSync(draft, 'half of an image', { mode: 0o600 });
  return { iso, draft };
}

const ofPid =
  (pid: number) =>
  (name: string): string =>
    name.replace(`-${process.pid}-`, `-${pid}-`);

test.each([
  { whose: 'a process that has ended', change: ofPid(exitedPid) },
  {
    whose: 'an earlier process of the same number',
    change: (name: string) => name.replace(`-${ownIdentity().started}.new`, '-1.new'),
  },
  {
    whose: 'a process from before the machine was started anew',
    change: (name: string) => name.replace(kernelId(), '0123456789ab'),
  },
])('removes a draft of $whose', ({ change }) => {
  const { iso, draft } = withDraft(change);
  expect(basename(draft)).not.toBe(basename(draftPath(iso)));

  removeStaleDrafts(iso);

  expect(existsSync(draft)).toBe(false);
});

test.each([
  { whose: 'a process that runs', change: ofPid(process.ppid), isRunning: true },
  { whose: 'this process', change: (name: string) => name },
  {
    whose: 'another container',
    change: (name: string) => ofPid(exitedPid)(name).replace(/\.\d+-/, '.1-'),
  },
  { whose: 'nobody: it is named otherwise', change: (name: string) => `${ofPid(exitedPid)(name)}.txt` },
])('keeps a draft of $whose', ({ change, isRunning }) => {
  const start = ownIdentity().started;
  const { iso, draft } = withDraft((name) => {
    const changed = change(name);
    return isRunning ? changed.replace(`-${start}.new`, `-${startOf(process.ppid)}.new`) : changed;
  });

  removeStaleDrafts(iso);

  expect(existsSync(draft)).toBe(true);
});

it('keeps drafts of other files, and folders', () => {
  const { iso, draft } = withDraft(ofPid(exitedPid));
  const folder = join(draft, '..');
  const odd = join(folder, basename(draft).replace(/-\d*\.new$/, '-1.new'));
  mkdirSync(odd);

  removeStaleDrafts(join(folder, 'other.iso'));
  expect(readdirSync(folder)).toHaveLength(2);

  removeStaleDrafts(iso);
  expect(readdirSync(folder)).toEqual([basename(odd)]);
});

it.each([(rest: string) => `a${rest}`, (rest: string) => rest.replace('.new', ''), () => 'notes'])(
  'keeps files with similar names',
  (change) => {
    const { iso, draft } = withDraft((name) => {
      const [, dot, what, ...rest] = name.replace(kernelId(), '0123456789ab').split('.');
      return ['', dot, what, change(rest.join('.'))].join('.');
    });
    removeStaleDrafts(iso);
    expect(existsSync(draft)).toBe(true);
  },
);

describe('without /proc', () => {
  it.each([
    { whose: 'a process that has ended', pid: exitedPid, stays: false },
    { whose: 'a process that runs', pid: process.pid, stays: true },
  ])('keeps a draft of $whose: $stays', ({ pid, stays }) => {
    processIs({ platform: 'darwin' });
    const { iso, draft } = withDraft((name) => {
      expect(name.split('.').slice(4)).toEqual([`-${process.pid}-`, 'new']);
      return ofPid(pid)(name);
    });
    removeStaleDrafts(iso);
    expect(existsSync(draft)).toBe(stays);
  });
});

it('ignores a missing folder', () => {
  const folder = join(scratchFolder(), 'missing');
  removeStaleDrafts(join(folder, 'site.iso'));
  expect(existsSync(folder)).toBe(false);
});

it('is named after the file, the kernel and the process, with hashes of twelve digits', () => {
  const name = basename(draftPath('/a/site.iso'));
  expect(name).toMatch(/^\.sno-install-draft\.[0-9a-f]{12}\.[0-9a-f]{12}\.\d*-\d+-\d*\.new$/);
  expect(name).toContain(`.${sha256('site.iso').slice(0, 12)}.${kernelId()}.`);
});

it('respects the maximum length of file names', () => {
  expect(basename(draftPath(`/a/${'n'.repeat(255)}`)).length).toBeLessThan(255);
});

/** Field 22 of /proc/PID/stat, as in src/disk/lock/kernel.ts. */
function startOf(pid: number): string {
  const { stdout } = spawnSync('sed', ['s/.*) //', `/proc/${pid}/stat`], { encoding: 'utf8' });
  return stdout.split(' ')[19] ?? '';
}
