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
      name: 'a process whose ID now belongs to another',
      change: ([a, b, c, d, e]) => `${a}${b}.${c}-${d}-1${e}.x`,
      stays: false,
    },
    {
      name: 'a kernel before the last boot, on a local file system',
      change: ([a, , c, d, e]) => `${a}${'0'.repeat(12)}.${c}-${d}-${e}.x`,
      stays: false,
    },
    { name: 'an active run', change: ([a, b, c, d, e]) => `${a}${b}.${c}-${d}-${e}.x`, stays: true },
    {
      name: 'a process of another namespace',
      change: ([a, b, c, , e]) => `${a}${b}.1${c}-${none}-${e}.x`,
      stays: true,
    },
    {
      name: 'a process with an unknown namespace',
      change: ([a, b, , , e]) => `${a}${b}.-${none}-${e}.x`,
      stays: true,
    },
    { name: 'another name', change: ([, b, c, , e]) => `${b}.${c}-${none}-${e}.x`, stays: true },
    {
      name: 'a prefix before the name',
      change: ([a, b, c, , e]) => `x${a}${b}.${c}-${none}-${e}.x`,
      stays: true,
    },
  ])('$name: removed or kept', ({ change, stays }) => {
    expect(isLeft(change)).toBe(stays);
  });

  it('are kept in a folder that other hosts may have mounted', () => {
    // Source: statfs(2), f_type: NFS_SUPER_MAGIC
    replaceFsCalls(({ statfsSync }) => ({
      statfsSync: ((path: string) => Object.assign(statfsSync(path), { type: 0x6969 })) as typeof statfsSync,
    }));
    expect(isLeft(([a, , c, d, e]) => `${a}${'0'.repeat(12)}.${c}-${d}-${e}.x`)).toBe(true);
  });
});
