import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { dataPlace, packedIso, rootfs } from '../media/support/miniso.js';
import { snapshot, sno } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const configs = {
  'install-config.yaml': minimalInstallConfig,
  'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
};
const made = { state: '', full: Buffer.alloc(0), minimal: Buffer.alloc(0) };
beforeAll(async () => {
  Object.assign(made, await packedIso(), { state: await throwawayState(configs) });
});

/** A directory with its keys and a live ISO. */
function site(iso = made.full): string {
  const folder = scratchFolder();
  const files = { ...configs, '.sno-install-state.json': made.state };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  writeFileSync(join(folder, 'live.iso'), iso);
  return folder;
}

const url = 'http://192.0.2.1/live/rootfs.img';
const minimal = ['create', 'single-node-iso', '--iso', 'live.iso', '--minimal'];

async function create(cwd: string, ...more: readonly string[]): Promise<CommandOutput> {
  return await snoInProcess([...minimal, '--rootfs', url, ...more], { cwd });
}

describe('create single-node-iso --minimal', () => {
  test('writes a small image for its owner, and its root file system for everybody', async () => {
    const folder = site();
    const { code, stdout } = await create(folder, '--out', 'a.iso', '--rootfs-out', 'rootfs.img');

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Wrote a\.iso, readable only by its owner[^]*Next: serve rootfs\.img\nas http:\/\/192\.0\.2\.1\//,
    );
    const mode = (name: string): number => statSync(join(folder, name)).mode & 0o777;
    expect([mode('a.iso'), mode('rootfs.img')]).toEqual([0o600, 0o644]);
    expect(statSync(join(folder, 'a.iso')).size).toBe(made.minimal.length);
    expect(readFileSync(join(folder, 'rootfs.img')).equals(rootfs)).toBe(true);
    expect(readFileSync(join(folder, 'live.iso')).equals(made.full)).toBe(true);
    expect((await snoInProcess(['inspect', 'a.iso'], { cwd: folder })).stdout).toMatch(
      new RegExp(`^a\\.iso: a minimal live ISO\\n[^]*\\n  Root fs from  ${url}\\n`),
    );
  });

  test('gives the same bytes as a stream, and leaves a root file system that is there', async () => {
    const folder = site();
    const streamed = join(folder, 'streamed.iso');
    writeFileSync(join(folder, 'rootfs.img'), rootfs);
    const more = ['--rootfs', url, '--live-karg', 'ip=dhcp', '--rootfs-out', 'rootfs.img'];

    const { stdout } = await snoInProcess([...minimal, ...more, '--out', 'a.iso', '--output', 'json'], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      path: 'a.iso',
      rootfs: { url, file: 'rootfs.img' },
    });
    expect(sno([...minimal, ...more, '--out', '-'], { cwd: folder, stdoutTo: streamed }).code).toBe(0);
    expect(readFileSync(streamed).equals(readFileSync(join(folder, 'a.iso')))).toBe(true);

    writeFileSync(join(folder, 'rootfs.img'), 'of another release');
    const before = snapshot(folder);
    expect((await create(folder, '--out', 'b.iso', '--rootfs-out', 'rootfs.img')).stderr).toMatch(
      /^error\[media\/output\]: rootfs\.img already exists[^]*nothing was written/,
    );
    expect(snapshot(folder)).toEqual(before);
  });

  test('writes no files if the data of the minimal image is damaged', async () => {
    const damaged = Buffer.from(made.full);
    const place = dataPlace(damaged) + 200;
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    const folder = site(damaged);
    const before = snapshot(folder);

    const { code, stderr } = await create(folder, '--out', 'a.iso', '--rootfs-out', 'rootfs.img');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('error[media/damaged]') as string,
    });
    expect(snapshot(folder)).toEqual(before);
  });

  test('rejects one file for two outputs', async () => {
    const folder = site();
    expect((await create(folder, '--out', 'a', '--rootfs-out', './a')).stderr).toContain(
      'error[media/output]: --out and --rootfs-out name the same file',
    );
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  test.each([
    { args: ['--minimal'], says: '--minimal needs --rootfs' },
    { args: ['--rootfs', url], says: '--rootfs is for a minimal image' },
    { args: ['--rootfs-out', 'a'], says: '--rootfs-out is for a minimal image' },
    {
      args: ['--minimal', '--rootfs', url, '--in-place'],
      says: '--minimal and --in-place cannot be combined',
    },
    { args: ['--minimal', '--rootfs', url, '--rootfs-out', '-'], says: '--rootfs-out needs a file' },
  ])('rejects $args', async ({ args, says }) => {
    const folder = site();
    const { code, stderr } = await snoInProcess(['create', 'single-node-iso', '--iso', 'live.iso', ...args], {
      cwd: folder,
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as string });
  });
});
