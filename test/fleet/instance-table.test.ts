import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { cachedInputs } from '../../src/disk/read-inputs.js';
import { bootFaults } from '../../src/fleet/boot/boot-targets.js';
import { checkFleet, withFleetVariables, type LoadedFleet } from '../../src/fleet/table/check-fleet.js';
import { siteSourcesOf } from '../../src/fleet/table/check-site-files.js';
import { dryRunCheck } from '../../src/fleet/review/dry-run-check.js';
import { openFleet, readFleetToCheck } from '../../src/fleet/table/read-fleet.js';
import { siteFiles, type SiteFiles } from '../../src/fleet/table/site-files.js';
import type { Inputs } from '../../src/graph/context.js';
import { siteOf } from '../import/files.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { problemLine } from './files.js';

type Files = Readonly<Record<string, string>>;

const source: Files = Object.fromEntries(
  ['site1.yaml', 'hub.yaml', 'kustomization.yaml', 'manifests/50-banner.yaml'].map((name) => [
    name,
    readFileSync(join('fixtures/import/ztp', name), 'utf8'),
  ]),
);

/** The files of a cluster like the one in fixtures/import/ztp. */
function clusterFiles(index: number): Files {
  return Object.fromEntries(
    Object.entries(source).map(([path, text]) => [
      path,
      text
        .replaceAll('site1', `site${index}`)
        .replace(`[site${index}.yaml`, '[site1.yaml')
        .replaceAll('192.168.126.10', `192.168.126.1${index}`)
        .replaceAll('192.0.2.17', `192.0.2.1${index}`)
        .replaceAll('52:54:00:12:34:', `52:54:00:12:3${index}:`),
    ]),
  );
}

const fleetYaml = 'apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: clusters\n';

/** A fleet of two such clusters; `changes` adds or replaces files. */
function instanceFleet(changes: Files = {}): string {
  const clusters = [1, 2].flatMap((index) =>
    Object.entries(clusterFiles(index)).map(([path, text]) => [`clusters/${index}/${path}`, text] as const),
  );
  const folder = scratchFolder();
  const files: Files = { 'fleet.yaml': fleetYaml, ...Object.fromEntries(clusters), ...changes };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function opened(changes: Files = {}): LoadedFleet {
  const read = openFleet(instanceFleet(changes));
  if (!read.ok) throw new Error(read.problems.map(problemLine).join('\n'));
  return read.value;
}

function filesOf({ fleet, rows, files }: LoadedFleet, index: number): SiteFiles {
  const [row] = rows.slice(index);
  if (row === undefined) throw new Error('there is no such site');
  return siteFiles(files, withFleetVariables(row, fleet));
}

function textOf({ inputs }: SiteFiles, path: string): string {
  const read = inputs.read(path);
  return read.kind === 'file' ? Buffer.from(read.bytes).toString('utf8') : read.kind;
}

async function problemsOfFleet(changes: Files): Promise<readonly string[]> {
  const dir = instanceFleet(changes);
  const read = openFleet(dir);
  if (!read.ok) return read.problems.map(problemLine);
  const found = await checkFleet(read.value, {
    judge: dryRunCheck(siteSourcesOf(read.value), { present: new Date(), variables: {} }),
  });
  return [
    ...read.warnings.map(problemLine),
    ...[...found, ...bootFaults(read.value, cachedInputs(dir, {}))].map(
      ({ problem, sites }) => `${sites.join('+')}: ${problemLine(problem)}`,
    ),
  ];
}

const first = clusterFiles(1)['site1.yaml'] ?? '';
/** Fields of these clusters that have no equivalent. */
const placeless = [
  'site1+site2: clusters/1/site1.yaml:29:3 import/no-place: extraLabels has no equivalent and is ignored',
  'site1+site2: clusters/1/site1.yaml:38:19 import/no-place: bmcAddress has no equivalent and is ignored',
  'site1+site2: clusters/1/site1.yaml:39:7 import/no-place: bmcCredentialsName has no equivalent and is ignored',
  'site1+site2: clusters/1/site1.yaml:42:17 import/no-place: bootMode "UEFI" has no equivalent and is ignored',
];

describe('holdInstallation of a ClusterInstance', () => {
  const held = first.replace(/^spec:$/m, 'spec:\n  holdInstallation: true');

  it('puts the site on hold in fleet rollout and fleet boot, without a warning', async () => {
    expect(held).not.toBe(first);
    const changes = {
      'clusters/1/site1.yaml': held,
      'fleet.yaml': `${fleetYaml}boot: {address: "\${bmc}", credentials: bmc.yaml.age}\n`,
      'rollout.yaml': 'wave: 1\n',
    };
    expect((await problemsOfFleet(changes)).filter((line) => line.includes('holdInstallation'))).toEqual([]);
    const dir = instanceFleet(changes);
    const plan = await snoInProcess(['fleet', 'rollout', dir, '--dry-run', '--output', 'json']);
    expect(JSON.parse(plan.stdout)).toMatchObject({ waves: [{ sites: ['site2'] }], held: ['site1'] });
    const url = ['--media-url', 'https://media.example.com/{site}.iso'];
    const boot = await snoInProcess(['fleet', 'boot', dir, '--dry-run', ...url]);
    expect(boot.stdout).toMatch(
      /site1 .* skipped +on hold: holdInstallation of its ClusterInstance is true\n/,
    );
  });
});

describe('a folder of ClusterInstances as the table', () => {
  it('gives each site the files that an import of it alone makes, byte for byte', () => {
    const read = opened();

    for (const index of [1, 2]) {
      const site = siteOf('cluster-instance', clusterFiles(index));
      const files = filesOf(read, index - 1);
      expect(site.files.map(({ path }) => path)).toContain('pull-secret.json');
      for (const { path, text } of site.files) expect([path, textOf(files, path)]).toEqual([path, text]);
      expect(files.inputs.list('manifests')).toEqual(['50-banner.yaml']);
      expect(files.inputs.list('.')).toEqual([
        'install-config.yaml',
        'manifests/',
        'openshift/',
        'pull-secret.json',
        'sno-config.yaml',
      ]);
    }
  });

  it('has rows that go to threads', () => {
    const [row] = opened().rows;
    expect(structuredClone(row)?.layer?.files.length).toBe(5);
  });

  it('overrides the base, and is overridden by the site; only the base has variables', () => {
    const sno = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';
    const read = opened({
      'base/sno-config.yaml': `${sno}nodeIP: \${nodeIP}\nntpSources: [base.example.com]\n`,
      'base/manifests/60-note.yaml': 'data: { bmc: "${bmc}", set: "${imageSet}" }\n',
      'clusters/1/manifests/50-banner.yaml': 'data: { run: "echo ${HOME}" }\n',
      'overrides/site2/sno-config.yaml': 'ntpSources: [own.example.com]\nhostname: null\n',
      'overrides/site1/manifests/50-banner.yaml': 'data: { more: "1" }\n',
    });
    const [one, two] = [filesOf(read, 0), filesOf(read, 1)];

    expect(textOf(one, 'sno-config.yaml')).toContain(
      '"nodeIP": "192.168.126.11"\n"ntpSources":\n  - "ntp.example.com"\n"hostname": "node1.site1.example.com"\n',
    );
    expect(textOf(two, 'sno-config.yaml')).toMatch(
      /"ntpSources":\n {2}- "own\.example\.com"\n"pullSecretFile"/,
    );
    expect(textOf(one, 'manifests/60-note.yaml')).toContain(
      '192.0.2.11/redfish/v1/Systems/System.Embedded.1',
    );
    expect(textOf(one, 'manifests/50-banner.yaml')).toContain('"run": "echo ${HOME}"\n  "more": "1"\n');
    expect(textOf(two, 'manifests/50-banner.yaml')).toBe(source['manifests/50-banner.yaml']);
  });

  test.each<{ name: string; changes: Files; want: readonly unknown[] }>([
    { name: 'what has no place, once with all that have it', changes: {}, want: placeless },
    {
      name: 'a value at its line, in the text of JSON too',
      changes: {
        'clusters/1/site1.yaml': first
          .replace('192.168.126.0/24', '192.168.126.1/24')
          .replace('"baselineCapabilitySet": "None"', '"baselineCapabilitySet": "Nothing"'),
      },
      want: [
        expect.stringMatching(/^site1: clusters\/1\/site1\.yaml:15:13 config\/\S+: /),
        expect.stringMatching(/^site1: clusters\/1\/site1\.yaml:23:34 config\/\S+: .*Nothing/),
        ...placeless,
      ],
    },
    {
      name: 'a text that is no JSON, and no other problem of a site that was not made of it',
      changes: { 'clusters/1/site1.yaml': first.replace('"capabilities": {', '"capabilities": [') },
      want: [
        'site1: clusters/1/site1.yaml:20:27 import/malformed: installConfigOverrides is not a JSON object',
        ...placeless,
      ],
    },
    {
      name: 'one BMC of two sites, whether they are to be booted or not',
      changes: { 'clusters/1/site1.yaml': first.replace('192.0.2.11', '192.0.2.12') },
      want: [
        placeless[0],
        placeless[1]?.replace(
          'bmcAddress',
          'bmcAddress "idrac-virtualmedia+https://192.0.2.12/redfish/v1/Systems/System.Embedded.1"',
        ),
        placeless[2],
        placeless[3],
        'site2: clusters/2/site1.yaml:38:19 fleet/shared-value: this BMC is already used by the site site1',
      ],
    },
    {
      name: 'nothing of BMCs that are booted',
      changes: { 'fleet.yaml': `${fleetYaml}boot: { address: "\${bmc}", credentials: bmc.yaml.age }\n` },
      want: [placeless[0], placeless[3]],
    },
    {
      name: 'Secrets and ClusterImageSets that are lacking, once for all',
      changes: { 'clusters/1/hub.yaml': '', 'clusters/2/hub.yaml': '' },
      want: [
        'site1+site2: clusters import/no-pull-secret: pull secret not found in the input files',
        expect.stringMatching(
          /^site1\+site2: clusters\/1\/site1\.yaml:9:27 import\/missing: ClusterImageSet not found /,
        ),
        ...placeless,
      ],
    },
    {
      name: 'none of those that the base gives',
      changes: {
        'clusters/1/hub.yaml': '',
        'clusters/2/hub.yaml': '',
        'base/secret.json': '{"auths": {"quay.io": {"auth": "dGhyb3dhd2F5OnRocm93YXdheQ=="}}}',
        'base/sno-config.yaml':
          'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\npullSecretFile: secret.json\nreleaseImage: quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64\n',
      },
      want: placeless,
    },
    {
      name: 'clusters of several nodes, which are no sites',
      changes: {
        'clusters/3.yaml': first
          .replace('nodes:\n', 'nodes:\n    - hostName: other\n      role: master\n')
          .replaceAll('site1', 'site3'),
      },
      want: [
        'clusters/3.yaml:38:7 fleet/several-nodes: clusters with several nodes are not sites of this fleet: "site3"',
        ...placeless,
      ],
    },
    {
      name: 'files that lie outside of the folder',
      changes: {
        'banner.yaml': 'kind: ConfigMap\n',
        'clusters/1/kustomization.yaml': (source['kustomization.yaml'] ?? '').replace(
          'manifests/50-banner.yaml',
          '../../banner.yaml',
        ),
      },
      want: [
        expect.stringMatching(
          /^site1: clusters\/1\/kustomization\.yaml:7:13 import\/missing: .* outside the directory of the sites/,
        ),
        ...placeless,
        // The generator used it before.
        ': clusters/1/manifests/50-banner.yaml:2:7 import/left-out: ConfigMap is not imported',
      ],
    },
    {
      name: 'policies and other objects that no site uses',
      changes: {
        'clusters/policies/a.yaml':
          'apiVersion: policy.open-cluster-management.io/v1\nkind: PolicyGenerator\nmetadata: {name: a}\n---\napiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: b}\n',
        'clusters/policies/b.yaml':
          'apiVersion: policy.open-cluster-management.io/v1\nkind: Policy\nmetadata: {name: c}\n',
        'clusters/policies/ns.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: ztp}\n',
        'clusters/policies/binding.yaml':
          'apiVersion: policy.open-cluster-management.io/v1\nkind: PlacementBinding\nmetadata: {name: a}\n',
      },
      want: [
        ...placeless,
        ': clusters/policies/a.yaml:2:7 import/left-out: PolicyGenerator is not imported',
        ': clusters/policies/a.yaml:6:7 import/left-out: Policy is not imported (2 objects of this kind)',
        ': clusters/policies/binding.yaml:2:7 import/left-out: PlacementBinding is not imported',
      ],
    },
    {
      name: 'two clusters of one name',
      changes: { 'clusters/2/site1.yaml': first },
      want: [
        'clusters/2/site1.yaml:7:16 fleet/site-twice: site site1 already exists in clusters/1/site1.yaml:7',
      ],
    },
    {
      name: 'a folder without any',
      changes: { 'fleet.yaml': fleetYaml.replace('clusters', 'clusters/1/manifests') },
      want: ['clusters/1/manifests fleet/table: no single-node cluster found in this directory'],
    },
  ])('reports $name', async ({ changes, want }) => {
    expect(await problemsOfFleet(changes)).toEqual(want);
  });

  it('reports sites that a kustomization does not list, and files that are missing', () => {
    const read = openFleet(
      instanceFleet({
        'clusters/2/other.yaml': clusterFiles(3)['site1.yaml'] ?? '',
        'clusters/2/kustomization.yaml': (clusterFiles(2)['kustomization.yaml'] ?? '').replace(
          ']',
          ', gone]',
        ),
      }),
    );
    expect(problemsOf(read).map(problemLine)).toEqual([
      'clusters/2/other.yaml import/unlisted: clusters/2/kustomization.yaml does not list the file of "site3"',
      'clusters/2/kustomization.yaml:3:35 import/missing: resources[2] names a file that does not exist: kustomize stops, and a site in it is not read',
    ]);
  });

  it('parses each file once to select sites, and still compares all BMCs and names', () => {
    const more = Array.from({ length: 80 }, (_, index): readonly [string, string] => [
      `clusters/many/${index}.yaml`,
      first.replaceAll('site1', `many-${index}`).replace('192.0.2.17', '192.0.2.11'),
    ]);
    const dir = instanceFleet({ ...Object.fromEntries(more), 'clusters/z.yaml': first });
    const parsed = new Map<string, number>();
    const inputsAt = (folder: string): Inputs => {
      const inputs = cachedInputs(join(dir, folder), {});
      return {
        ...inputs,
        read: (path) => {
          if (path.startsWith('clusters/')) parsed.set(path, (parsed.get(path) ?? 0) + 1);
          return inputs.read(path);
        },
      };
    };
    const read = readFleetToCheck({ inputsAt }, { only: ['many-79'], where: [] });
    if (!read.ok) throw new Error(read.problems.map(problemLine).join('\n'));

    const faults = bootFaults(read.value, cachedInputs(dir, {}));
    expect([...parsed].filter(([, times]) => times !== 1)).toEqual([]);
    expect(parsed.size).toBe(89);
    expect(read.value.faults.map(problemLine)).toEqual([
      expect.stringContaining('clusters/z.yaml:7:16 fleet/site-twice'),
    ]);
    expect(faults.map(({ problem, sites }) => [problemLine(problem), sites])).toEqual([
      [
        expect.stringContaining('fleet/shared-value: this BMC is already used by the site site1'),
        ['many-79'],
      ],
    ]);
  });

  it('reads the clusters of a SiteConfig, and several documents of a file', () => {
    const cluster = (name: string): string =>
      `    - clusterName: ${name}\n      networkType: OVNKubernetes\n      nodes:\n        - hostName: ${name}\n`;
    const config = (names: readonly string[]): string =>
      `apiVersion: ran.openshift.io/v1\nkind: SiteConfig\nspec:\n  baseDomain: example.com\n  clusters:\n${names.map(cluster).join('')}`;
    const read = opened({ 'clusters/old.yaml': `${config(['a', 'b'])}---\n${config(['c'])}` });

    expect(read.rows.map(({ name }) => name)).toEqual(['site1', 'site2', 'a', 'b', 'c']);
    expect(textOf(filesOf(read, 4), 'install-config.yaml')).toContain(
      'metadata:\n  name: c\nbaseDomain: example.com\n',
    );
  });
});

test('labels and annotations are variables, also for classes', () => {
  const labels = [
    '  extraLabels:',
    '    ManagedCluster: {hardware: r750, example.com/rack-row: "7", group-du-sno: "", mac: "no", 5g: yes}',
    '    BareMetalHost: {other: a}',
    '  extraAnnotations:',
    '    ManagedCluster: {hardware: other, b.example.com/zone: b}',
  ].join('\n');
  const site = (source['site1.yaml'] ?? '')
    .replace(/ {2}extraLabels:\n(?: {4}.*\n)*/, `${labels}\n`)
    .replace('metadata:\n', 'metadata:\n  labels: {a.example.com/zone: a, region: eu}\n');
  const read = opened({
    'fleet.yaml': `${fleetYaml}classes: ["\${hardware:-}", "\${group-du-sno:-}"]\n`,
    'clusters/1/site1.yaml': site,
    'classes/r750/manifests/a.txt': 'a',
  });
  const [variables] = read.rows.map((row) => row.variables.known);
  const names = ['hardware', 'example_com_rack-row', 'rack-row', 'group-du-sno', 'a_example_com_zone'];
  const more = ['b_example_com_zone', 'zone', 'other', 'region', 'mac', '_5g'];
  const texts = [...names, ...more].map((name) => {
    const value = variables?.get(name)?.value;
    return value?.kind === 'scalar' ? value.text : undefined;
  });
  const mac = texts[9];
  expect(texts).toEqual(['r750', '7', '7', '', 'a', 'b', undefined, undefined, 'eu', mac, 'yes']);
  expect(mac).toMatch(/^52:/);
  expect(variables?.get('hardware')?.at).toMatchObject({
    file: 'clusters/1/site1.yaml',
    path: 'spec.extraLabels.ManagedCluster.hardware',
  });
  expect([0, 1].map((index) => filesOf(read, index).inputs.list('manifests')?.includes('a.txt'))).toEqual([
    true,
    false,
  ]);
});
