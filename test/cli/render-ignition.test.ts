import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { areaBytes, liveIso } from '../media/support/live-iso.js';

import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

const empty = '{"ignition":{"version":"3.2.0"}}';

/** Renders one config in its own folder. */
async function rendered(
  text: string,
  out = 'tree',
  folder = scratchFolder(),
): Promise<CommandOutput & { readonly folder: string }> {
  writeFileSync(join(folder, 'node.ign'), text);
  return { ...(await snoInProcess(['render', 'ignition', '--out', out], { cwd: folder })), folder };
}

describe('render ignition', () => {
  test('contains no secrets of a site, and prints the written files', async () => {
    const dir = scratchFolder();
    const password = 'canary-of-the-proxy';
    const auth = Buffer.from('throwaway:canary-of-the-registry').toString('base64');
    const pullSecret = `pullSecret: '{"auths":{"quay.io":{"auth":"${auth}"}}}'`;
    const config = minimalInstallConfig.replace(/^pullSecret:.*$/m, pullSecret);
    writeFileSync(
      join(dir, 'install-config.yaml'),
      `${config}proxy: { httpProxy: "http://user:${password}@proxy.example.com:3128" }\n`,
    );
    writeFileSync(
      join(dir, 'sno-config.yaml'),
      snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\ncontrolPlane: { render: Installer }\n'),
    );
    expect((await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir])).code).toBe(0);
    const state = JSON.parse(readFileSync(join(dir, '.sno-install-state.json'), 'utf8')) as {
      readonly generatedValues: Readonly<Record<string, string>>;
    };
    const keys = Object.values(state.generatedValues).filter((draw) => draw.includes('PRIVATE KEY'));
    const words = [
      password,
      auth,
      'canary-of-the-registry',
      readFileSync(join(dir, 'auth/kubeadmin-password'), 'utf8'),
    ];
    const lines = keys.map((pem) => pem.split('\n')[1] ?? '');

    const { code, stdout } = await snoInProcess([
      'render',
      'ignition',
      '--dir',
      dir,
      '--out',
      join(dir, 'tree'),
    ]);

    const tree = JSON.stringify(snapshot(join(dir, 'tree')));
    const inBase64 = [...words, ...keys].map((text) => Buffer.from(text).toString('base64').slice(0, 40));
    expect(keys.length).toBeGreaterThan(20);
    expect([...words, ...lines, ...inBase64].filter((secret) => tree.includes(secret))).toEqual([]);
    expect(tree).toContain('<pull secret of quay.io>');
    expect(tree).toMatch(/private key ec-prime256v1 [0-9a-f]{8}/);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /bootstrap-in-place-for-live-iso\.ign\.json: the config, with the files of the node in/,
    );
  });

  test('replaces an earlier tree as a whole, and an empty folder', async () => {
    const { folder } = await rendered(
      '{"ignition":{"version":"3.2.0"},"storage":{"files":[{"path":"/a","contents":{"source":"data:,a"}}]}}',
    );
    expect(existsSync(join(folder, 'tree/node.ign.d/a'))).toBe(true);
    expect((await rendered(empty, 'tree', folder)).code).toBe(0);
    expect(Object.keys(snapshot(join(folder, 'tree')))).toEqual(['index.txt', 'node.ign.json']);

    mkdirSync(join(folder, 'empty'));
    expect((await rendered(empty, 'empty', folder)).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['empty', 'node.ign', 'tree']);
  });

  const inFolder =
    (file: string, text: string) =>
    (at: string): void => {
      mkdirSync(at);
      writeFileSync(join(at, file), text);
    };
  test.each([
    { name: 'a folder of somebody else', make: inFolder('a', 'b') },
    { name: 'a folder with an index of its own', make: inFolder('index.txt', 'mine\n') },
    {
      name: 'a file',
      make: (at: string): void => {
        writeFileSync(at, 'b');
      },
    },
    {
      name: 'a link',
      make: (at: string): void => {
        symlinkSync('/', at);
      },
    },
  ])('leaves $name as it is', async ({ make }) => {
    const folder = scratchFolder();
    make(join(folder, 'tree'));
    writeFileSync(join(folder, 'node.ign'), empty);
    const before = readdirSync(folder).toSorted();

    const { code, stderr } = await rendered(empty, 'tree', folder);

    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('review/not-a-tree') as string,
    });
    expect(readdirSync(folder).toSorted()).toEqual(before);
  });

  test.each([
    ['no JSON', 'a: b', 'review/not-a-config'],
    ['JSON that is no config', '{"ignition":{}}', 'review/not-a-config'],
    ['bytes', '\u00ff', 'review/not-a-config'],
  ])('refuses %s', async (_name, text, code) => {
    const result = await rendered(text);

    expect({ code: result.code, stderr: result.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(code) as string,
    });
    expect(existsSync(join(result.folder, 'tree'))).toBe(false);
  });

  test('shows the config in a live image and an initrd overlay, or reports a missing one', async () => {
    const folder = scratchFolder();
    const area = Buffer.alloc(areaBytes);
    const contents = Buffer.from(empty);
    const archive = cpioArchive([{ path: 'config.ign', mode: cpioType.file | 0o600, contents }]);
    gzipSync(archive).copy(area);
    writeFileSync(join(folder, 'overlay.img'), archive);
    writeFileSync(join(folder, 'other.img'), cpioArchive([]));
    writeFileSync(join(folder, 'full.iso'), liveIso({ 'IMAGES/IGNITION.IMG': area }));
    writeFileSync(join(folder, 'empty.iso'), liveIso());
    writeFileSync(join(folder, 'broken.iso'), liveIso().subarray(0, 40_000));
    const render = (name: string): Promise<CommandOutput> =>
      snoInProcess(['render', 'ignition', name, '--out', 'tree'], { cwd: folder });

    expect((await render('full.iso')).code).toBe(0);
    expect(Object.keys(snapshot(join(folder, 'tree')))).toEqual(['full.iso.ign.json', 'index.txt']);
    expect((await render('overlay.img')).code).toBe(0);
    expect(Object.keys(snapshot(join(folder, 'tree')))).toEqual(['index.txt', 'overlay.img.ign.json']);
    expect((await render('other.img')).stderr).toContain('the image contains no Ignition config');
    expect((await render('empty.iso')).stderr).toContain('the image contains no Ignition config');
    expect((await render('broken.iso')).stderr).toContain('error[media/damaged]');
  });

  test('requires configs with different names', async () => {
    const folder = scratchFolder();
    for (const name of ['a', 'b']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'node.ign'), empty);
    }
    const render = async (...args: readonly string[]): Promise<string> =>
      (await snoInProcess(['render', 'ignition', ...args, '--out', 'tree'], { cwd: folder })).stderr;

    expect(await render('a/node.ign', 'b/node.ign')).toContain('review/one-name');
    expect(await render()).toContain('review/nothing-to-show');
    expect(await render('c.ign')).toContain('usage/unreadable-file');
    expect((await snoInProcess(['render', 'ignition'], { cwd: folder })).code).toBe(2);
  });
});
