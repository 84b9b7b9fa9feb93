import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { unignoredSecrets } from '../../../src/disk/git/unignored-secrets.js';
import { liveIso } from '../../media/support/live-iso.js';
import { snoInProcess } from '../../support/in-process.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { scratchFolder } from '../../support/scratch.js';

const plain = ['bootstrap-in-place-for-live-iso.ign', 'auth/kubeconfig', '.sno-install-state.json'];

/** A folder with these files; a Git work tree with `.git`. */
function folderWith(files: Readonly<Record<string, string>>, isRepository = true): string {
  const top = scratchFolder();
  if (isRepository) execFileSync('git', ['init', '--quiet', top]);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return top;
}

function outputsIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(plain.map((name) => [join(folder, name), '{}']));
}

function found(top: string, folder: string, sites?: readonly string[]): readonly string[] {
  return unignoredSecrets(join(top, folder), sites && { sites }).map(({ message, hint = '' }) =>
    `${message} | ${hint}`.replaceAll(`${top}/`, ''),
  );
}

const ofSite = (names: string, lines: string, more = ''): readonly string[] => [
  `${names} contain private keys, and Git does not ignore them | append ${lines} to .gitignore, or encrypt the outputs (encryptOutputs)${more}`,
];

describe('outputs of a site in a Git work tree', () => {
  const all = ofSite(
    'site1/.sno-install-state.json and 2 more',
    '`/site1/.sno-install-state.json` and `/site1/*.ign` and `/site1/auth/`',
  );
  test.each([
    { name: 'are named with the lines for .gitignore', ignored: '', want: all },
    {
      name: 'of which some are ignored',
      ignored: 'auth/\n.sno-install*\n',
      want: ofSite('site1/bootstrap-in-place-for-live-iso.ign', '`/site1/*.ign`'),
    },
    { name: 'that a later line includes again', ignored: 'site1/\n!site1/\n', want: all },
    { name: 'that are ignored, with CRLF', ignored: '*.ign\r\nauth/\r\n.sno-install*\r\n', want: [] },
    { name: 'that are ignored by a folder, without a final newline', ignored: '/site1', want: [] },
  ])('$name', ({ ignored, want }) => {
    expect(found(folderWith({ '.gitignore': ignored, ...outputsIn('site1') }), 'site1')).toEqual(want);
  });

  test('are not named outside of Git', () => {
    expect(found(folderWith(outputsIn('site1'), false), 'site1')).toEqual([]);
  });

  test('are not named if they are encrypted', () => {
    const files = {
      'site1/auth/kubeconfig.age': 'a',
      'site1/.sno-install-state.json': 'age-encryption.org/v1\n',
    };
    expect(found(folderWith(files), 'site1')).toEqual([]);
  });

  test('that Git already has are removed from the index', () => {
    const top = folderWith({ ...outputsIn('site1'), '.gitignore': '' });
    execFileSync('git', ['-C', top, 'add', 'site1/auth']);
    writeFileSync(join(top, '.gitignore'), 'site1/\n');
    expect(found(top, 'site1')[0]).toMatch(
      /^site1\/auth\/kubeconfig contain .*; then run `git -C \S*site1 rm --cached auth\/kubeconfig`/,
    );
  });
});

describe('outputs of a fleet in a Git work tree', () => {
  test.each([
    { ignored: '', want: ofSite('fl[e]et/out/a/.sno-install-state.json and 5 more', '`/fl\\[e]et/out/`') },
    { ignored: '/fl\\[e]et/out/\n', want: [] },
    {
      ignored: '*/out/*\n!*/out/b/\n',
      want: ofSite('fl[e]et/out/b/.sno-install-state.json and 2 more', '`/fl\\[e]et/out/`'),
    },
  ])('with the .gitignore $ignored', ({ ignored, want }) => {
    const top = folderWith({
      '.gitignore': ignored,
      ...outputsIn('fl[e]et/out/a'),
      ...outputsIn('fl[e]et/out/b'),
    });
    expect(found(top, 'fl[e]et/out', ['a', 'b', 'absent'])).toEqual(want);
  });
});

describe('media in a Git work tree', () => {
  const media = { 'usb/site1.iso': 'i', 'tftp/a b.img': 'o' };
  const warned = (top: string, folder: string, paths: readonly string[]): readonly string[] =>
    unignoredSecrets(join(top, folder), { media: paths.map((path) => join(top, path)) }).map(
      ({ message, hint = '' }) => `${message} | ${hint}`.replaceAll(`${top}/`, ''),
    );
  const ofMedia = (names: string, lines: string): readonly string[] => [
    `${names} contain private keys, and Git does not ignore them | append ${lines} to .gitignore`,
  ];

  test.each([
    {
      name: 'are named with the outputs of their site, once',
      ignored: '',
      want: ofMedia(
        'site1/.sno-install-state.json and 4 more',
        '`/site1/.sno-install-state.json` and `/site1/*.ign` and `/site1/auth/` and `/usb/*.iso` and `/tftp/a b.img`',
      ),
    },
    {
      name: 'without ignored outputs',
      ignored: '/site1/\n*.img\n',
      want: ofMedia('usb/site1.iso', '`/usb/*.iso`'),
    },
    { name: 'that are ignored', ignored: '/site1/\n*.img\n*.iso\n', want: [] },
  ])('$name', ({ ignored, want }) => {
    const top = folderWith({ '.gitignore': ignored, ...outputsIn('site1'), ...media });
    expect(warned(top, 'site1', Object.keys(media))).toEqual(want);
  });

  test('of a site outside of Git, and of another repository', () => {
    const [site, top] = [folderWith(outputsIn('.'), false), folderWith(media)];
    const found = unignoredSecrets(site, { media: Object.keys(media).map((path) => join(top, path)) });
    expect(found.map(({ message }) => message)).toEqual([
      'usb/site1.iso and 1 more contain private keys, and Git does not ignore them',
    ]);
  });

  test('that Git already has are removed from the index alone', () => {
    const top = folderWith(media);
    execFileSync('git', ['-C', top, 'add', '.']);
    expect(warned(top, 'usb', ['usb/site1.iso'])[0]).toMatch(
      /; then run `git -C usb rm --cached site1\.iso`: Git already has some of them$/,
    );
  });

  test('at their usual place in the folder of a site', () => {
    const top = folderWith({ 'site1/single-node.iso': 'i', 'site1/pxe/single-node-initrd.img': 'o' });
    expect(warned(top, 'site1', ['site1/single-node.iso'])).toEqual(
      ofMedia('site1/single-node.iso and 1 more', '`/site1/*.iso` and `/site1/pxe/`'),
    );
    const fleet = folderWith({ 'out/a/single-node.iso': 'i', 'out/a/auth/kubeconfig.age': 'e' });
    expect(found(fleet, 'out', ['a'])).toEqual(ofMedia('out/a/single-node.iso', '`/out/`'));
  });
});

test('create warns once, and not with the line in .gitignore', async () => {
  const top = folderWith({ 'site1/install-config.yaml': minimalInstallConfig });
  const create = ['create', 'single-node-ignition-config', '--dir', 'site1'];
  const first = await snoInProcess(create, { cwd: top });
  expect([first.code, first.stderr.match(/warning\[dir\/not-ignored\]/g)]).toEqual([
    0,
    ['warning[dir/not-ignored]'],
  ]);
  const [, lines = ''] = /append (.*) to /.exec(first.stderr) ?? [];
  writeFileSync(
    join(top, '.gitignore'),
    [...lines.matchAll(/`(.*?)`/g)].map(([, line = '']) => `${line}\n`).join(''),
  );
  const second = await snoInProcess(create, { cwd: top });
  expect([second.code, second.stderr]).toEqual([0, '']);
});

test.each([
  {
    name: 'create iso',
    args: ['create', 'iso', 'site1', '--iso', '../live.iso', '--out', 'usb/site1.iso'],
    line: '`/usb/*.iso`',
  },
  {
    name: 'create pxe',
    args: ['create', 'pxe', 'site1', '--rootfs', 'http://192.0.2.1/rootfs.img', '--out', 'tftp'],
    line: '`/tftp/single-node-initrd.img`',
  },
])('$name warns once, and not with the lines in .gitignore', async ({ args, line }) => {
  const parent = folderWith({ 'repository/site1/install-config.yaml': minimalInstallConfig }, false);
  const top = join(parent, 'repository');
  execFileSync('git', ['init', '--quiet', top]);
  mkdirSync(join(top, 'usb'));
  writeFileSync(join(parent, 'live.iso'), liveIso());
  const first = await snoInProcess(args, { cwd: top });
  expect([first.code, first.stderr.match(/warning\[dir\/not-ignored\]/g)]).toEqual([
    0,
    ['warning[dir/not-ignored]'],
  ]);
  const [, lines = ''] = /append (.*) to /.exec(first.stderr) ?? [];
  expect(lines).toContain(line);
  writeFileSync(
    join(top, '.gitignore'),
    [...lines.matchAll(/`(.*?)`/g)].map(([, each = '']) => `${each}\n`).join(''),
  );
  rmSync(join(top, 'usb/site1.iso'), { force: true });
  const second = await snoInProcess(args, { cwd: top });
  expect([second.code, second.stderr]).toEqual([0, '']);
});
