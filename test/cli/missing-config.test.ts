import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

const create = (dir: string): string =>
  `run \`sno-install create install-config --dir ${dir}\`, or name another folder with --dir`;

test.each([
  {
    name: 'a misspelled folder',
    files: ['site1/install-config.yaml', 'north/install-config.yaml'],
    dir: 'sit1',
    hint: 'sit1 does not exist or is empty: did you mean --dir site1?',
  },
  {
    name: 'a folder next to others',
    files: ['sites/a/install-config.yaml', 'sites/b c/install-config.yaml', 'sites/x/README'],
    dir: 'sites/nothere',
    hint: "sites/nothere does not exist or is empty: name one of these folders with --dir: sites/a, 'sites/b c'",
  },
  {
    name: 'no folder at all',
    files: ['README'],
    dir: 'nothere',
    hint: `nothere does not exist or is empty: ${create('nothere')}`,
  },
  {
    name: 'a folder below a missing one',
    files: ['site1/install-config.yaml'],
    dir: 'no/where',
    hint: `no/where does not exist or is empty: ${create('no/where')}`,
  },
  {
    name: 'the folder above several sites',
    files: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((site) => `sites/${site}/install-config.yaml`),
    dir: 'sites/',
    hint: 'name one of these folders with --dir: sites/a, sites/b, sites/c, sites/d, sites/e, 2 more',
  },
  {
    name: 'a folder with other files',
    files: ['site1/install-config.yaml.bak', 'site1/sno-config.yaml'],
    dir: 'site1',
    hint: `site1 contains install-config.yaml.bak, sno-config.yaml: ${create('site1')}`,
  },
  {
    name: 'a fleet',
    files: ['fleet/fleet.yaml', 'fleet/base/install-config.yaml'],
    dir: 'fleet',
    hint: 'fleet contains fleet.yaml: use `sno-install fleet validate`',
  },
])('the hint for $name names what exists', async ({ files, dir, hint }) => {
  const folder = scratchFolder();
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), minimalInstallConfig);
  }
  for (const command of [['validate'], ['create', 'single-node-ignition-config'], ['why', 'DNS/cluster']]) {
    const { code, stderr } = await snoInProcess([...command, '--dir', dir], { cwd: folder });
    const hints = stderr.split('\n').flatMap((line) => line.split('= hint: ').slice(1));
    expect({ command, code, hint: hints[0] }).toEqual({ command, code: 1, hint });
  }
});

test('a file in place of the folder', async () => {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'site1'));
  writeFileSync(join(folder, 'site1/install-config.yaml'), minimalInstallConfig);
  const { code, stderr } = await snoInProcess(['validate', '--dir', 'site1/install-config.yaml'], {
    cwd: folder,
  });
  expect(code).toBe(2);
  expect(stderr).toContain("'site1/install-config.yaml' is a file, use: `--dir site1`");
});
