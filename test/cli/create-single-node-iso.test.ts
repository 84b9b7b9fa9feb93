import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { draftPath } from '../../src/disk/image/image-drafts.js';
import { liveIso } from '../media/support/live-iso.js';
import { snapshot, sno } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { keyedSite, type LaySite } from './keyed-site.js';

let laid: LaySite;
beforeAll(async () => {
  laid = await keyedSite();
});

/** A directory with its keys and a live ISO. */
function site(changes: Readonly<Record<string, string>> = {}, iso = liveIso()): string {
  return laid({ ...changes, 'live.iso': iso });
}

async function create(cwd: string, ...more: readonly string[]): Promise<CommandOutput> {
  return await snoInProcess(['create', 'single-node-iso', '--iso', 'live.iso', ...more], { cwd });
}

const code = (name: string): unknown => ({
  code: 1,
  stderr: expect.stringContaining(`error[${name}]`) as string,
});

describe('create single-node-iso', () => {
  test('writes the configs and, for its owner alone, an image with one of them', async () => {
    const folder = site();
    const { code, stdout } = await create(folder);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Wrote single-node\.iso, readable only by its owner[^]*verified\./);
    expect(statSync(join(folder, 'single-node.iso')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['auth', 'bootstrap-in-place-for-live-iso.ign', 'worker.ign']),
    );
    expect(readFileSync(join(folder, 'live.iso')).equals(liveIso())).toBe(true);
  });

  test('gives the same bytes as a file, in place and as a stream', async () => {
    const folder = site();
    const run = (...args: readonly string[]): Promise<CommandOutput> => create(folder, ...args);
    const streamed = join(folder, 'streamed.iso');
    const args = ['create', 'single-node-iso', '--iso', 'live.iso', '--out', '-'];

    expect((await run('--out', 'a.iso')).code).toBe(0);
    expect(sno(args, { cwd: folder, stdoutTo: streamed }).code).toBe(0);
    expect((await run('--in-place')).code).toBe(0);

    const image = readFileSync(join(folder, 'a.iso'));
    expect(image.equals(readFileSync(join(folder, 'live.iso')))).toBe(true);
    expect(image.equals(readFileSync(streamed))).toBe(true);
  });

  test('keeps an existing image and an image with a config', async () => {
    const folder = site();
    expect((await create(folder, '--out', 'a.iso')).code).toBe(0);
    const before = snapshot(folder);

    expect(await create(folder, '--out', 'a.iso')).toMatchObject(code('media/output') as object);
    expect(
      await snoInProcess(['create', 'single-node-iso', '--iso', 'a.iso', '--out', 'b.iso'], { cwd: folder }),
    ).toMatchObject(code('media/config-present') as object);
    expect(snapshot(folder)).toEqual(before);
    expect(
      (
        await snoInProcess(['create', 'single-node-iso', '--iso', 'a.iso', '--force', '--in-place'], {
          cwd: folder,
        })
      ).code,
    ).toBe(0);
  });

  test('--overwrite replaces the image and its receipt, but never the live ISO', async () => {
    const folder = site();
    expect((await create(folder, '--out', 'a.iso')).code).toBe(0);
    const [before, receipt] = [readFileSync(join(folder, 'a.iso')), 'a.iso.receipt.json'];
    const other = ['--live-karg', 'console=ttyS0', '--overwrite'];

    expect((await create(folder, '--out', 'a.iso', ...other)).code).toBe(0);
    expect(readFileSync(join(folder, 'a.iso')).equals(before)).toBe(false);
    expect(readFileSync(join(folder, receipt), 'utf8')).toContain('console=ttyS0');
    expect((await snoInProcess(['verify', receipt], { cwd: folder })).code).toBe(0);

    expect(await create(folder, '--out', 'live.iso', '--overwrite')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--out is the live ISO of --iso\n +. hint: use --in-place/) as string,
    });
    expect(readFileSync(join(folder, 'live.iso')).equals(liveIso())).toBe(true);
  });

  test('--renew reissues the certificates with the same keys', async () => {
    const folder = site();
    const ignition = join(folder, 'bootstrap-in-place-for-live-iso.ign');
    const run = (option: string): Promise<CommandOutput> =>
      snoInProcess(
        ['create', 'single-node-iso', '--iso', 'live.iso', '--overwrite', ...(option === '' ? [] : [option])],
        {
          cwd: folder,
        },
      );
    expect((await run('')).code).toBe(0);
    const before = readFileSync(ignition);
    expect((await run('')).code).toBe(0);
    expect(readFileSync(ignition).equals(before)).toBe(true);
    expect((await run('--renew')).code).toBe(0);
    expect(readFileSync(ignition).equals(before)).toBe(false);
  });

  test('an ISO of another release is refused; --force accepts it', async () => {
    const folder = site({}, liveIso({}, 'rhcos-417.94.202410090854-0'));
    const before = snapshot(folder);

    const { code, stderr } = await create(folder);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('error[media/release]: the image is for OpenShift 4.17'),
    ]);
    expect(snapshot(folder)).toEqual(before);
    expect(await create(folder, '--force')).toMatchObject({ code: 0, stderr: '' });
  });

  test('run again after it was killed behind the image and before its receipt, writes that one', async () => {
    const folder = site();
    expect((await create(folder)).code).toBe(0);
    const before = snapshot(folder);
    const left = basename(draftPath(join(folder, 'single-node.iso'))).replace(/-\d*\.new$/, '-1.new');
    rmSync(join(folder, 'single-node.iso.receipt.json'));
    for (const draft of [left, '.single-node.iso.receipt.json.new']) writeFileSync(join(folder, draft), '{');

    expect(await create(folder)).toMatchObject({ code: 0 });
    expect(snapshot(folder)).toEqual(before);

    writeFileSync(join(folder, left), '{');
    expect(await create(folder), 'all of it is there').toMatchObject(code('media/output') as object);
    expect(snapshot(folder)).toEqual(before);
  });

  test.each([
    {
      of: 'another config',
      config: `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nreinstall: SameCluster\n`,
      args: [],
    },
    { of: 'other arguments of the kernel', config: '', args: ['--live-karg', 'console=ttyS0'] },
  ])('leaves an image without a receipt that has $of', async ({ config, args }) => {
    const folder = site();
    expect((await create(folder)).code).toBe(0);
    rmSync(join(folder, 'single-node.iso.receipt.json'));
    const image = readFileSync(join(folder, 'single-node.iso'));

    if (config !== '') writeFileSync(join(folder, 'sno-config.yaml'), config);
    expect(await create(folder, ...args)).toMatchObject(code('media/output') as object);
    expect(readFileSync(join(folder, 'single-node.iso')).equals(image)).toBe(true);
    expect(existsSync(join(folder, 'single-node.iso.receipt.json'))).toBe(false);
  });

  test('removes the receipt of a deleted image', async () => {
    const folder = site();
    expect((await create(folder)).code).toBe(0);
    const receipt = readFileSync(join(folder, 'single-node.iso.receipt.json'), 'utf8');
    rmSync(join(folder, 'single-node.iso'));

    expect((await create(folder, '--live-karg', 'console=ttyS0')).code).toBe(0);
    expect(readFileSync(join(folder, 'single-node.iso.receipt.json'), 'utf8')).not.toBe(receipt);
  });

  test('reports all problems of image, path and configs together, and generates no keys', async () => {
    const folder = site(
      { 'install-config.yaml': minimalInstallConfig.replace(/^baseDomain:.*$/m, 'baseDomain: example_com') },
      Buffer.from('no image'),
    );
    writeFileSync(join(folder, 'single-node.iso'), '');
    const before = snapshot(folder);

    const { code, stderr } = await create(folder);

    expect(code).toBe(1);
    for (const name of ['media/output', 'media/not-an-iso', 'config/base-domain'])
      expect(stderr).toContain(`error[${name}]`);
    expect(snapshot(folder)).toEqual(before);
  });

  test('rejects an image for another architecture before it writes files', async () => {
    const folder = site({
      'install-config.yaml': minimalInstallConfig.replace(/^(controlPlane:\n)/m, '$1  architecture: arm64\n'),
    });
    const { stderr } = await create(folder);

    expect(stderr).toContain(
      'error[media/architecture]: the image boots on amd64, but install-config.yaml is for arm64',
    );
    expect(existsSync(join(folder, 'worker.ign'))).toBe(false);
  });

  test.each([
    { args: ['--in-place', '--out', 'a.iso'], code: 2, name: 'usage/conflicting-options' },
    { args: ['--out', '-', '--output', 'json'], code: 2, name: 'usage/conflicting-options' },
    { args: ['--live-karg', 'a b'], code: 1, name: 'media/kernel-arguments' },
  ])('refuses $args', async ({ args, code, name }) => {
    const result = await create(site(), ...args);
    expect(result.code).toBe(code);
    expect(`${result.stderr}${result.stdout}`).toContain(name);
  });

  test('rejects a path that is not a file', async () => {
    const folder = site();
    const of = (iso: string): Promise<CommandOutput> =>
      snoInProcess(['create', 'single-node-iso', '--iso', iso], { cwd: folder });

    expect(await of('nothing.iso')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it does not exist') as string,
    });
    expect(await of('.')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not a regular file') as string,
    });
    expect((await snoInProcess(['create', 'single-node-iso'], { cwd: folder })).code).toBe(2);
  });
});
