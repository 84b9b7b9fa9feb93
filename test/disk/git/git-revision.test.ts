import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test, vi } from 'vitest';

import { failure, problemsOf } from '../../../src/core/result.js';
import { openRevision, runGit, type GitRevision } from '../../../src/disk/git/git-revision.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { commitAll, git, lay } from './laid-repository.js';

const anyRevision = 'name a branch, tag or commit of the repository that contains the directory';

function refused(reason: string, hint = anyRevision): object {
  const message = `git cannot read --against: ${reason}`;
  return failure({ code: 'review/revision', severity: 'error', message, hint });
}

const chain = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [
    `chain/${index}`,
    { to: index === 8 ? '../top.yaml' : String(index + 1) },
  ]),
);
const files = {
  'top.yaml': 'top',
  '..top/e': 'e',
  'fleet/site.yaml': 'site',
  'fleet/Site.yaml': 'Site',
  'fleet/a/b/c.yaml': 'c',
  'fleet/a-b': 'a-b',
  'fleet/..data/d': 'd',
  'fleet2/other': 'other',
  'fleet/links/file': { to: '../site.yaml' },
  'fleet/links/again': { to: './file' },
  'fleet/links/up': { to: '../../top.yaml' },
  'fleet/links/out': { to: '../../../elsewhere' },
  'fleet/links/nowhere': { to: 'nothing' },
  'fleet/links/itself': { to: 'itself' },
  'fleet/links/folder': { to: '../a' },
  'fleet/links/again-folder': { to: 'folder/b' },
  'fleet/links/loop': { to: 'loop/a' },
  ...chain,
};

describeWith(['git'], 'a folder in a revision', () => {
  let top = '';
  let first = '';
  beforeAll(() => {
    top = scratchFolder();
    git(top, 'init', '-q', '-b', 'main');
    lay(top, files);
    first = commitAll(top);
    git(top, 'tag', '-a', '-m', 'first', 'v1');
    rmSync(join(top, 'fleet/site.yaml'));
    lay(top, { 'fleet/later': 'later', 'fleet/a-b': 'changed' });
    commitAll(top);
    lay(top, { 'fleet/not-committed': '' });
  });

  const opened = (folder = 'fleet', revision = 'v1'): GitRevision =>
    expectOk(openRevision(join(top, folder), revision));
  const textAt = (path: string, folder?: string): string | undefined => opened(folder).read(path)?.toString();

  it('is resolved by any name of its commit', () => {
    for (const name of ['v1', 'HEAD~1', 'main^', first, first.slice(0, 10)])
      expect(opened('fleet', name).commit).toBe(first);
    expect(opened('fleet', 'main').commit).toBe(git(top, 'rev-parse', 'HEAD'));
  });

  it('has the files of that revision, by their path in the folder', () => {
    const below = Object.keys(files).filter((path) => path.startsWith('fleet/'));
    expect(opened().paths).toEqual(below.map((path) => path.slice('fleet/'.length)).sort());
    expect(opened('.').paths).toEqual(Object.keys(files).sort());
    expect(opened('fleet', 'main').paths).toContain('later');
    expect(opened('fleet', 'main').paths).not.toContain('not-committed');
  });

  test.each([
    { path: 'site.yaml', want: 'site' },
    { path: './a/../a-b', want: 'a-b' },
    { path: 'a/b/c.yaml', want: 'c' },
    { path: '../top.yaml', want: 'top' },
    { path: '..data/d', want: 'd' },
    { path: 'links/file', want: 'site' },
    { path: 'links/again', want: 'site' },
    { path: 'links/up', want: 'top' },
    { path: '../chain/1', want: 'top' },
    { path: '../chain/0', want: 'top' },
    { path: 'links/itself', want: 'too-many-links' },
    { path: 'links/out', want: 'link-outside' },
    { path: 'links/nowhere', want: undefined },
    { path: 'links/folder', want: 'folder' },
    { path: 'links/folder/b/c.yaml', want: 'c' },
    { path: 'links/folder/b/nothing', want: undefined },
    { path: 'links/again-folder/c.yaml', want: 'c' },
    { path: 'links/loop/c.yaml', want: 'too-many-links' },
    { path: 'links/out/file', want: 'link-outside' },
    { path: 'later', want: undefined },
    { path: 'not-committed', want: undefined },
    { path: 'a', want: 'folder' },
    { path: '..', want: 'folder' },
    { path: '../../elsewhere', want: 'outside' },
    { path: '../..', want: 'outside' },
    { path: '/etc/hostname', want: 'outside' },
  ])('contains at $path: $want', ({ path, want }) => {
    expect(textAt(path)).toBe(want);
  });

  it('contains files named by absolute path', () => {
    expect(textAt(join(top, 'fleet/site.yaml'))).toBe('site');
    expect(textAt(join(top, 'top.yaml'))).toBe('top');
    expect(textAt(join(top, 'fleet/nothing'))).toBeUndefined();
    expect(textAt(`${top}2/top.yaml`)).toBe('outside');
    expect(['top.yaml', '..top/e'].map((path) => textAt(path, '.'))).toEqual(['top', 'e']);
    expect(textAt('../x', '.')).toBe('outside');
  });

  it('reads only its own files, by path', () => {
    const read = opened().readAll(['site.yaml', 'a/b/c.yaml', 'nothing', 'a']);
    expect([...read].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
      ['site.yaml', 'site'],
      ['a/b/c.yaml', 'c'],
    ]);
  });

  test.each([
    { folder: '.', want: ['..data/', 'Site.yaml', 'a-b', 'a/', 'links/', 'site.yaml'] },
    { folder: 'a', want: ['b/'] },
    { folder: 'a/', want: ['b/'] },
    { folder: './a/b', want: ['c.yaml'] },
    { folder: '..', want: ['..top/', 'chain/', 'fleet/', 'fleet2/', 'top.yaml'] },
    { folder: '../fleet2', want: ['other'] },
    { folder: 'links/folder', want: ['b/'] },
    { folder: 'links/folder/b/', want: ['c.yaml'] },
    { folder: 'links/loop', want: undefined },
    { folder: 'links/out', want: undefined },
    { folder: 'nothing', want: undefined },
    { folder: 'site.yaml', want: undefined },
    { folder: '../..', want: undefined },
  ])('lists its files in $folder', ({ folder, want }) => {
    expect(opened().list(folder)).toEqual(want);
  });

  it('lists a folder by its absolute path', () => {
    expect(opened().list(join(top, 'fleet2'))).toEqual(['other']);
    expect(opened().list(top)).toEqual(['..top/', 'chain/', 'fleet/', 'fleet2/', 'top.yaml']);
  });

  describe('is rejected', () => {
    it.each(['nothing', 'HEAD:top.yaml', 'HEAD:fleet', ''])('for %j, which is not a commit', (name) => {
      expect(openRevision(top, name)).toEqual(refused('the revision does not exist'));
    });

    describe('in a clone, with a hint that names the branch of the remote', () => {
      let clone = '';
      beforeAll(() => {
        clone = join(scratchFolder(), 'clone');
        git(top, 'branch', 'released/v2');
        git(top, 'clone', '-q', '--no-local', '--depth', '1', '--no-single-branch', `file://${top}`, clone);
        git(clone, 'checkout', '-q', '-b', 'change');
        git(clone, 'branch', '-q', '-D', 'main');
        git(clone, 'remote', 'add', 'upstream', top);
        git(clone, 'fetch', '-q', 'upstream', 'main:refs/remotes/upstream/main');
      });
      const shallow = `${anyRevision}; this clone is shallow, and \`git fetch --unshallow\` fetches older commits`;
      const named = (options: string): string => `the branch exists only at a remote: use ${options}`;

      it.each([
        { name: 'main', hint: named('--against origin/main or --against upstream/main') },
        { name: 'main^0', hint: named('--against origin/main^0 or --against upstream/main^0') },
        { name: 'main~1', hint: shallow },
        { name: 'released/v2', hint: named('--against origin/released/v2') },
        { name: 'v2', hint: shallow },
        { name: 'HEAD~9', hint: shallow },
      ])('for $name', ({ name, hint }) => {
        expect(openRevision(clone, name)).toEqual(refused('the revision does not exist', hint));
      });
    });

    it.each(['--all', '-p'])('for %s, which git would take for an option', (name) => {
      expect(openRevision(top, name)).toEqual(refused('it looks like an option'));
    });

    it('without a repository', () => {
      const [found] = problemsOf(openRevision(scratchFolder(), 'main'));
      expect(found?.message).toMatch(/^git cannot read --against: not a git repository/);
    });

    it('if its objects are missing', () => {
      const other = scratchFolder();
      git(other, 'init', '-q');
      lay(other, { file: 'text' });
      commitAll(other);
      const tree = git(other, 'rev-parse', 'HEAD^{tree}');
      rmSync(join(other, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      expect(openRevision(other, 'HEAD')).toMatchObject({
        ok: false,
        problems: [{ code: 'review/revision' }],
      });
    });
  });
});

describe('the git program', () => {
  /** The failure of resolving a revision when `git` is this shell script; undefined means no git on the PATH. */
  function refusedBy(script: string | undefined): object {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'bin'));
    if (script !== undefined) writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\n${script}\n`);
    if (script !== undefined) chmodSync(join(folder, 'bin/git'), 0o755);
    vi.stubEnv('PATH', join(folder, 'bin'));
    try {
      return openRevision(folder, 'main');
    } finally {
      vi.unstubAllEnvs();
    }
  }

  it.each([
    { name: 'is missing', script: undefined, reason: 'cannot start git (ENOENT)' },
    { name: 'prints nothing', script: 'exit 1', reason: 'git reported no reason' },
    {
      name: 'prints a reason',
      script: 'echo "fatal: a reason" >&2; echo more >&2; exit 128',
      reason: 'a reason',
    },
    {
      name: 'runs in English, without locks and prompts',
      script: 'echo "$LC_ALL $GIT_OPTIONAL_LOCKS $GIT_TERMINAL_PROMPT" >&2; exit 1',
      reason: 'C 0 0',
    },
  ])('$name', ({ script, reason }) => {
    expect(refusedBy(script)).toEqual(refused(reason));
  });
});

test('a command that ends before it reads its input has an answer', () => {
  expect(runGit('/', ['--version'], 'x'.repeat(2 ** 20)).out.toString('utf8')).toMatch(/^git version /);
});
