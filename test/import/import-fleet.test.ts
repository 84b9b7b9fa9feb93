import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOf } from '../../src/fleet/table/check-site-files.js';
import { readRolloutPlan } from '../../src/fleet/rollout/rollout-file.js';
import { cachedInputs } from '../../src/disk/read-inputs.js';
import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { fleetOfSites } from '../../src/import/fleet/fleet-of-sites.js';
import type { ImportedSite } from '../../src/import/imported-site.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { agentFiles, clusterInstance, siteOf } from './files.js';

type Files = Readonly<Record<string, string>>;

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const hub = readFileSync('fixtures/import/ztp/hub.yaml', 'utf8');
const kustomization = readFileSync('fixtures/import/ztp/kustomization.yaml', 'utf8');

/** A cluster like the one in fixtures/import/ztp, with its own addresses. */
function cluster(index: number, changed: (text: string) => string = (text) => text): Files {
  const own = (text: string): string =>
    text
      .replaceAll('site1', `site${index}`)
      .replaceAll('192.168.126.', `192.168.${index}.`)
      .replaceAll('192.0.2.17', `192.0.2.${index}`)
      .replaceAll('52:54:00:12:34:', `52:54:00:12:3${index}:`);
  const manifest =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: banner, namespace: default }\ndata: { run: "echo ${HOME}" }\n';
  return {
    'site.yaml': own(changed(clusterInstance)),
    'hub.yaml': own(hub),
    'kustomization.yaml': own(kustomization).replace(`[site${index}.yaml`, '[site.yaml'),
    'manifests/50-banner.yaml': index === 3 ? manifest.replace('${HOME}', '${HOME} 3') : manifest,
  };
}

const clusters: readonly Files[] = [
  cluster(1),
  cluster(2),
  cluster(3, (text) => text.replace('[ntp.example.com]', '[ntp.example.com, clock.example.com]')),
  cluster(4, (text) =>
    text
      .replace(
        '  cpuPartitioningMode: AllNodes\n',
        '  proxy: { httpProxy: "http://proxy.example.com:3128" }\n',
      )
      .replace('console=ttyS0', 'console=ttyS1'),
  ),
];

/** The data of a YAML text without undefined values. */
function dataIn(text: string): unknown {
  return JSON.parse(
    JSON.stringify(
      readYaml(text).documents.map((root) => toData(root)),
      (_key, value: unknown) => value ?? undefined,
    ),
  );
}

/** Checks that the fleet in a folder gives each site the same files as importing that site alone. */
function expectSame(dir: string, sites: readonly ImportedSite[]): void {
  const opened = openFleet(dir);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  expect(opened.value.rows.map(({ name }) => name)).toEqual(sites.map(({ name }) => name));
  for (const [index, row] of opened.value.rows.entries()) {
    const files = filesOf(opened.value, row);
    for (const { path, text } of sites[index]?.files ?? []) {
      const read = files.inputs.read(path);
      const made = read.kind === 'file' ? Buffer.from(read.bytes).toString('utf8') : read.kind;
      expect([row.name, path, dataIn(made)]).toEqual([row.name, path, dataIn(text)]);
    }
    expect([files.problems, files.faults]).toEqual([[], []]);
  }
}

describe('import --fleet', () => {
  it('writes a table, a base and overrides that give the same configs as single imports', async () => {
    const [from, dir] = [scratchFolder(), join(scratchFolder(), 'fleet')];
    for (const [index, files] of clusters.entries()) write(join(from, `c${index}`), files);
    const made = await snoInProcess(['import', 'cluster-instance', from, '--fleet', '--dir', dir]);

    expect([made.code, made.stdout.split('\n').slice(0, 3)]).toEqual([
      0,
      [
        `Imported 4 sites into ${dir}: fleet.yaml, sites.csv, 5 files of the base.`,
        '2 sites with an override for settings outside the table.',
        'base/pull-secret.json holds the pull secret in plain text; do not commit it to Git.',
      ],
    ]);
    expect(made.stderr.match(/^warning.*$/gm)).toEqual([
      'warning[import/no-place]: extraLabels has no equivalent and is ignored (all 4 sites)',
      'warning[import/no-place]: bmcCredentialsName has no equivalent and is ignored (all 4 sites)',
      'warning[import/no-place]: bootMode "UEFI" has no equivalent and is ignored (all 4 sites)',
    ]);
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8').split('\n').slice(0, 2)).toEqual([
      'name,machineNetwork,appendKernelArguments,ip,mac,mac2,dns,run,bmc',
      'site1,192.168.1.0/24,console=ttyS0,192.168.1.10,52:54:00:12:31:56,52:54:00:12:31:57,192.168.1.1,echo ${HOME},idrac-virtualmedia+https://192.0.2.1/redfish/v1/Systems/System.Embedded.1',
    ]);
    expect(readFileSync(join(dir, 'fleet.yaml'), 'utf8')).toMatch(/\nboot:\n {2}address: \$\{bmc\}\n$/);
    expectSame(
      dir,
      clusters.map((files) => siteOf('cluster-instance', files)),
    );
    expect(await snoInProcess(['fleet', 'validate', '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
  });

  it('reads folders of other installers, with the locations of problems', async () => {
    const [from, dir] = [scratchFolder(), join(scratchFolder(), 'fleet')];
    const agent = (index: number): Files =>
      Object.fromEntries(
        Object.entries(agentFiles).map(([path, text]) => [
          path,
          text
            .replace('name: site1', `name: site${index}`)
            .replaceAll('192.168.126.10', `192.168.126.1${index}`)
            .replaceAll('52:54:00:12:34:56', `52:54:00:12:34:0${index}`)
            .replace('a1b2c3d4', `a1b2c3d${index}`),
        ]),
      );
    for (const index of [1, 2]) write(join(from, `s${index}`), agent(index));
    const args = ['import', 'agent-config', from, '--fleet', '--dir', dir];
    expect((await snoInProcess(args)).code).toBe(0);
    expectSame(
      dir,
      [1, 2].map((index) => siteOf('agent-config', agent(index))),
    );
    expect((await snoInProcess(['fleet', 'validate', '--dir', dir])).code).toBe(0);

    const broken = (agent(2)['agent-config.yaml'] ?? '').replace(
      /rendezvousIP: .*/,
      'rendezvousIP: 10.0.0.1',
    );
    write(from, { 's2/agent-config.yaml': broken });
    const { code, stderr } = await snoInProcess([...args.slice(0, -1), join(scratchFolder(), 'other')]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /error\[config\/node-ip\].*\(1 site: site2\)\n {2}--> .*\/s2\/agent-config\.yaml:5:15/,
      ),
    ]);
  });

  it('uses defaults for values that few sites have, and writes no secrets to the table', () => {
    const site = (name: string, text: string): ImportedSite => ({
      name,
      files: [{ path: 'install-config.yaml', text, origins: [] }],
      problems: [],
    });
    const sites = [
      site('a', 'mtu: 1500\nzone: "100"\npullSecret: one\nprice: $a\n'),
      site('b', 'mtu: 9000\nzone: "200"\npullSecret: two\nprice: $b\n'),
      site('c', 'zone: "x,y"\npullSecret: one\nprice: $c\nflag: yes\n'),
    ];
    const files = Object.fromEntries(fleetOfSites(sites).map(({ path, text }) => [path, text]));

    expect(files).toEqual({
      'fleet.yaml': 'apiVersion: sno-install/v1alpha1\nkind: Fleet\nsites: sites.csv\n',
      'sites.csv': 'name,mtu,zone,price\na,1500,"100",$a\nb,9000,"200",$b\nc,,"x,y",$c\n',
      'base/install-config.yaml': 'mtu: ${mtu:-1500}\nzone: ${zone}\npullSecret: one\nprice: ${price}\n',
      'overrides/b/install-config.yaml': 'pullSecret: two\n',
      'overrides/c/install-config.yaml': 'flag: true\nmtu: null\n',
    });
    const dir = scratchFolder();
    write(dir, files);
    expectSame(dir, sites);
  });

  it('puts sites whose installation is on hold into the rollout plan', () => {
    const held = clusterInstance.replace('  baseDomain:', '  holdInstallation: true\n  baseDomain:');
    const sites = [clusterInstance, held.replaceAll('site1', 'site2')].map((text) =>
      siteOf('cluster-instance', { 'site.yaml': text }, { pullSecret: { reference: 'env:PULL_SECRET' } }),
    );
    const files = Object.fromEntries(fleetOfSites(sites).map(({ path, text }) => [path, text]));
    expect(files['rollout.yaml']).toBe(
      'hold: # holdInstallation of these sites is true\n  only:\n    - "site2"\n',
    );
    const dir = scratchFolder();
    write(dir, files);
    const opened = openFleet(dir);
    const plan = opened.ok ? readRolloutPlan(cachedInputs(dir, {}), 'rollout.yaml', opened.value) : opened;
    expect(
      plan.ok &&
        opened.ok &&
        opened.value.rows.map(({ name }) => plan.value.isHeld({ name, valueOf: () => undefined })),
    ).toEqual([false, true]);
  });

  it('keeps secret fields out of the table, whatever their values', () => {
    const file = (source: string, mode: number): string =>
      `kind: MachineConfig\nspec: { config: { storage: { files: [{ path: /etc/a, mode: ${mode}, contents: { source: "${source}" } }] } } }\n`;
    const sites = ['a', 'b', 'c'].map((name, index): ImportedSite => {
      const texts = {
        'install-config.yaml': 'apiVersion: v1\n',
        'openshift/10-secret.yaml': `kind: Secret\nmetadata: { labels: { site: pub${index} } }\nstringData: { community: hunter${index} }\n`,
        'openshift/20-list.yaml': `kind: List\nitems: [{ kind: Secret, data: { community: YWI${index} } }]\n`,
        'openshift/30-list.yaml': `kind: SecretList\nitems: [{ data: { community: YWJ${index} } }]\n`,
        'openshift/40-private.yaml': file(`data:,hunter${index}`, 384),
        'openshift/50-one-private.yaml': file(`data:,tiger${index}`, name === 'b' ? 384 : 420),
        'openshift/60-number.yaml': `kind: Device\npin: 123${index}\n`,
        'openshift/70-public.yaml': file(`data:,shown${index}`, 420),
      };
      const files = Object.entries(texts).map(([path, text]) => ({ path, text, origins: [] }));
      return { name, files, problems: [] };
    });
    const files = Object.fromEntries(fleetOfSites(sites).map(({ path, text }) => [path, text]));

    expect(files['sites.csv']).toBe(
      'name,site,source\na,pub0,"data:,shown0"\nb,pub1,"data:,shown1"\nc,pub2,"data:,shown2"\n',
    );
    const dir = scratchFolder();
    write(dir, files);
    expectSame(dir, sites);
  });

  it('does not replace settings of the user or write files that would be merged into them', async () => {
    const [from, dir] = [scratchFolder(), join(scratchFolder(), 'fleet')];
    write(join(from, 's1'), agentFiles);
    const args = ['import', 'agent-config', from, '--fleet', '--dir', dir, '--overwrite'];
    expect([(await snoInProcess(args)).code, (await snoInProcess(args)).code]).toEqual([0, 0]);
    const refusal = async (): Promise<string | undefined> =>
      /^error\[import\/folder-taken\]: --dir \S+ (.*)$/m.exec((await snoInProcess(args)).stderr)?.[1];

    write(dir, { 'overrides/site1/openshift/old.yaml': 'kind: Old\n' });
    expect(await refusal()).toBe(
      'has overrides/site1/openshift/old.yaml, which is not part of this import and would be merged with it',
    );
    const table = readFileSync(join(dir, 'sites.csv'), 'utf8');
    rmSync(join(dir, 'overrides'), { recursive: true });
    const settings = `${readFileSync(join(dir, 'fleet.yaml'), 'utf8')}encryptOutputs: true\n`;
    write(dir, { 'fleet.yaml': settings, 'sites.csv': 'name\nold\n' });
    expect(await refusal()).toBe('has a fleet.yaml with other settings, which is not overwritten');
    expect(readFileSync(join(dir, 'fleet.yaml'), 'utf8')).toBe(settings);

    rmSync(join(dir, 'fleet.yaml'));
    expect((await snoInProcess(args)).code).toBe(0);
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8')).toBe(table);
  });
});
