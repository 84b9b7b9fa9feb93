import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { unignoredSecrets } from '../../../src/disk/git/unignored-secrets.js';
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
  return unignoredSecrets(join(top, folder), sites).map(({ message, hint = '' }) =>
    `${message} | ${hint}`.replaceAll(`${top}/`, ''),
  );
}

const ofSite = (names: string, lines: string, more = ''): readonly string[] => [
  `${names} contain private keys, and Git does not ignore them | append ${lines} to .gitignore, or encrypt the outputs (encryptOutputs)${more}`,
];

describe('outputs of a site in a Git work tree', () => {
  const all = ofSite(
    'site1/.sno-install-state.json and 2 more',
    '`/site1/auth/` and `/site1/*.ign` and `/site1/.sno-install-state.json`',
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
      /^site1\/auth\/kubeconfig contain .*; then run `git -C \S*site1 rm -r --cached \.`/,
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
