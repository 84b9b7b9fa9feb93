import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from 'vitest';

import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { areaBytes, liveIso } from '../media/support/live-iso.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const ignition = (text: string): string =>
  JSON.stringify({
    ignition: { version: '3.2.0' },
    storage: { files: [{ path: '/etc/motd', contents: { source: `data:,${text}` } }] },
  });

function git(folder: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(
    'git',
    [
      '-C',
      folder,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      '-c',
      'init.defaultBranch=main',
      ...args,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}

/** A repository with configs, an ISO, a rendered tree of `a.ign`, and a site. */
let folder = '';
beforeAll(async () => {
  folder = scratchFolder();
  writeFileSync(join(folder, 'a.ign'), ignition('a'));
  writeFileSync(join(folder, 'b.ign'), ignition('b'));
  const area = Buffer.alloc(areaBytes);
  const contents = Buffer.from(ignition('b'));
  gzipSync(cpioArchive([{ path: 'config.ign', mode: cpioType.file | 0o600, contents }])).copy(area);
  writeFileSync(join(folder, 'b.iso'), liveIso({ 'IMAGES/IGNITION.IMG': area }));
  cpSync('fixtures/configs/minimal', join(folder, 'site'), { recursive: true });
  for (const name of ['a', 'b']) {
    mkdirSync(join(folder, `made-${name}/auth`), { recursive: true });
    writeFileSync(join(folder, `made-${name}/aio.ign`), ignition(name));
    writeFileSync(join(folder, `made-${name}/auth/kubeadmin-password`), `canary-${name}`);
  }
  mkdirSync(join(folder, 'empty'));
  await snoInProcess(['render', 'ignition', join(folder, 'a.ign'), '--out', join(folder, 'tree')]);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
});

const at = (...names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));
const motd = ['~ file /etc/motd in', '    contents: a → b'];

describe('diff', () => {
  test.each([
    ['configs', ['a.ign', 'b.ign'], [`${motd[0] ?? ''} config.ign`, motd[1]]],
    ['a config and an ISO', ['a.ign', 'b.iso'], [`${motd[0] ?? ''} config.ign`, motd[1]]],
    ['a tree and a config', ['tree', 'b.ign'], [`${motd[0] ?? ''} a.ign`, motd[1]]],
    ['a directory and an ISO', ['made-a', 'b.iso'], [`${motd[0] ?? ''} aio.ign`, motd[1]]],
    [
      'directories',
      ['made-a', 'made-b'],
      [
        `${motd[0] ?? ''} aio.ign`,
        motd[1],
        '~ output auth/kubeadmin-password',
        '    contents: differs in hidden content (a secret or a certificate signature)',
      ],
    ],
  ])('of %s', async (_name, names, lines) => {
    const { code, stdout, stderr } = await snoInProcess(['diff', ...at(...names)]);

    expect([code, stderr]).toEqual([1, '']);
    const count = lines.length === 2 ? '1 difference' : '2 differences';
    expect(stdout).toBe(`${lines.join('\n')}\n\n${count}: ${at(...names).join(' and ')}.\n`);
  });

  test.each([
    ['a config', ['a.ign', 'a.ign']],
    ['a tree and its config', ['tree', 'a.ign']],
    ['an ISO and its config', ['b.iso', 'b.ign']],
    ['a directory', ['made-a', 'made-a']],
    ['a directory of inputs', ['site', 'site']],
  ])('of %s and the same is none', async (_name, names) => {
    const { code, stdout } = await snoInProcess(['diff', ...at(...names)]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `No differences: ${at(...names).join(' and ')}.\n` });
  });

  test('compares a site in a revision with its current inputs', async () => {
    const clone = scratchFolder();
    git(clone, 'clone', '-q', folder, 'repository');
    const site = join(clone, 'repository/site');
    const config = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nhostname: node1.example.com\n';
    writeFileSync(join(site, 'sno-config.yaml'), config);
    // Outputs are not committed.
    writeFileSync(join(site, 'aio.ign'), ignition('a'));

    const changed = await snoInProcess(['diff', site, '--against', 'HEAD', '--output', 'json']);
    git(join(clone, 'repository'), 'add', 'site/sno-config.yaml');
    git(join(clone, 'repository'), 'commit', '-qm', 'second');
    const same = await snoInProcess(['diff', site, '--against', 'HEAD']);
    const earlier = await snoInProcess(['diff', '--dir', site, '--against', 'HEAD~1']);

    const { differences } = JSON.parse(changed.stdout) as {
      readonly differences: readonly { name: string }[];
    };
    expect(changed.code).toBe(1);
    expect(differences.map(({ name }) => name)).toEqual([
      '/opt/openshift/etcd-snapshot/snapshot.json',
      '/opt/openshift/sno-install.env',
      '/etc/hostname',
      'MachineConfig 99-master-hostname (machineconfiguration.openshift.io)',
    ]);
    expect([same.code, same.stdout]).toEqual([0, `No differences: ${site} against HEAD.\n`]);
    expect([earlier.code, earlier.stdout.includes("+SNO_HOSTNAME='node1.example.com'")]).toEqual([1, true]);
  });

  test('names a file of a revision as git does where it has a problem', async () => {
    const clone = scratchFolder();
    git(clone, 'clone', '-q', folder, 'repository');
    const repository = join(clone, 'repository');
    rmSync(join(repository, 'site'), { recursive: true });
    mkdirSync(join(repository, 'site'));
    writeFileSync(join(repository, 'site/install-config.yaml'), 'apiVersion: v2\n');
    git(repository, 'commit', '-qam', 'broken');
    cpSync('fixtures/configs/minimal', join(repository, 'site'), { recursive: true });

    const { code, stderr } = await snoInProcess(['diff', join(repository, 'site'), '--against', 'HEAD']);

    expect(code).toBe(1);
    expect(stderr).toContain('--> HEAD:');
    expect(stderr).toContain('site/install-config.yaml');
  });

  test('of trees in a revision, a new one being there as a whole', async () => {
    const clone = scratchFolder();
    git(clone, 'clone', '-q', folder, 'repository');
    const tree = join(clone, 'repository/tree');
    writeFileSync(join(tree, 'a.ign.d/etc/motd'), 'b');
    expect((await snoInProcess(['diff', tree, '--against', 'main'])).stdout).toContain(
      '    contents: a → b\n',
    );

    const fresh = join(clone, 'repository/fresh');
    cpSync(tree, fresh, { recursive: true });
    const added = await snoInProcess(['diff', fresh, '--against', 'main']);
    expect(added.code).toBe(1);
    expect(added.stdout).toContain('+ file /etc/motd in a.ign\n    mode: 0644\n');
  });

  test.each([
    ['one place', ['a.ign'], 2, 'expected two paths to compare, got 1'],
    ['nothing that is there', ['a.ign', 'none.ign'], 2, 'usage/unreadable-file'],
    ['a file that is no config', ['a.ign', 'site/install-config.yaml'], 1, 'review/not-a-config'],
    ['an empty folder beside a config', ['a.ign', 'empty'], 1, 'review/nothing-to-show'],
    ['a folder of something else', ['made-a/auth', 'made-a'], 1, 'review/nothing-to-show'],
  ])('refuses %s', async (_name, names, code, said) => {
    const result = await snoInProcess(['diff', ...at(...names)]);

    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(said);
  });

  test.each([
    ['a revision that is not there', 'none', 'review/revision'],
    ['an option of git', '--output=x', 'review/revision'],
  ])('refuses %s', async (_name, revision, said) => {
    const result = await snoInProcess(['diff', join(folder, 'site'), `--against=${revision}`]);

    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(said);
  });

  test('refuses a folder that is in no repository', async () => {
    const { code, stderr } = await snoInProcess(['diff', '/proc/self', '--against', 'HEAD']);
    expect(code).toBe(1);
    expect(stderr).toContain('review/revision');
  });

  test('of two sheets: the changed lines by section', async () => {
    const dirs = ['minimal', 'disconnected'].map((name) => join('fixtures/configs', name));
    const { code, stdout, stderr } = await snoInProcess(['diff', '--sheet', ...dirs]);

    expect([code, stderr]).toEqual([1, '']);
    expect(stdout.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
      'Cluster',
      'Disk',
      'Services',
      '',
      '13 changed lines: fixtures/configs/minimal and fixtures/configs/disconnected.',
      '',
    ]);
    expect(stdout).toContain(
      'Disk\n  - Erases: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4\n  + Erases: /dev/disk/by-id/scsi-3600508b1001c7e1f\n',
    );
    const equal = await snoInProcess(['diff', '--sheet', join(folder, 'site'), '--against', 'HEAD']);
    expect([equal.code, equal.stdout]).toEqual([
      0,
      `No changed lines in the sheet: ${join(folder, 'site')} against HEAD.\n`,
    ]);
  });

  test('as Markdown for a comment', async () => {
    const { code, stdout } = await snoInProcess(['diff', ...at('a.ign', 'b.ign'), '--output', 'markdown']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      '<details><summary><code>~ file /etc/motd in config.ign</code></summary>\n\n```diff\n',
    );
    const equal = await snoInProcess(['diff', ...at('a.ign', 'a.ign'), '--output', 'markdown']);
    expect([equal.code, equal.stdout.startsWith('No differences: <code>')]).toEqual([0, true]);
  });
});

describe('diff of outputs', () => {
  test('warns if their inputs have changed since', async () => {
    const before = join(scratchFolder(), 'before');
    mkdirSync(before);
    writeFileSync(join(before, 'install-config.yaml'), minimalInstallConfig);
    const state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
    writeFileSync(join(before, '.sno-install-state.json'), state, { mode: 0o600 });
    await snoInProcess(['create', 'single-node-ignition-config', '--dir', before]);
    const after = join(scratchFolder(), 'after');
    cpSync(before, after, { recursive: true });
    expect(await snoInProcess(['diff', before, after])).toMatchObject({ code: 0, stderr: '' });

    writeFileSync(join(after, 'sno-config.yaml'), snoConfigText('ntpSources: [time.example.com]\n'));
    for (const sides of [
      [before, after],
      [after, before],
    ]) {
      const { code, stderr } = await snoInProcess(['diff', ...sides]);
      expect([code, stderr.split('\n')[0]]).toEqual([
        0,
        `warning[inspect/outdated-outputs]: the Ignition configs in ${relative('', after)} are compared, but they are older than "sno-config.yaml"`,
      ]);
    }
  });
});
