import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { readTree } from '../support/read-tree.js';
import { scratchFolder } from '../support/scratch.js';

const snoConfig = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';

function sites(): string {
  const folder = scratchFolder();
  for (const name of ['berlin', 'paris'])
    cpSync('fixtures/configs/minimal', join(folder, 'sites', name), { recursive: true });
  return folder;
}

describe('golden', () => {
  test('writes the same tree in every directory, clock and environment, and no other files', async () => {
    const [here, there] = [sites(), sites()];
    const golden = (cwd: string, variables: Readonly<Record<string, string>>): Promise<CommandOutput> =>
      snoInProcess(['golden', 'sites/berlin', 'sites/paris/', '--out', 'golden'], { cwd, variables });
    writeFileSync(join(there, 'sites/paris/.sno-install-state.json'), 'no state at all', { mode: 0o600 });
    const before = snapshot(join(there, 'sites'));

    const first = await golden(here, {});
    const second = await golden(there, {
      SOURCE_DATE_EPOCH: '1900000000',
      OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: 'quay.io/a/b:1',
      TZ: 'Asia/Tokyo',
      LC_ALL: 'tr_TR.UTF-8',
    });

    expect([first.code, first.stderr, second.code, second.stderr]).toEqual([0, '', 0, '']);
    expect(first.stdout).toMatch(/^Wrote \d+ files of 2 sites to golden\. They contain no secrets/);
    expect(snapshot(join(there, 'sites'))).toEqual(before);
    expect(snapshot(join(there, 'golden'))).toEqual(snapshot(join(here, 'golden')));
    expect(readFileSync(join(here, 'golden/index.txt'), 'utf8')).toMatch(
      /^Tree of sno-install \S+\ngolden: .*nothing here boots\nsingle-node-ignition-config sites\/berlin\nsingle-node-ignition-config sites\/paris\n$/,
    );
  });

  describe('of the one site in --dir', () => {
    let tree: Readonly<Record<string, string>> = {};
    beforeAll(async () => {
      const out = join(scratchFolder(), 'golden');
      await snoInProcess(['golden', '--dir', 'fixtures/configs/minimal', '--out', out]);
      tree = readTree(out);
    });

    test('contains no keys or configs, only placeholders for keys', () => {
      const shown = Object.entries(tree).filter(([path]) => !path.startsWith('templates/'));
      const all = shown.map(([, text]) => text).join('\n');
      const keys = [...all.matchAll(/\bkey (\S+ )[0-9a-f]{8}/g)].map(([, kind = '']) => kind);

      expect(Object.keys(tree).filter((path) => path.endsWith('.ign'))).toEqual([]);
      expect(keys.length).toBeGreaterThan(50);
      expect(keys.filter((kind) => !kind.startsWith('stand-in-'))).toEqual([]);
      expect(all).not.toMatch(/-----BEGIN|that cannot be read/);
      // The pull secret of the fixture.
      expect(all).not.toContain('dGhyb3dhd2F5');
    });

    test('has each constant file that the site uses, as it is', () => {
      const index = tree['bootstrap-in-place-for-live-iso.ign.d/index.txt'] ?? '';
      const lines = [...index.matchAll(/ (\/\S+) \((?:[^()]*, )?template\)$/gm)];
      const named = lines.map(([, path = '']) => `live${path}`);

      expect(named.length).toBeGreaterThan(10);
      for (const path of named)
        expect(tree[`templates/${path}`], path).toBe(readFileSync(join('templates', path), 'utf8'));
    });
  });

  test('--check reports the differences, and writes no files', async () => {
    const folder = sites();
    const golden = (...args: readonly string[]): Promise<CommandOutput> =>
      snoInProcess(['golden', 'sites/berlin', 'sites/paris', '--out', 'golden', ...args], { cwd: folder });
    expect(await golden('--check')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('review/not-a-tree') as string,
    });
    expect(existsSync(join(folder, 'golden'))).toBe(false);
    expect((await golden()).code).toBe(0);
    expect((await golden('--check')).stdout).toMatch(/^No differences: /);
    writeFileSync(join(folder, 'sites/paris/sno-config.yaml'), `${snoConfig}hostname: node1.example.com\n`);
    const before = snapshot(folder);

    const { code, stdout } = await golden('--check');

    expect(code).toBe(1);
    expect(snapshot(folder)).toEqual(before);
    expect(stdout.match(/^[~+-] .*$/gm)).toEqual([
      '~ file /opt/openshift/etcd-snapshot/snapshot.json in sites/paris/bootstrap-in-place-for-live-iso.ign',
      '~ file /opt/openshift/sno-install.env in sites/paris/bootstrap-in-place-for-live-iso.ign',
      '+ file /etc/hostname in sites/paris/bootstrap-in-place-for-live-iso.ign',
      '+ object MachineConfig 99-master-hostname (machineconfiguration.openshift.io) in sites/paris/bootstrap-in-place-for-live-iso.ign',
    ]);
    expect(stdout).toMatch(/run the command again without --check and commit the tree\.\n$/);
  });

  test('reports the problems of every site, and writes no files', async () => {
    const folder = sites();
    for (const name of ['berlin', 'paris'])
      writeFileSync(join(folder, 'sites', name, 'sno-config.yaml'), `${snoConfig}hostname: a_b\n`);

    const { code, stderr } = await snoInProcess([
      'golden',
      ...['berlin', 'paris'].map((name) => join(folder, 'sites', name)),
      '--out',
      join(folder, 'golden'),
    ]);

    expect(code).toBe(1);
    expect(stderr.match(/config\/hostname/g)).toHaveLength(2);
    expect(stderr).toContain('sites/berlin/sno-config.yaml:3:11');
    expect(stderr).toContain('sites/paris/sno-config.yaml:3:11');
    expect(existsSync(join(folder, 'golden'))).toBe(false);
  });

  it.each([
    ['two of one name', ['a', './a/'], 'two sites have the name'],
    ['one where templates stand', ['templates'], 'a site cannot have the name templates'],
  ])('refuses %s', async (_name, dirs, said) => {
    const folder = scratchFolder();
    for (const dir of ['a', 'templates']) mkdirSync(join(folder, dir));
    expect(await snoInProcess(['golden', ...dirs, '--out', 'golden'], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(said) as string,
    });
  });

  test('keeps a folder with other files, and a link', async () => {
    const folder = sites();
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine/file'), 'mine');
    symlinkSync('mine', join(folder, 'link'));
    for (const out of ['mine', 'link']) {
      const args = ['golden', '--dir', join(folder, 'sites/paris'), '--out', join(folder, out)];
      expect((await snoInProcess(args)).stderr).toContain('review/not-a-tree');
    }
    expect(readFileSync(join(folder, 'mine/file'), 'utf8')).toBe('mine');
  });
});
