import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';

import { describe, expect, it, vi } from 'vitest';

import { isLocalFileSystem, isRunning, kernelId, ownIdentity } from '../../../src/disk/lock/kernel.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { replaceFsCalls, failing, processIs, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

/** Replaces files of /proc until the test ends, including the namespace link of this process. */
function procHas(files: Readonly<Record<string, string>>): void {
  processIs({ platform: 'linux' });
  const textOf = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw systemError('ENOENT');
    return text;
  };
  replaceFsCalls(() => ({
    readFileSync: ((path: string) => textOf(path)) as never,
    readlinkSync: ((path: string) => textOf(path)) as never,
  }));
}

const after = Array.from({ length: 30 }, (_, index) => `f${index + 3}`);
/** The 22nd field is the start time. Source: proc_pid_stat(5) */
const stat = (command: string, started: string): string =>
  ['71', `(${command})`, ...after.with(22 - 3, started)].join(' ');

describe('the ID of a kernel', () => {
  it('is its boot ID', () => {
    procHas({ '/proc/sys/kernel/random/boot_id': 'an id\n' });
    expect(kernelId()).toBe(sha256('an id\n').slice(0, 12));
  });

  it('is the host name without a boot ID', () => {
    procHas({});
    expect(kernelId()).toBe(sha256(hostname()).slice(0, 12));
    processIs({ platform: 'darwin' });
    expect(kernelId()).toBe(sha256(hostname()).slice(0, 12));
  });
});

describe('this process', () => {
  it.each(['node', 'a (b) c', ') 1 2 3'])(
    'named %j is identified by namespace, process ID and start time',
    (command) => {
      procHas({
        '/proc/self/ns/pid': 'pid:[4026531836]',
        [`/proc/${process.pid}/stat`]: stat(command, '8700'),
      });
      expect(ownIdentity()).toEqual({ namespace: 'pid:[4026531836]', pid: process.pid, started: '8700' });
    },
  );

  it.each(['71 (node) S', ''])('has no start time in %j', (text) => {
    procHas({ [`/proc/${process.pid}/stat`]: text });
    expect(ownIdentity()).toEqual({ namespace: '', pid: process.pid, started: '' });
  });

  it('has only its process ID without /proc', () => {
    processIs({ platform: 'darwin' });
    expect(ownIdentity()).toEqual({ namespace: '', pid: process.pid, started: '' });
  });
});

describe('a process', () => {
  const own = ownIdentity();
  const exitedPid = spawnSync('true').pid;

  it.each([
    { name: 'this one', identity: own, want: true },
    { name: 'one with another start time', identity: { ...own, started: '1' }, want: false },
    { name: 'one that has ended', identity: { ...own, pid: exitedPid }, want: false },
    { name: 'one of another namespace', identity: { ...own, namespace: 'pid:[1]' }, want: undefined },
  ])('$name is running: $want', ({ identity, want }) => {
    expect(isRunning(identity)).toBe(want);
  });

  it.each([
    { name: 'exists', error: undefined, want: true },
    { name: 'does not exist', error: systemError('ESRCH'), want: false },
    { name: 'belongs to another user', error: systemError('EPERM'), want: true },
    { name: 'cannot be checked', error: new Error('ESRCH'), want: true },
  ])('that $name is running, on a system without /proc: $want', ({ error, want }) => {
    processIs({ platform: 'darwin' });
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      if (error !== undefined) throw error;
      return true;
    });
    const running = isRunning({ namespace: '', pid: 71, started: '' });
    const calls = kill.mock.calls;
    kill.mockRestore();
    expect([running, calls]).toEqual([want, [[71, 0]]]);
  });
});

describe('a file system', () => {
  it.each([
    ['ext4', 0xef53, true],
    ['XFS', 0x58465342, true],
    ['Btrfs', 0x9123683e, true],
    ['F2FS', 0xf2f52010, true],
    ['tmpfs', 0x01021994, true],
    ['ramfs', 0x858458f6, true],
    ['overlayfs', 0x794c7630, true],
    ['ZFS', 0x2fc12fc1, true],
    ['FAT', 0x4d44, true],
    ['exFAT', 0x2011bab0, true],
    ['NTFS', 0x7366746e, true],
    ['NFS', 0x6969, false],
    ['SMB', 0xff534d42, false],
    ['FUSE', 0x65735546, false],
    ['Ceph', 0x00c36400, false],
    ['none that is known', 0, false],
  ])('%s, %i, is used by one kernel only: %s', (_name, type, want) => {
    const folder = scratchFolder();
    replaceFsCalls(() => ({
      statfsSync: ((path: string) => {
        expect(path).toBe(folder);
        return { type };
      }) as never,
    }));
    expect(isLocalFileSystem(folder)).toBe(want);
  });

  it('reports an unreadable file system', () => {
    replaceFsCalls(() => ({ statfsSync: failing('EIO') }));
    expect(() => isLocalFileSystem('.')).toThrow(expect.objectContaining({ code: 'EIO' }) as Error);
  });
});
