import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { neededStdin } from '../../src/fleet/build/fleet-options.js';
import { checkFleet, type LoadedFleet } from '../../src/fleet/table/check-fleet.js';
import { filesOf, siteSourcesOf } from '../../src/fleet/table/check-site-files.js';
import { openFleet, openFleetToCheck } from '../../src/fleet/table/read-fleet.js';
import { dryRunCheck } from '../../src/fleet/review/dry-run-check.js';
import { secretVariables } from '../../src/fleet/review/secret-variables.js';
import type { SiteFiles } from '../../src/fleet/table/site-files.js';
import { sha256 } from '../../src/formats/sha256.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { snoInProcess } from '../support/in-process.js';
import { snoConfigText } from '../support/minimal-config.js';
import { expectOk } from '../support/sound-value.js';
import { commitAll } from '../support/commit-all.js';
import { fleetFolder, fleetText, problemLine } from './files.js';

const classes = 'classes: ["${hardware}", "${region:-}"]\n';

/** north-1 has two classes, north-2 has one. */
const files: Readonly<Record<string, string>> = {
  'fleet.yaml': fleetText(classes),
  'sites.csv': 'name,ip,hardware,region\nnorth-1,192.168.126.10,r750,eu\nnorth-2,192.168.126.11,xr8000,\n',
  'classes/r750/sno-config.yaml': 'kernelArguments: [class, "${name}"]\nntpSources: [192.0.2.1]\n',
  'classes/xr8000/manifests/a.yaml':
    'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a, namespace: default}\n',
  'classes/eu/sno-config.yaml': 'ntpSources: [192.0.2.2]\n',
  'overrides/north-1/sno-config.yaml': 'hostname: own\n',
};

function opened(changes: Readonly<Record<string, string>> = {}): LoadedFleet {
  return expectOk(openFleet(fleetFolder({ ...files, ...changes })));
}

function siteOf(read: LoadedFleet, index: number): SiteFiles {
  const row = read.rows[index];
  if (row === undefined) throw new Error('there is no such site');
  return filesOf(read, row);
}

function dataOf({ inputs }: SiteFiles, path: string): unknown {
  const read = inputs.read(path);
  if (read.kind !== 'file') return read.kind;
  expect(inputs.digest(path)).toEqual({ kind: 'file', sha256: sha256(read.bytes) });
  return readYaml(Buffer.from(read.bytes).toString()).documents.map(toData)[0];
}

describe('the classes of a site', () => {
  it('are merged over the base in their order, and the override over them', () => {
    const read = opened({
      'classes/eu/manifests/logo.txt': 'class',
      'base/manifests/logo.txt': 'base',
      'base/manifests/a.yaml': 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: "${name}"}\n',
    });
    const [one, other] = [siteOf(read, 0), siteOf(read, 1)];
    expect(dataOf(one, 'sno-config.yaml')).toMatchObject({
      hostname: 'own',
      nodeIP: '192.168.126.10',
      kernelArguments: ['class', 'north-1'],
      ntpSources: ['192.0.2.2'],
    });
    expect([dataOf(one, 'manifests/logo.txt'), dataOf(other, 'manifests/logo.txt')]).toEqual([
      'class',
      'base',
    ]);
    expect(dataOf(other, 'manifests/a.yaml')).toMatchObject({ metadata: { name: 'a' } });
    expect(dataOf(one, 'manifests/a.yaml')).toMatchObject({ metadata: { name: 'north-1' } });
    expect(other.inputs.list('manifests')).toEqual(['a.yaml', 'logo.txt']);
  });

  it('copy a file that only one class contains', () => {
    const site = siteOf(opened(), 1);
    expect(site.inputs.list('manifests')).toEqual(['a.yaml']);
    expect(site.inputs.read('manifests/a.yaml')).toEqual({
      kind: 'file',
      bytes: Buffer.from(files['classes/xr8000/manifests/a.yaml'] ?? ''),
    });
  });

  it('may refer to standard input, and to secrets', () => {
    const read = opened({
      'sites.csv': 'name,ip,hardware,word\nnorth-1,192.168.126.10,r750,a\nnorth-2,192.168.126.11,xr8000,b\n',
      'classes/xr8000/sno-config.yaml': 'pullSecretFile: "-"\n',
      'classes/xr8000/install-config.yaml': 'proxy: {httpProxy: "http://a:${word}@proxy.example.com"}\n',
    });
    const stdin = neededStdin(read, () => ({ kind: 'file', bytes: Buffer.from('a') }));
    expect(stdin).toMatchObject({ stdin: { reader: 'pullSecretFile' } });
    expect(secretVariables(read)).toEqual(new Set(['word']));
  });
});

async function problemsOfFleet(changes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const read = openFleetToCheck(fleetFolder({ ...files, ...changes }));
  if (!read.ok) return read.problems.map(problemLine);
  const judge = dryRunCheck(siteSourcesOf(read.value), { present: new Date(), variables: {} });
  const found = await checkFleet(read.value, { judge });
  const shown = found.map(({ problem, sites }) =>
    [`${sites.join('+')}: ${problemLine(problem)}`, problem.hint ?? []].flat().join(' = '),
  );
  return [...[...read.warnings, ...read.value.faults].map(problemLine), ...shown];
}

test.each([
  { name: 'nothing, if every class has a directory', changes: {}, want: [] },
  {
    name: 'a class without a directory, at the cell',
    changes: {
      'sites.csv': 'name,ip,hardware,region\nnorth-1,192.168.126.10,r75,eu\nnorth-2,192.168.126.11,xr8000,\n',
      'classes/r750/sno-config.yaml': 'hostname: a\n',
    },
    want: [
      'classes/r750 fleet/class-unused: no site has this class',
      'north-1: sites.csv:2:24 fleet/class: class "r75" has no directory in classes/ <- fleet.yaml:4 classes[0] = did you mean "r750"?',
    ],
  },
  {
    name: 'a fixed class without a directory, once',
    changes: { 'fleet.yaml': fleetText('classes: ["${hardware}", "${region:-}", all]\n') },
    want: [
      'north-1+north-2: fleet.yaml:4:41 fleet/class: class "all" has no directory in classes/ = create the directory, or correct the name',
    ],
  },
  {
    name: 'an empty cell, unless fleet.yaml has a default',
    changes: { 'fleet.yaml': fleetText('classes: ["${hardware}", "${region}"]\n') },
    want: [
      'north-2: sites.csv:3:31 fleet/variable: "region" is empty for this site, but classes in fleet.yaml uses it <- fleet.yaml:4 classes[1] = fill in the cell, or write "${region:-}" for sites without this class',
    ],
  },
  {
    name: 'a variable that is not defined, once',
    changes: { 'fleet.yaml': fleetText('classes: ["${hardwar}", "${hardware}", "${region:-}"]\n') },
    want: [
      'north-1+north-2: fleet.yaml:4:11 fleet/variable: variable "hardwar" is not defined = did you mean "${hardware}"?',
    ],
  },
  {
    name: 'a value that leads to another directory',
    changes: {
      'sites.csv':
        'name,ip,hardware,region\nnorth-1,192.168.126.10,../base,eu\nnorth-2,192.168.126.11,xr8000,\n',
      'classes/r750/sno-config.yaml': '',
    },
    want: [
      'classes/r750 fleet/class-unused: no site has this class',
      'north-1: sites.csv:2:24 fleet/class: "../base" is not a class name <- fleet.yaml:4 classes[0] = a class is the name of a directory below classes/',
    ],
  },
  {
    name: 'a fault of a class at its file, once',
    changes: {
      'sites.csv':
        'name,ip,hardware,region\nnorth-1,192.168.126.10,r750,\nnorth-2,192.168.126.11,r750,eu\nnorth-3,192.168.126.12,xr8000,\n',
      'classes/r750/sno-config.yaml': 'hostnam: a\nkernelArguments: ["${kernel}"]\n',
    },
    want: [
      'north-1+north-2: classes/r750/sno-config.yaml:2:19 fleet/variable: variable "kernel" is not defined = add a column to sites.csv, or set it below variables in fleet.yaml',
      'north-1+north-2: classes/r750/sno-config.yaml:1:10 config/unknown-field: unknown field "hostnam"',
    ],
  },
  {
    name: 'a class file that is not YAML',
    changes: { 'classes/eu/sno-config.yaml': 'hostname: [\n' },
    want: expect.arrayContaining([
      'north-1: classes/eu/sno-config.yaml fleet/class: classes/eu/sno-config.yaml is not valid YAML and cannot be merged',
    ]) as string[],
  },
  {
    name: 'a class that no site has',
    changes: { 'classes/us/sno-config.yaml': 'hostname: a\n' },
    want: ['classes/us fleet/class-unused: no site has this class'],
  },
  {
    name: 'classes that fleet.yaml does not name',
    changes: { 'fleet.yaml': fleetText() },
    want: expect.arrayContaining([
      'classes fleet/class-unused: classes/ has no effect: fleet.yaml does not set classes',
    ]) as string[],
  },
  {
    name: 'other directories of the fleet inside of classes/',
    changes: { 'fleet.yaml': fleetText(`${classes}base: classes/base\n`) },
    want: [expect.stringContaining('fleet.yaml:5:7 fleet/path: base overlaps classes/')],
  },
])('a fleet with classes reports $name', async ({ changes, want }) => {
  expect(await problemsOfFleet(changes)).toEqual(want);
});

test('`fleet diff` compares classes with those of a revision, and `fleet status` sees a change', async () => {
  const folder = fleetFolder({ ...files, '.gitignore': '/out/\n' });
  commitAll(folder);
  const keys = 'certificates: {keyAlgorithm: ECDSA-P256}\n';
  writeFileSync(
    join(folder, 'base/sno-config.yaml'),
    snoConfigText(`hostname: \${name}\nnodeIP: \${ip}\n${keys}`),
  );
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await snoInProcess(['fleet', ...args, '--dir', folder]);
    expect([code === 0 || code === 1, stderr]).toEqual([true, '']);
    return stdout;
  };
  await run('create');
  commitAll(folder);
  writeFileSync(join(folder, 'classes/eu/sno-config.yaml'), 'ntpSources: [192.0.2.3]\n');
  expect(await run('diff', '--against', 'HEAD')).toMatch(/192\.0\.2\.2[\s\S]*192\.0\.2\.3/);
  const { sites } = JSON.parse(await run('status', '--output', 'json')) as { readonly sites: unknown };
  expect(sites).toMatchObject([
    { name: 'north-1', status: 'stale', reason: 'inputs-changed' },
    { name: 'north-2', status: 'current' },
  ]);
});
