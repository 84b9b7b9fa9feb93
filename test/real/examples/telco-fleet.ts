import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encryptAge } from '../../../src/formats/age.js';
import { liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { scratchFolder } from '../../support/scratch.js';
import { liveApi, type LiveApi } from '../cluster/live-api.js';
import { madePair, startEmulator, type Ends } from '../redfish/emulated-bmcs.js';

/** A row of sites.csv by column. */
export type Site = Readonly<Record<string, string>>;

export const hardware = ['small', 'medium', 'large'] as const;

const password = 'bmc-pa55word-of-all';
const pullSecret =
  '{"auths":{"registry.north.example.com:5000":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="},"registry.south.example.com:5000":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';

export interface TelcoFleet {
  readonly dir: string;
  readonly sites: readonly Site[];
  /** The folder of the program `vault`. */
  readonly programs: string;
}

/**
 * A copy of the example whose BMCs are emulated for the wanted sites. The recipient, the authority of the BMCs and the live ISO are replaced;
 * `now.yaml` is rollout.yaml without pause and windows.
 */
export async function telcoFleet(isWanted: (site: Site) => boolean, ends: Ends): Promise<TelcoFleet> {
  const dir = join(scratchFolder(), 'fleet');
  cpSync('examples/fleet-telco', dir, { recursive: true });
  const edit = (file: string, change: (text: string) => string): void => {
    writeFileSync(join(dir, file), change(readFileSync(join(dir, file), 'utf8')));
  };
  const [head = [], ...rows] = readFileSync(join(dir, 'sites.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const sites = rows.map((cells): Site =>
    Object.fromEntries(cells.map((cell, at) => [head[at] ?? '', cell])),
  );
  const wanted = sites.filter(isWanted);
  const pair = madePair();
  const perEmulator = 60;
  const emulators = await Promise.all(
    Array.from({ length: Math.ceil(wanted.length / perEmulator) }, (_, index) =>
      startEmulator(Math.min(perEmulator, wanted.length - index * perEmulator), { pair, password, ends }),
    ),
  );
  const machines = emulators.flatMap(({ port, systems }) =>
    systems.map((system) => `redfish-virtualmedia://127.0.0.1:${port}${system}`),
  );
  edit('sites.csv', (text) =>
    wanted.reduce(
      (all, { bmc = '' }, index) => all.replace(`,${bmc}\n`, `,${machines[index] ?? ''}\n`),
      text,
    ),
  );
  edit('fleet.yaml', (text) =>
    text
      .replace(/^recipients: .*$/m, `recipients: [${ageKeys.ours.recipient}]`)
      .replace(/^( {2}authorities): .*$/m, `  certificate: ${pair.fingerprint}`)
      .replace(/^( {2}identity): .*$/m, '$1: identity.txt'),
  );
  writeFileSync(join(dir, 'identity.txt'), `${ageKeys.ours.identity}\n`);
  writeFileSync(join(dir, 'rhcos-live.x86_64.iso'), liveIso({}, 'rhcos-421.96.202601011200-0'));
  const plan = readFileSync(join(dir, 'rollout.yaml'), 'utf8');
  writeFileSync(join(dir, 'now.yaml'), plan.slice(0, plan.indexOf('pause:')));
  return { dir, sites: wanted, programs: vaultIn(dir) };
}

/** The program that `secrets` of fleet.yaml name. */
function vaultIn(dir: string): string {
  const folder = join(dir, '../programs');
  mkdirSync(folder);
  const vault = join(folder, 'vault');
  writeFileSync(
    vault,
    `#!/bin/sh\ncase "$*" in\n*=pull-secret*) echo '${pullSecret}' ;;\n*=password*) echo '${password}' ;;\n*) exit 1 ;;\nesac\n`,
  );
  chmodSync(vault, 0o755);
  return folder;
}

/** An API server for each kind of hardware, to which the kubeconfigs of its sites lead. It replaces their clusters. */
export async function apisOf({ dir, sites }: TelcoFleet, ends: Ends): Promise<ReadonlyMap<string, LiveApi>> {
  const apis = new Map<string, LiveApi>();
  for (const kind of hardware) {
    const folder = mkdtempSync(join(tmpdir(), 'sno-install-telco-'));
    const api = await liveApi(folder);
    ends.push(async () => {
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    });
    await api.start();
    apis.set(kind, api);
  }
  for (const { name = '', hardware: kind = '' } of sites) {
    const text = apis.get(kind)?.kubeconfig() ?? '';
    const sealed = await encryptAge(text, { recipients: [ageKeys.ours.recipient] });
    writeFileSync(join(dir, 'out', name, 'auth/kubeconfig.age'), sealed);
  }
  return apis;
}

/** The namespaces that `manifests/` create, and the kinds of the operators without a schema. */
export async function serveOperators(api: LiveApi): Promise<void> {
  const kind = (group: string, name: string, plural: string): object => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: name, plural, singular: name.toLowerCase() },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  for (const name of ['openshift-ptp', 'openshift-sriov-network-operator'])
    await api.kubectl(['create', 'namespace', name]);
  for (const object of [
    kind('ptp.openshift.io', 'PtpConfig', 'ptpconfigs'),
    kind('sriovnetwork.openshift.io', 'SriovNetwork', 'sriovnetworks'),
    kind('sriovnetwork.openshift.io', 'SriovNetworkNodePolicy', 'sriovnetworknodepolicies'),
  ])
    await api.kubectl(['create', '--filename=-'], object);
}
