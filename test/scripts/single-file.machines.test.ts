import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { fleetFolder } from '../fleet/files.js';
import { liveFiles, liveIso } from '../media/support/live-iso.js';
import { sno } from '../support/command.js';
import { imageBuildTimeoutMs } from '../support/image-archive.js';
import { readTree } from '../support/read-tree.js';
import { scratchFolder } from '../support/scratch.js';

const out = 'out/single-file';

function makeSingleFiles(cwd: string, ...platforms: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/single-file.mjs', ...platforms], {
    cwd,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
}

function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

beforeAll(() => {
  makeSingleFiles('.', 'all');
}, imageBuildTimeoutMs);

describe('the single executable file for Linux on x64', () => {
  const program = resolve(out, 'sno-install-linux-x64');

  /** Runs the program without Node.js, home directory or project files. */
  function alone(cwd: string, ...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env: {} });
    expect([status, stderr.includes('error')], `${args.join(' ')}: ${stderr}`).toEqual([0, false]);
    return stdout;
  }

  /** A folder with a site, a fleet and an image. */
  function laid(): string {
    const folder = scratchFolder();
    cpSync('fixtures/configs/minimal', join(folder, 'site'), { recursive: true });
    cpSync('fixtures/configs/aio-minimal', join(folder, 'aio'), { recursive: true });
    cpSync(fleetFolder(), join(folder, 'fleet'), { recursive: true });
    writeFileSync(join(folder, 'live.iso'), liveIso(liveFiles));
    return folder;
  }

  it('writes the same outputs as the program, which then has no changes to write', () => {
    const folder = laid();
    const targets = [
      ['create', 'single-node-ignition-config', '--dir', 'site'],
      ['create', 'aio-ignition', '--dir', 'aio'],
    ];
    for (const args of targets) {
      expect(alone(folder, ...args)).toContain('written');
      const again = sno([...args, '--output', 'json'], { cwd: folder });
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).not.toContain('"written"');
    }
  });

  it('generates a fleet in threads, with outputs that are current for the program', () => {
    const folder = laid();
    alone(folder, 'fleet', 'create', '--dir', 'fleet', '--jobs', '2');
    expect(sno(['fleet', 'status', '--dir', 'fleet'], { cwd: folder })).toMatchObject({ code: 0 });
  });

  it('finds its templates, and compresses for an image', () => {
    const folder = laid();
    alone(folder, 'golden', '--dir', 'site', '--out', 'one');
    expect(sno(['golden', '--dir', 'site', '--out', 'other'], { cwd: folder })).toMatchObject({ code: 0 });
    expect(readTree(join(folder, 'one'))).toEqual(readTree(join(folder, 'other')));

    alone(folder, 'create', 'single-node-iso', '--dir', 'site', '--iso', 'live.iso', '--out', 'one.iso');
    expect(
      sno(['create', 'single-node-iso', '--dir', 'site', '--iso', 'live.iso', '--out', 'other.iso'], {
        cwd: folder,
      }),
    ).toMatchObject({ code: 0 });
    expect(sumOf(join(folder, 'one.iso'))).toBe(sumOf(join(folder, 'other.iso')));
  });

  it('ignores variables for other programs of Node.js', () => {
    const { status, stdout } = spawnSync(program, ['--version'], {
      encoding: 'utf8',
      env: { NODE_OPTIONS: '--require /nowhere.js', NODE_ENV: 'production' },
    });
    expect([status, stdout]).toEqual([0, '0.1.0\n']);
  });

  it('has the same bytes when it is made in another folder at another time', () => {
    const folder = scratchFolder();
    for (const path of ['scripts', 'templates', 'dist'])
      cpSync(path, join(folder, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    makeSingleFiles(folder, 'linux-x64');
    expect(sumOf(join(folder, out, 'sno-install-linux-x64'))).toBe(sumOf(program));
  });
});

/** Position and value of the machine type in executable formats, little-endian. Source: elf(5); PE Format; mach-o/loader.h */
const machines: readonly { platform: string; magic: string; at: (bytes: Buffer) => number; is: number }[] = [
  { platform: 'linux-x64', magic: '\x7fELF', at: (bytes) => bytes.readUInt16LE(18), is: 62 },
  { platform: 'linux-arm64', magic: '\x7fELF', at: (bytes) => bytes.readUInt16LE(18), is: 183 },
  { platform: 'macos-x64', magic: '\xcf\xfa\xed\xfe', at: (bytes) => bytes.readUInt32LE(4), is: 0x0100_0007 },
  {
    platform: 'macos-arm64',
    magic: '\xcf\xfa\xed\xfe',
    at: (bytes) => bytes.readUInt32LE(4),
    is: 0x0100_000c,
  },
  {
    platform: 'windows-x64.exe',
    magic: 'MZ',
    at: (bytes) => bytes.readUInt16LE(bytes.readUInt32LE(60) + 4),
    is: 0x8664,
  },
];

test.each(machines)(
  'the file for $platform is for its machine, and has the program in it',
  ({ platform, magic, at, is }) => {
    const bytes = readFileSync(join(out, `sno-install-${platform}`));
    expect(bytes.subarray(0, magic.length).toString('latin1')).toBe(magic);
    expect(at(bytes)).toBe(is);
    // A `1` after this text tells Node.js to load the embedded program. Source: nodejs.org/api/single-executable-applications.html
    expect(bytes.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
    expect(bytes.includes(readFileSync('dist/build-id'))).toBe(true);
    const [line = ''] = readFileSync(join(out, 'SHA256SUMS'), 'utf8')
      .split('\n')
      .filter((each) => each.endsWith(`  sno-install-${platform}`));
    expect(line.split(' ')[0]).toBe(sumOf(join(out, `sno-install-${platform}`)));
  },
);
