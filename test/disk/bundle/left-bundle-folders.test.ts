import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createBundleFolder } from '../../../src/disk/bundle/bundle-folder.js';
import { replaceFsCalls } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';

// PREFIX KERNEL . NAMESPACE-PID-STARTED . RANDOM
const parts = /^(\.sno-install-gather\.)([0-9a-f]{12})\.(\d*)-(\d+)-(\d*)\.(.{6})$/;

/** The folder name that this process uses. */
function madeName(dir: string): string {
  return basename(dirname(expectOk(createBundleFolder(dir)).knownHostsFile));
}

/** Whether a folder survives the next run. `change` gets the parts of the name that this process uses. */
function isLeft(change: (name: readonly string[]) => string): boolean {
  const dir = scratchFolder();
  const [, ...own] = parts.exec(madeName(dir)) ?? [];
  const path = join(dir, change(own));
  mkdirSync(path);
  writeFileSync(join(path, 'key-0'), 'key');
  madeName(dir);
  return existsSync(path);
}

describe.runIf(process.platform === 'linux')('folders of earlier runs', () => {
  // Larger than any process ID. Source: proc_sys_kernel(5), pid_max
  const none = String(2 ** 22 + 1);

  it.each<{ name: string; change: (name: readonly string[]) => string; stays: boolean }>([
    {
      name: 'a process that ended',
      change: ([a, b, c, , e]) => `${a}${b}.${c}-${none}-${e}.x`,
      stays: false,
    },
    {
      name: 'a process whose number another has by now',
      change: ([a, b, c, d, e]) => `${a}${b}.${c}-${d}-1${e}.x`,
      stays: false,
    },
    {
      name: 'a kernel that ended, in a folder of one kernel',
      change: ([a, , c, d, e]) => `${a}${'0'.repeat(12)}.${c}-${d}-${e}.x`,
      stays: false,
    },
    { name: 'a run that goes on', change: ([a, b, c, d, e]) => `${a}${b}.${c}-${d}-${e}.x`, stays: true },
    {
      name: 'a process of another namespace',
      change: ([a, b, c, , e]) => `${a}${b}.1${c}-${none}-${e}.x`,
      stays: true,
    },
    {
      name: 'a process of which no namespace is known',
      change: ([a, b, , , e]) => `${a}${b}.-${none}-${e}.x`,
      stays: true,
    },
    { name: 'another name', change: ([, b, c, , e]) => `${b}.${c}-${none}-${e}.x`, stays: true },
    {
      name: 'a name in front of it',
      change: ([a, b, c, , e]) => `x${a}${b}.${c}-${none}-${e}.x`,
      stays: true,
    },
  ])('of $name', ({ change, stays }) => {
    expect(isLeft(change)).toBe(stays);
  });

  it('stay in a folder that other kernels may have mounted', () => {
    // Source: statfs(2), f_type: NFS_SUPER_MAGIC
    replaceFsCalls(({ statfsSync }) => ({
      statfsSync: ((path: string) => Object.assign(statfsSync(path), { type: 0x6969 })) as typeof statfsSync,
    }));
    expect(isLeft(([a, , c, d, e]) => `${a}${'0'.repeat(12)}.${c}-${d}-${e}.x`)).toBe(true);
  });
});
