import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { snoInProcess } from '../../support/in-process.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { fleetFolder, fleetText } from '../files.js';

function configMap(text: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\ndata: {x: "${text}"}\n`;
}

const config = 'certificates: {keyAlgorithm: ECDSA-P256}\nhostname: ${name}\nnodeIP: ${ip}\n';

const files: Readonly<Record<string, string>> = {
  'base/sno-config.yaml': snoConfigText(config),
};

interface ReportedSite {
  readonly sites: readonly { readonly name: string; readonly result: string }[];
  readonly problems: readonly { readonly code: string; readonly at?: { readonly file: string } }[];
}

/** Results of `fleet create`: exit code, problems, result of each site, and the folders with files of sites. */
async function created(dir: string): Promise<readonly unknown[]> {
  const { code, stdout } = await snoInProcess(['fleet', 'create', '--dir', dir, '--output', 'json']);
  const { sites, problems } = JSON.parse(stdout) as ReportedSite;
  const names = ['north-1', 'north-2'].filter((name) => {
    const folder = join(dir, 'out', name);
    return existsSync(folder) && readdirSync(folder).some((file) => !file.startsWith('.'));
  });
  return [
    code,
    problems.map((each) => `${each.code} ${each.at?.file.replace(`${dir}/`, '') ?? ''}`),
    sites.map(({ name, result }) => `${name} ${result}`),
    names,
  ];
}

const onlySecond = [['north-1 failed', 'north-2 created'], ['north-2']];

test.each([
  [
    'a variable without a value in a manifest of the base',
    { 'base/manifests/a.yaml': configMap('${nix} a') },
    ['fleet/variable base/manifests/a.yaml'],
    [['north-1 failed', 'north-2 failed'], []],
  ],
  [
    'a variable and another fault of the same site',
    {
      'overrides/north-1/manifests/a.yaml': configMap('${nix} a'),
      'overrides/north-1/sno-config.yaml': 'ntpSources: [not a server]\n',
    },
    [
      'fleet/variable overrides/north-1/manifests/a.yaml',
      'config/ntp-source overrides/north-1/sno-config.yaml',
    ],
    onlySecond,
  ],
  [
    'a variable in a class',
    {
      'fleet.yaml': fleetText('classes: ["${kind:-}"]\n'),
      'sites.csv': 'name,ip,kind\nnorth-1,192.168.126.10,du\nnorth-2,192.168.126.11,\n',
      'classes/du/manifests/a.yaml': configMap('a${nix}'),
    },
    ['fleet/variable classes/du/manifests/a.yaml'],
    onlySecond,
  ],
  [
    'a class without a directory',
    {
      'fleet.yaml': fleetText('classes: ["${kind:-}"]\n'),
      'sites.csv': 'name,ip,kind\nnorth-1,192.168.126.10,du\nnorth-2,192.168.126.11,\n',
    },
    ['fleet/class sites.csv'],
    onlySecond,
  ],
  [
    'an override that is not YAML, of a manifest of the base',
    {
      'base/manifests/a.yaml': configMap('a'),
      'overrides/north-1/manifests/a.yaml': 'data: {x: [}\n',
    },
    [
      'fleet/override overrides/north-1/manifests/a.yaml',
      'manifest/syntax overrides/north-1/manifests/a.yaml',
    ],
    onlySecond,
  ],
])('a site is not created: %s', async (_, changes, problems, [sites, folders]) => {
  expect(await created(fleetFolder({ ...files, ...changes }))).toEqual([1, problems, sites, folders]);
});

test('a site is not up to date if a placeholder lost its default, although the text is the same', async () => {
  const dir = fleetFolder({ ...files, 'base/manifests/a.yaml': configMap('a${nix:-}') });
  const names = ['north-1', 'north-2'];
  expect(await created(dir)).toEqual([0, [], names.map((name) => `${name} created`), names]);
  writeFileSync(join(dir, 'base/manifests/a.yaml'), configMap('a${nix}'));
  const status = await snoInProcess(['fleet', 'status', '--dir', dir]);
  expect([status.code, status.stdout]).toEqual([1, expect.stringMatching(/^ +2 {2}outdated/m)]);
  const problems = ['fleet/variable base/manifests/a.yaml'];
  expect(await created(dir)).toEqual([1, problems, names.map((name) => `${name} failed`), names]);
});

test.each([
  ['fleet', 'golden', '--out'],
  ['fleet', 'render', 'inputs', '--out'],
])('%s %s writes nothing for a variable without a value', async (...args) => {
  const dir = fleetFolder({ ...files, 'base/manifests/a.yaml': configMap('${nix} a') });
  const out = join(dir, 'shown');
  const { code, stderr } = await snoInProcess([...args, out, '--dir', dir]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('variable "nix" is not defined')]);
  expect(existsSync(out)).toBe(false);
});

test('fleet diff names the sites with a variable without a value', async () => {
  const [before, dir] = [
    fleetFolder(files),
    fleetFolder({ ...files, 'base/manifests/a.yaml': configMap('${nix} a') }),
  ];
  const { code, stdout, stderr } = await snoInProcess(['fleet', 'diff', before, dir]);
  expect([code, stdout]).toEqual([
    1,
    `not compared (2 sites: north-1, north-2): variable "nix" is not defined\n2 sites not compared: ${before} and ${dir}.\n`,
  ]);
  expect(stderr).toContain('variable "nix" is not defined');
});
