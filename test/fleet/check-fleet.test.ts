import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { cachedInputs } from '../../src/disk/read-inputs.js';
import { bootFaults } from '../../src/fleet/boot/boot-targets.js';
import { checkFleet } from '../../src/fleet/table/check-fleet.js';
import { siteSourcesOf } from '../../src/fleet/table/check-site-files.js';
import { dryRunCheck } from '../../src/fleet/review/dry-run-check.js';
import { openFleet, openFleetToCheck } from '../../src/fleet/table/read-fleet.js';
import { siteFiles, type SiteFiles } from '../../src/fleet/table/site-files.js';
import type { SiteRow } from '../../src/fleet/table/site-table.js';
import { sha256 } from '../../src/formats/sha256.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import type { Inputs } from '../../src/graph/context.js';
import { goldenOutputs } from '../../src/run/dry-run-outputs.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { expectOk } from '../support/sound-value.js';
import { fleetFiles, fleetFolder, fleetText, problemLine } from './files.js';

async function problemsOfFleet(changes: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = fleetFolder(changes);
  const opened = openFleetToCheck(folder);
  if (!opened.ok) return opened.problems.map(problemLine);
  const { faults, table } = opened.value;
  // Faults of a row are reported even if no site is made.
  expect(openFleet(folder).ok).toBe(faults.length === 0);
  expect(table.faults.every((fault) => faults.includes(fault))).toBe(true);
  const found = await checkFleet(opened.value, {
    judge: dryRunCheck(siteSourcesOf(opened.value), { present: new Date(), variables: {} }),
  });
  return [
    ...[...opened.warnings, ...faults].map(problemLine),
    ...[...found, ...bootFaults(opened.value, cachedInputs(folder, {}))].map(
      ({ problem, sites }) => `${sites.join('+')}: ${problemLine(problem)}`,
    ),
  ];
}

const { 'base/sno-config.yaml': snoConfig = '', 'base/install-config.yaml': installConfig = '' } = fleetFiles;

test('the hint for a number in quotes explains maps in braces', async () => {
  const folder = fleetFolder({
    'sites.csv': 'name,ip,nodes\nnorth-1,192.168.126.10,1\n',
    'base/install-config.yaml': minimalInstallConfig
      .replace('name: site1', 'name: ${name}')
      .replace(
        /controlPlane:\n {2}name: master\n {2}replicas: 1/,
        'controlPlane: {name: master, replicas: "${nodes}"}',
      ),
  });
  const opened = expectOk(openFleet(folder));
  const judge = dryRunCheck(siteSourcesOf(opened), { present: new Date(), variables: {} });
  expect(
    (await checkFleet(opened, { judge })).map(({ problem: { code, hint } }) => ({ code, hint })),
  ).toEqual([
    {
      code: 'config/wrong-type',
      hint: 'remove the quotes around "${…}", and write each field of a "{ }" map on its own line',
    },
  ]);
});

const listInCsv = 'a CSV cell is one value: write ["${ntp}"] with one column per item, or use a YAML table';

test.each([
  {
    file: 'sites.csv',
    table: 'name,ip,ntp\nnorth-1,192.168.126.10,"10.0.0.1,10.0.0.2"\n',
    want: listInCsv,
  },
  {
    file: 'sites.csv',
    table: 'name,ip,ntp\nnorth-1,192.168.126.10,10.0.0.1 10.0.0.2\n',
    used: '["${ntp}"]',
    want: listInCsv,
  },
  {
    file: 'sites.csv',
    table: 'name,ip,ntp\nnorth-1,192.168.126.10,10.0.0.1:123\n',
    used: '["${ntp}"]',
    want: undefined,
  },
  {
    file: 'sites.yaml',
    table: '- {name: north-1, ip: 192.168.126.10, ntp: 10.0.0.1}\n',
    want: 'start each item with "- "',
  },
])('the hint for a list shows how $file contains one', async ({ file, table, used = '${ntp}', want }) => {
  const folder = fleetFolder({
    [file]: table,
    'fleet.yaml': fleetText().replace('sites.csv', file),
    'base/sno-config.yaml': `${snoConfig}ntpSources: ${used}\n`,
  });
  const opened = expectOk(openFleet(folder));
  const judge = dryRunCheck(siteSourcesOf(opened), { present: new Date(), variables: {} });
  expect((await checkFleet(opened, { judge })).map(({ problem: { hint } }) => hint)).toEqual([want]);
});

describe('a fleet', () => {
  it('that is sound has no problem', async () => {
    expect(await problemsOfFleet({})).toEqual([]);
  });

  describe('whose disks are described in the table', () => {
    const base = {
      'base/install-config.yaml': installConfig.replace(/bootstrapInPlace:\n.*\n/, ''),
      'base/sno-config.yaml': `${snoConfig}rootDeviceHints:\n  serialNumber: \${serial}\n  minSizeGigabytes: \${gigabytes:-120}\n`,
    };
    const table = (serial: string): string =>
      `name,ip,serial\nnorth-1,192.168.126.10,00123456\nnorth-2,192.168.126.11,${serial}\n`;

    it('has no problem', async () => {
      expect(await problemsOfFleet({ ...base, 'sites.csv': table('S6ESNX0R100123') })).toEqual([]);
    });

    const wwn = '0x5000c500a1b2c3d4';
    test.each([
      {
        name: 'serial numbers that are equal',
        column: 'serialNumber: ${d}',
        disks: ['S6E', 'S6E'],
        want: 'fleet/shared-serial: this disk serial number',
      },
      {
        name: 'names that are equal',
        column: 'wwn: ${d}',
        disks: [wwn, wwn.toUpperCase().replace('X', 'x')],
        want: 'fleet/shared-value: this World Wide Name',
      },
      {
        name: 'names with extension that are equal',
        column: 'wwnWithExtension: ${d}',
        disks: [`0x600508b1001c5e6fabcdef0123456789`, `0x600508b1001c5e6fabcdef0123456789`],
        want: 'fleet/shared-value: this World Wide Name',
      },
      {
        name: 'names of two storage systems with the same first half',
        column: 'wwn: ${d}',
        disks: ['0x600508b1001c5e6f', '0x600508b1001c5e6f'],
        want: undefined,
      },
      { name: 'names that differ', column: 'wwn: ${d}', disks: [wwn, '0x5000c500a1b2c3d5'], want: undefined },
      {
        name: 'links with one name',
        disks: [`/dev/disk/by-id/wwn-${wwn}`, `/dev/disk/by-id/scsi-3${wwn.slice(2)}`],
        want: 'fleet/shared-value: this World Wide Name',
      },
      {
        name: 'links with one serial number',
        disks: ['/dev/disk/by-id/ata-DISK_S6E', '/dev/disk/by-id/ata-DISK_S6E'],
        want: 'fleet/shared-serial: this disk with its serial number',
      },
      {
        name: 'links to a slot',
        disks: ['/dev/disk/by-path/pci-0000:00:1f.2-ata-1', '/dev/disk/by-path/pci-0000:00:1f.2-ata-1'],
        want: undefined,
      },
    ])('has $name', async ({ column, disks, want }) => {
      const [first = '', second = ''] = disks;
      const files = {
        ...(column === undefined
          ? { 'base/install-config.yaml': installConfig.replace(/(installationDisk:) .*/, '$1 ${d}') }
          : { ...base, 'base/sno-config.yaml': `${snoConfig}rootDeviceHints:\n  ${column}\n` }),
        'sites.csv': `name,ip,d\nnorth-1,192.168.126.10,${first}\nnorth-2,192.168.126.11,${second}\n`,
      };
      const found = (await problemsOfFleet(files)).map((each) => each.replace(/ <- .*/, ''));
      expect(found).toEqual(
        want === undefined ? [] : [`north-2: sites.csv:3:24 ${want} is already used by the site north-1`],
      );
    });

    it('has a cell that is empty', async () => {
      expect(await problemsOfFleet({ ...base, 'sites.csv': table('') })).toEqual([
        'north-2: sites.csv:3:24 fleet/variable: "serial" is empty for this site, but its files use it <- base/sno-config.yaml:6 rootDeviceHints.serialNumber',
      ]);
    });

    it('has a disk in the base too', async () => {
      const files = { ...base, 'base/install-config.yaml': installConfig, 'sites.csv': table('S1') };
      expect(
        (await problemsOfFleet(files)).filter((each) => each.includes('config/given-twice')),
      ).toHaveLength(2);
    });
  });

  test.each([
    {
      name: 'a value of the table, at its cell and at the line that takes it',
      changes: { 'sites.csv': 'name,ip\nnorth-1,192.168.126.10\nnorth-2,10.0.0.1\n' },
      want: [
        expect.stringMatching(/^north-2: sites.csv:3:9 config\/\S+: .* <- base\/sno-config.yaml:4 nodeIP$/),
      ],
    },
    {
      name: 'a value of the base, once for all',
      changes: { 'base/install-config.yaml': installConfig.replace('192.168.126.0/24', '192.168.126.1/24') },
      want: [expect.stringMatching(/^north-1\+north-2: base\/install-config.yaml:15:\d+ config\//)],
    },
    {
      name: 'a value of an override, in its file',
      changes: { 'overrides/north-2/sno-config.yaml': 'ntpSources: [ntp.example.com, "a b"]\n' },
      want: [expect.stringMatching(/^north-2: overrides\/north-2\/sno-config.yaml:1:31 config\//)],
    },
    {
      name: 'a variable that nobody has, once, and nothing that follows from it',
      changes: { 'base/sno-config.yaml': `${snoConfig}ntpSources: ["\${time}"]\n` },
      want: ['north-1+north-2: base/sno-config.yaml:5:14 fleet/variable: variable "time" is not defined'],
    },
    {
      name: 'an empty cell that is needed, for each line that needs it',
      changes: { 'sites.csv': 'name,ip\nnorth-1,192.168.126.10\nnorth-2,\n' },
      want: [
        'north-2: sites.csv:3:9 fleet/variable: "ip" is empty for this site, but its files use it <- base/sno-config.yaml:4 nodeIP',
      ],
    },
    {
      name: 'two sites with one address, by a slip in the table or in the base',
      changes: {
        'sites.csv': 'name\nnorth-1\nnorth-2\n',
        'base/sno-config.yaml': snoConfig.replace('${ip}', '192.168.126.10'),
      },
      want: [
        'north-2: base/sno-config.yaml:4:9 fleet/shared-value: this nodeIP is already used by the site north-1',
      ],
    },
    {
      name: 'a name that no site can have, and that the address is taken, whichever line is first',
      changes: {
        'sites.csv':
          'name,ip\nNorth_1,192.168.126.10\nnorth-2,192.168.126.11\nsouth,192.168.126.10\n"../x",192.168.126.11\n',
        'overrides/North_1/sno-config.yaml': 'ntpSources: [a b]\n',
      },
      want: [
        'sites.csv:2:1 fleet/site-name: "North_1" is not a valid site name: it has upper-case letters',
        'sites.csv:5:1 fleet/site-name: "../x" is not a valid site name: it contains a dot',
        expect.stringMatching(/^North_1: overrides\/North_1\/sno-config.yaml:1:14 config\//),
        'south: sites.csv:4:7 fleet/shared-value: this nodeIP is already used by the site North_1',
        'in sites.csv:5: sites.csv:5:8 fleet/shared-value: this nodeIP is already used by the site north-2',
      ],
    },
    {
      name: 'a site without a name, and the address that it shares',
      changes: { 'sites.csv': 'ip,name\n192.168.126.10,\n192.168.126.10,south\n' },
      want: [
        'sites.csv:2:16 fleet/site-name: the site name is missing',
        'south: sites.csv:3:1 fleet/shared-value: this nodeIP is already used by the site in sites.csv:2',
      ],
    },
    {
      name: 'a site twice, a column without a name, a line too long and a fault in another',
      changes: {
        'sites.csv': 'name,ip,\nnorth-1,192.168.126.10\nnorth-1,192.168.126.300\nlong,a,b,c\n',
        'overrides/long/sno-config.yaml': 'hostname: a\n',
      },
      want: [
        'sites.csv:1:9 fleet/column: the column name is missing',
        'sites.csv:4:10 fleet/column: this line has more cells than the header (3)',
        'sites.csv:3:1 fleet/site-twice: site north-1 already exists in line 2',
        expect.stringMatching(/^north-1: sites.csv:3:9 config\//),
      ],
    },
    {
      name: 'an item that is no site, and the fault of another',
      changes: {
        'fleet.yaml': fleetText().replace('sites.csv', 'sites.yaml'),
        'sites.yaml': '- north-1\n- {name: north-2, ip: 10.0.0.1}\n',
      },
      want: [
        'sites.yaml:1:3 fleet/table: the site is not a map of variables',
        expect.stringMatching(/^north-2: sites.yaml:2:\d+ config\/node-ip/),
      ],
    },
    {
      name: 'that a site with a bad name has the BMC of another',
      changes: {
        'fleet.yaml': fleetText('boot:\n  address: https://${bmc}\n  credentials: bmc.age\n'),
        'sites.csv': 'name,ip,bmc\nnorth-1,192.168.126.10,192.0.2.1\nNorth-2,192.168.126.11,192.0.2.1\n',
      },
      want: [
        expect.stringContaining('sites.csv:3:1 fleet/site-name'),
        'North-2: sites.csv:3:24 fleet/shared-value: this BMC is already used by the site north-1',
      ],
    },
    {
      name: 'a column that nothing uses, if a placeholder differs in one letter',
      changes: {
        'sites.csv': 'name,ip,rack,Kernel\nnorth-1,192.168.126.10,1,quiet\n',
        'base/sno-config.yaml': `${snoConfig}kernelArguments: ["\${kernels:-debug}"]\n`,
      },
      want: [
        'sites.csv:1:14 fleet/column-unused: variable "Kernel" is not used in the base, the classes or the overrides',
      ],
    },
    {
      name: 'a variable of fleet.yaml and a raw pattern without effect',
      changes: { 'fleet.yaml': fleetText('variables: {rack: 1}\nraw: [base/manifests/]\n') },
      want: [
        expect.stringContaining('fleet.yaml:4:19 fleet/column-unused'),
        'fleet.yaml:5:7 fleet/raw-unused: no file matches this pattern',
      ],
    },
    {
      name: 'a folder of overrides that is no site',
      changes: { 'overrides/north-3/sno-config.yaml': 'hostname: a\n' },
      want: [
        expect.stringMatching(/^overrides\/north-3 fleet\/override: this override does not match any site$/),
      ],
    },
    {
      name: 'an override that cannot be merged',
      changes: { 'overrides/north-1/sno-config.yaml': 'hostname: [\n' },
      want: expect.arrayContaining([
        'north-1: overrides/north-1/sno-config.yaml fleet/override: overrides/north-1/sno-config.yaml is not valid YAML and cannot be merged',
      ]) as string[],
    },
    {
      name: 'fields of fleet.yaml that are none, and paths that lead out',
      changes: {
        'fleet.yaml': fleetText('base: ../x\nsite: a\nvariables: {"1": 2}\n').replace('Fleet', 'Feet'),
      },
      want: [
        expect.stringMatching(/^fleet.yaml:2:7 config\/api-version/),
        expect.stringContaining('fleet.yaml:4:7 fleet/path'),
        expect.stringMatching(/^fleet.yaml:5:1 config\/unknown-field/),
        expect.stringMatching(/^fleet.yaml:6:13 fleet\/column/),
      ],
    },
  ])('reports $name', async ({ changes, want }) => {
    expect(await problemsOfFleet(changes)).toEqual(want);
  });

  it('uses fleet.yaml for values that the table does not contain', async () => {
    const changes = {
      'fleet.yaml': fleetText('variables:\n  domain: example.org\n  ip: 192.168.126.99\n'),
      'sites.csv': 'name,ip\nnorth-1,192.168.126.10\nnorth-2,\n',
      'base/install-config.yaml': installConfig.replace('baseDomain: example.com', 'baseDomain: ${domain}'),
    };
    expect(await problemsOfFleet(changes)).toEqual([]);
  });
});

function filesOf(folder: string, site: string): SiteFiles {
  const { rows, files } = expectOk(openFleet(folder, { only: [site] }));
  return siteFiles(files, soundRow(rows));
}

function soundRow([row]: readonly SiteRow[]): SiteRow {
  if (row === undefined) throw new Error('no site is called so');
  return row;
}

function textOf({ inputs }: SiteFiles, path: string): string {
  const read = inputs.read(path);
  return read.kind === 'file' ? Buffer.from(read.bytes).toString() : read.kind;
}

describe('the files of a site', () => {
  it('give the same outputs as a directory with these files', async () => {
    const files = filesOf(
      fleetFolder({ 'overrides/north-2/install-config.yaml': 'baseDomain: example.org\n' }),
      'north-2',
    );
    const directory = scratchFolder();
    const manual = {
      'install-config.yaml': minimalInstallConfig
        .replace('name: site1', 'name: north-2')
        .replace('example.com', 'example.org'),
      'sno-config.yaml': snoConfigText('hostname: north-2\nnodeIP: 192.168.126.11\n'),
    };
    for (const [path, text] of Object.entries(manual)) writeFileSync(join(directory, path), text);

    const digests = async (inputs: Inputs): Promise<readonly string[]> => {
      const order = { target: 'single-node-ignition-config', templates: templatesFrom('templates') } as const;
      const outputs = expectOk(await goldenOutputs({ ...order, inputs }));
      return outputs.map(({ path, contents }) => `${sha256(contents)} ${path}`);
    };
    expect(await digests(files.inputs)).toEqual(await digests(cachedInputs(directory, {})));
  });

  it('take manifests of the base and of the override, with variables in both', () => {
    const manifest = (name: string): string =>
      `kind: ConfigMap\nmetadata: {name: ${name}}\ndata: {site: "\${name}", run: "echo $\${HOME}"}\n`;
    const files = filesOf(
      fleetFolder({
        'base/manifests/a.yaml': `${manifest('a')}---\n${manifest('b')}`,
        'overrides/north-2/manifests/c.yaml': manifest('c'),
      }),
      'north-2',
    );
    const data = { site: 'north-2', run: 'echo ${HOME}' };
    const documents = (path: string): unknown => readYaml(textOf(files, path)).documents.map(toData);
    expect(files.inputs.list('manifests')).toEqual(['a.yaml', 'c.yaml']);
    expect(documents('manifests/a.yaml')).toMatchObject([
      { metadata: { name: 'a' }, data },
      { metadata: { name: 'b' }, data },
    ]);
    expect(documents('manifests/c.yaml')).toMatchObject([{ metadata: { name: 'c' }, data }]);
    expect(files.inputs.list('openshift')).toBeUndefined();
  });

  it('may contain a separate pull secret, which stays JSON', async () => {
    const login = (name: string): string => JSON.stringify({ auths: { [name]: { auth: 'eDp5' } } });
    const fleet = {
      'base/install-config.yaml': installConfig.replace(/^pullSecret:.*\n/m, ''),
      'base/sno-config.yaml': `${snoConfig}pullSecretFile: pull-secret.json\n`,
      'base/pull-secret.json': login('quay.io'),
      'overrides/north-1/pull-secret.json': login('own.example.com'),
    };
    expect(await problemsOfFleet(fleet)).toEqual([]);
    expect(JSON.parse(textOf(filesOf(fleetFolder(fleet), 'north-1'), 'pull-secret.json'))).toEqual({
      auths: { 'quay.io': { auth: 'eDp5' }, 'own.example.com': { auth: 'eDp5' } },
    });
    const broken = { ...fleet, 'overrides/north-1/pull-secret.json': '{"auths": {"a.example.com": "x"}}' };
    expect(await problemsOfFleet(broken)).toEqual([
      'north-1: overrides/north-1/pull-secret.json:1:29 config/pull-secret: the entry of "a.example.com" in pullSecret is not a map',
    ]);
  });

  it('are used without variables below raw, and an override is merged over them', () => {
    const text = 'kind: ConfigMap\ndata: {run: "${HOME}", other: "$${a}", "${key}": 1}\n';
    const folder = fleetFolder({
      'fleet.yaml': fleetText('raw: [./base/manifests/raw/, "**/official-*.yaml"]\n'),
      'base/manifests/official-a.yaml': text,
      'base/manifests/raw/b.yaml': text,
      'overrides/north-1/manifests/raw/b.yaml': 'metadata: {name: "${name}"}\n',
      'overrides/north-1/manifests/official-c.yaml': text,
    });
    const site = filesOf(folder, 'north-1');
    const copied = ['official-a.yaml', 'official-c.yaml'].map((path) => textOf(site, `manifests/${path}`));
    expect(copied).toEqual([text, text]);
    expect(readYaml(textOf(site, 'manifests/raw/b.yaml')).documents.map(toData)).toEqual([
      {
        kind: 'ConfigMap',
        data: { run: '${HOME}', other: '$${a}', '${key}': 1 },
        metadata: { name: 'north-1' },
      },
    ]);
    expect(textOf(filesOf(folder, 'north-2'), 'manifests/raw/b.yaml')).toBe(text);
    expect(site.faults).toEqual([]);
  });

  it('are copied unchanged without YAML or placeholders', () => {
    const folder = fleetFolder({
      'base/image-references.json': '{ "a": 1 }\n',
      'base/notes.txt': '${name}',
      'overrides/north-1/notes.txt': 'own',
    });
    const texts = ['north-1', 'north-2'].map((site) =>
      ['image-references.json', 'notes.txt', 'none.yaml'].map((path) => textOf(filesOf(folder, site), path)),
    );
    expect(texts).toEqual([
      ['{ "a": 1 }\n', 'own', 'absent'],
      ['{ "a": 1 }\n', '${name}', 'absent'],
    ]);
  });
});
