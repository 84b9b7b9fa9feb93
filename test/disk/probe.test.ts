import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
  type PathLike,
} from 'node:fs';
import { join } from 'node:path';
import { geteuid } from 'node:process';

import { beforeEach, describe, expect, it } from 'vitest';

import { probeTargets } from '../../src/disk/probe.js';
import { replaceFsCalls, failing, processIs, systemError } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

const makeRoom = 'free disk space or grant write permission, and run the command again';
const elsewhere = 'replace it with a folder on the same file system, or name another directory with --dir';

let root = '';
beforeEach(() => {
  root = realpathSync(scratchFolder());
  mkdirSync(join(root, 'auth'));
  writeFileSync(join(root, 'auth/kubeconfig'), 'k');
});

/** For each problem: its file, its message without the file, and its hint. */
function reasonsFor(...paths: readonly string[]): readonly (readonly (string | undefined)[])[] {
  return probeTargets(root, paths).map(({ code, message, hint, at }) => {
    expect(code).toBe('dir/not-writable');
    const [start = '', ...reason] = message.split(': ');
    expect(start).toBe(`cannot write ${String(at?.file)}`);
    return [at?.file, reason.join(': '), hint];
  });
}

it('accepts existing and new files', () => {
  expect(reasonsFor('auth/kubeconfig', 'worker.ign', 'a/b/c')).toEqual([]);
});

it.each(['../out', '/etc/passwd', 'a//b', './a', 'a/..', ''])('rejects %j', (path) => {
  expect(reasonsFor(path)).toEqual([[path, 'it is not a path below the directory', elsewhere]]);
});

it('rejects a folder as a file', () => {
  expect(reasonsFor('auth')).toEqual([['auth', 'it is a folder', makeRoom]]);
});

it('reports once that a path is not a folder', () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync('/', join(root, 'out'));
  expect(reasonsFor('file/a', 'file/b', 'out/a', 'out/b', 'auth/kubeconfig')).toEqual([
    ['file/a', 'file is a file, not a folder', elsewhere],
    ['out/a', 'out is a symbolic link to a place outside the directory', elsewhere],
  ]);
});

it('replaces a link without following it', () => {
  symlinkSync('/etc/passwd', join(root, 'auth/link'));
  replaceFsCalls(() => ({
    accessSync: (path: PathLike) => {
      if (String(path).endsWith('link')) throw systemError('EPERM');
    },
  }));
  expect(reasonsFor('auth/link')).toEqual([]);
});

it('does not replace a link to a missing file, or a FIFO', () => {
  symlinkSync('nowhere', join(root, 'auth/link'));
  execFileSync('mkfifo', [join(root, 'auth/fifo')]);
  expect(reasonsFor('auth/link', 'auth/fifo')).toEqual([
    ['auth/link', 'it is a symbolic link to a file that does not exist', makeRoom],
    ['auth/fifo', 'it is not a regular file', makeRoom],
  ]);
});

it('reports for each file why its folder is not writable', () => {
  replaceFsCalls(() => ({ accessSync: failing('EACCES') }));
  const reason = 'its folder is not writable: permission denied';
  expect(reasonsFor('worker.ign', 'new/worker.ign', 'auth/kubeconfig')).toEqual([
    ['worker.ign', reason, makeRoom],
    ['new/worker.ign', reason, makeRoom],
    ['auth/kubeconfig', reason, makeRoom],
  ]);
});

describe('a file of another user', () => {
  const owner = geteuid?.() ?? 0;

  it.each([
    { folder: 'that is sticky', mode: 0o1777, user: owner + 7, isReported: true },
    { folder: 'that is not', mode: 0o777, user: owner + 7, isReported: false },
    { folder: 'of the caller', mode: 0o1777, user: owner, isReported: false },
    { folder: 'that is sticky, for root', mode: 0o1777, user: 0, isReported: false },
  ])('in a folder with mode $folder', ({ mode, user, isReported }) => {
    chmodSync(join(root, 'auth'), mode);
    replaceFsCalls(() => ({ accessSync: () => undefined }));
    processIs({ geteuid: () => user });
    const reason = `it belongs to user ${owner}`;
    expect(reasonsFor('auth/kubeconfig', 'auth/new')).toEqual(
      isReported ? [['auth/kubeconfig', reason, makeRoom]] : [],
    );
  });
});

it.each([
  ['EPERM', [['auth/kubeconfig', 'it is marked as immutable', makeRoom]]],
  ['EACCES', []],
])('without a write, %s', (code, expected) => {
  replaceFsCalls(() => ({
    accessSync: (path: PathLike) => {
      if (String(path).endsWith('kubeconfig')) throw systemError(code);
    },
  }));
  expect(reasonsFor('auth/kubeconfig', 'auth/other')).toEqual(expected);
});

describe('a path on another mount', () => {
  const apart = 'its folder is on a different file system';
  const own = 'it is a mount point';
  const cases = [
    {
      mounted: 'auth',
      expected: [
        ['auth/kubeconfig', apart, makeRoom],
        ['auth/new', apart, makeRoom],
      ],
    },
    { mounted: 'auth/kubeconfig', expected: [['auth/kubeconfig', own, makeRoom]] },
    { mounted: 'auth/other', expected: [] },
  ];

  /** The path behind an open file descriptor. */
  function opened(file: string): string {
    return readlinkSync(`/proc/self/fd/${file}`).slice(root.length + 1);
  }

  function isBelow(path: string, mounted: string): boolean {
    return path === mounted || path.startsWith(`${mounted}/`);
  }

  it.runIf(process.platform === 'linux').each(cases)(
    '$mounted, according to /proc',
    ({ mounted, expected }) => {
      replaceFsCalls(() => ({
        readFileSync: ((path: string) =>
          `pos:\t0\nmnt_id:\t${isBelow(opened(path.split('/').at(-1) ?? ''), mounted) ? 8 : 31}\n`) as never,
      }));
      expect(reasonsFor('auth/kubeconfig', 'auth/new')).toEqual(expected);
    },
  );

  it.runIf(process.platform === 'linux').each(cases)('$mounted, by its device', ({ mounted, expected }) => {
    processIs({ platform: 'freebsd' });
    replaceFsCalls(({ fstatSync }) => ({
      fstatSync: ((file: number) => {
        const stats = fstatSync(file);
        return isBelow(opened(String(file)), mounted) ? Object.assign(stats, { dev: stats.dev + 1 }) : stats;
      }) as never,
    }));
    expect(reasonsFor('auth/kubeconfig', 'auth/new')).toEqual(expected);
  });

  it('is not checked for inaccessible files', () => {
    replaceFsCalls(({ openSync }) => ({
      openSync: (path, ...more) => {
        if (String(path).endsWith('kubeconfig')) throw systemError('EACCES');
        return openSync(path, ...more);
      },
    }));
    expect(reasonsFor('auth/kubeconfig')).toEqual([]);
  });

  it('leaves no file open', () => {
    const closed: number[] = [];
    replaceFsCalls(({ openSync, closeSync }) => ({
      openSync: (...args) => {
        const file = openSync(...args);
        closed.push(-file);
        return file;
      },
      closeSync: (file) => {
        closed.push(file);
        closeSync(file);
      },
    }));
    reasonsFor('auth/kubeconfig');
    expect(closed).toHaveLength(8);
    expect(closed.reduce((sum, file) => sum + file)).toBe(0);
  });
});
