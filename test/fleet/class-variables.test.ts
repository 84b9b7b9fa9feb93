import { describe, expect, it, test } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { checkFleet, type LoadedFleet } from '../../src/fleet/table/check-fleet.js';
import { filesOf, siteSourcesOf } from '../../src/fleet/table/check-site-files.js';
import { openFleet, openFleetToCheck } from '../../src/fleet/table/read-fleet.js';
import { dryRunCheck } from '../../src/fleet/review/dry-run-check.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { snoInProcess } from '../support/in-process.js';
import { snoConfigText } from '../support/minimal-config.js';
import { expectOk } from '../support/sound-value.js';
import { fleetFolder, fleetText, problemLine } from './files.js';

/** north-1 has the classes r750 and eu, north-2 has xr8000. */
const files: Readonly<Record<string, string>> = {
  'fleet.yaml': fleetText(
    'classes: ["${hardware}", "${region:-}"]\nvariables: {ntp: [192.0.2.9], arg: all}\n',
  ),
  'sites.csv': 'name,ip,hardware,region\nnorth-1,192.168.126.10,r750,eu\nnorth-2,192.168.126.11,xr8000,\n',
  'base/sno-config.yaml': snoConfigText(
    'hostname: ${name}\nnodeIP: ${ip}\nntpSources: ${ntp}\nkernelArguments: ["a=${arg}", "b=${count}"]\n',
  ),
  'classes/r750/variables.yaml': 'ntp: [192.0.2.1, 192.0.2.2]\narg: r750\ncount: 4\n',
  'classes/xr8000/variables.yaml': '# one value\ncount: 8\n',
  'classes/eu/variables.yaml': 'arg: eu\n',
};

function opened(changes: Readonly<Record<string, string>> = {}): LoadedFleet {
  return expectOk(openFleet(fleetFolder({ ...files, ...changes })));
}

function dataOf(read: LoadedFleet, index: number, path = 'sno-config.yaml'): unknown {
  const row = read.rows[index];
  if (row === undefined) throw new Error('there is no such site');
  const found = filesOf(read, row).inputs.read(path);
  if (found.kind !== 'file') return found.kind;
  return readYaml(Buffer.from(found.bytes).toString()).documents.map(toData)[0];
}

describe('variables of classes', () => {
  it('replace those of fleet.yaml, and those of earlier classes', () => {
    const read = opened();
    expect(dataOf(read, 0)).toMatchObject({
      ntpSources: ['192.0.2.1', '192.0.2.2'],
      kernelArguments: ['a=eu', 'b=4'],
    });
    expect(dataOf(read, 1)).toMatchObject({ ntpSources: ['192.0.2.9'], kernelArguments: ['a=all', 'b=8'] });
  });

  it('can be in files of classes and overrides, as items of lists, lists and maps', () => {
    const read = opened({
      'classes/r750/variables.yaml': 'count: 4\nfirst: one\nlabels: {a: "1"}\nrest: [x, {z: 2}]\n',
      'classes/r750/manifests/a.yaml':
        'labels: ${labels}\nitems:\n  - ${first}\n  - "-${first}-${count}"\n  - ${rest}\n',
      'overrides/north-1/manifests/a.yaml': 'own: ${count}\n',
    });
    expect(dataOf(read, 0, 'manifests/a.yaml')).toEqual({
      labels: { a: '1' },
      items: ['one', '-one-4', ['x', { z: 2 }]],
      own: 4,
    });
  });

  it('are no input file of the site', () => {
    const read = opened();
    expect(dataOf(read, 0, 'variables.yaml')).toBe('absent');
    expect(read.rows.map((row) => filesOf(read, row).inputs.list('.'))).toEqual([
      ['install-config.yaml', 'sno-config.yaml'],
      ['install-config.yaml', 'sno-config.yaml'],
    ]);
  });

  it('select sites', () => {
    const folder = fleetFolder(files);
    const { rows } = expectOk(openFleet(folder, { where: ['count=8'] }));
    expect(rows.map(({ name }) => name)).toEqual(['north-2']);
  });

  it('are the origin of a value in `fleet why` and in problems', async () => {
    const dir = fleetFolder({
      ...files,
      'classes/r750/variables.yaml': 'ntp: [192.0.2.1, "a b"]\ncount: 4\n',
    });
    const { stdout } = await snoInProcess(['fleet', 'validate', '--dir', dir, '--output', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [
        { at: { file: expect.stringMatching(/classes\/r750\/variables\.yaml$/) as string, line: 1 } },
      ],
    });
    const sound = fleetFolder(files);
    const why = await snoInProcess(['fleet', 'why', '--dir', sound, 'north-1', '/etc/chrony.conf']);
    expect([why.stderr, why.code]).toEqual(['', 0]);
    expect(why.stdout).toMatch(
      /classes\/r750\/variables\.yaml:1: ntpSources\[1\] \(variable ntp, used in .*sno-config\.yaml:5\)/,
    );
  });
});

async function problemsOfFleet(changes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const read = openFleetToCheck(fleetFolder({ ...files, ...changes }));
  if (!read.ok) return read.problems.map(problemLine);
  const judge = dryRunCheck(siteSourcesOf(read.value), { present: new Date(), variables: {} });
  const found = await checkFleet(read.value, { judge });
  const ofSites = found.map(({ problem, sites }) => `${sites.join('+')}: ${problemLine(problem)}`);
  return [...problemsOf(read), ...read.value.faults].map(problemLine).concat(ofSites);
}

const r750 = (more: string): Readonly<Record<string, string>> => ({
  'classes/r750/variables.yaml': `count: 4\n${more}`,
});

test.each([
  { name: 'nothing in a sound fleet', changes: {}, want: [] },
  {
    name: 'a variable that no class of the site sets',
    changes: { 'classes/xr8000/variables.yaml': 'arg: x\n' },
    want: [
      'north-2: base/sno-config.yaml:6:31 fleet/variable: no class of this site sets the variable "count"',
    ],
  },
  {
    name: 'an unused variable',
    changes: r750('counts: 4\n'),
    want: [
      'classes/r750/variables.yaml:2:9 fleet/column-unused: variable "counts" is not used in the base, the classes or the overrides',
    ],
  },
  {
    name: 'a list instead of a map',
    changes: { 'classes/r750/variables.yaml': '- count: 4\n' },
    want: [
      'classes/r750/variables.yaml:1:1 config/not-one-document: classes/r750/variables.yaml is not a map of fields',
    ],
  },
  {
    name: 'a variable without a value',
    changes: r750('arg:\n'),
    want: ['classes/r750/variables.yaml:2:1 fleet/class-variable: the variable has no value'],
  },
  {
    name: 'a wrong type at its place',
    changes: { 'classes/r750/variables.yaml': 'count: [4]\n' },
    want: [
      'north-1: base/sno-config.yaml:6:31 fleet/variable: "count" is a map or a list and cannot be part of a longer string',
    ],
  },
  {
    name: 'a column of the table',
    changes: r750('ip: 192.0.2.1\n'),
    want: ['classes/r750/variables.yaml:2:5 fleet/class-variable: "ip" is also a column of sites.csv'],
  },
  {
    name: 'a variable that selects the classes',
    changes: {
      'fleet.yaml': fleetText(
        'classes: ["${hardware}", "${kind:-}"]\nvariables: {ntp: [192.0.2.9], arg: all}\n',
      ),
      ...r750('kind: eu\n'),
    },
    want: [
      'classes/r750/variables.yaml:2:7 fleet/class-variable: a class cannot set "kind": classes in fleet.yaml uses it to select the classes',
    ],
  },
  {
    name: 'reserved and invalid names',
    changes: r750('name: a\n1a: b\n'),
    want: [
      'classes/r750/variables.yaml:3:5 fleet/column-unused: variable "1a" is not used in the base, the classes or the overrides',
      'classes/r750/variables.yaml:2:7 fleet/class-variable: "name" is reserved: it is the name of the site',
      'classes/r750/variables.yaml:3:5 fleet/class-variable: the variable name is not valid',
    ],
  },
  {
    name: 'a secret, and the name of a secret',
    changes: {
      'fleet.yaml': `${files['fleet.yaml'] ?? ''}secrets: {token: {command: [cat]}}\n`,
      ...r750('token: a\narg: http://user:pa55@proxy.example.com\n'),
      'base/manifests/a.txt.yaml': 'a: ${token}\n',
    },
    want: [
      'classes/r750/variables.yaml:2:8 fleet/class-variable: "token" is also a secret of fleet.yaml',
      'classes/r750/variables.yaml:3:6 fleet/secret: variable "arg" contains a secret',
    ],
  },
  {
    name: 'a variable in a value',
    changes: r750('arg: "a ${ip}"\n'),
    want: [
      'classes/r750/variables.yaml:2:6 fleet/class-variable: the value of a variable cannot contain another variable',
    ],
  },
  {
    name: 'a misspelled file name',
    changes: { 'classes/r750/variables.yml': 'count: 4\n', 'classes/eu/Variable.yaml': 'count: 4\n' },
    want: [
      'classes/r750/variables.yml config/file-name: classes/r750/variables.yml is not read: the file is named classes/r750/variables.yaml',
      'classes/eu/Variable.yaml fleet/class-variable: classes/eu/Variable.yaml is not read: the file is named variables.yaml',
    ],
  },
  {
    name: 'a file that is not in a class',
    changes: {
      'base/variables.yaml': 'a: 1\n',
      'classes/variables.yaml': 'a: 1\n',
      'overrides/north-1/variables.yaml': 'a: 1\n',
    },
    want: [
      'base/variables.yaml fleet/class-variable: base/variables.yaml is not read: only a class has variables.yaml',
      'classes/variables.yaml fleet/class-variable: classes/variables.yaml is not read: only a class has variables.yaml',
      'overrides/north-1/variables.yaml fleet/class-variable: overrides/north-1/variables.yaml is not read: only a class has variables.yaml',
    ],
  },
])('validation reports $name', async ({ changes, want }) => {
  const problems = await problemsOfFleet(changes);
  expect(problems.filter((each) => !each.includes('manifest/'))).toEqual(want);
});

test('a value in a raw file may contain "${"', () => {
  const read = opened({
    'fleet.yaml': `${files['fleet.yaml'] ?? ''}raw: [classes/*/variables.yaml]\n`,
    ...r750('arg: "${HOME}"\n'),
    'classes/eu/variables.yaml': 'ntp: [192.0.2.7]\n',
  });
  expect(dataOf(read, 0)).toMatchObject({ kernelArguments: ['a=${HOME}', 'b=4'] });
});
