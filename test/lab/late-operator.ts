import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Machine } from '../real/control-plane/support/machine.js';
import { runProgram, type ProgramResult } from '../real/control-plane/support/run-program.js';
import { canaryValue } from './canaries.js';
import type { Lab } from './lab.js';

/** A kind of an operator, with an object of the site. */
interface LateKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespace: string;
  readonly spec: object;
}

/** Source of groups, versions and fields: openshift-kni/telco-reference, core and RAN reference configurations */
const ptp: LateKind = {
  group: 'ptp.openshift.io',
  version: 'v1',
  kind: 'PtpConfig',
  plural: 'ptpconfigs',
  namespace: 'openshift-ptp',
  spec: {
    profile: [{ name: 'one', interface: 'ens5f0', ptp4lOpts: '-2 -s' }],
    recommend: [{ profile: 'one', priority: 4, match: [{ nodeLabel: 'node-role.kubernetes.io/master' }] }],
  },
};
const sriov: LateKind = {
  group: 'sriovnetwork.openshift.io',
  version: 'v1',
  kind: 'SriovNetworkNodePolicy',
  plural: 'sriovnetworknodepolicies',
  namespace: 'openshift-sriov-network-operator',
  spec: {
    nodeSelector: { 'node-role.kubernetes.io/master': '' },
    resourceName: 'du_fh',
    nicSelector: { pfNames: ['ens7f0'] },
    numVfs: 8,
  },
};
const lvm: LateKind = {
  group: 'lvm.topolvm.io',
  version: 'v1alpha1',
  kind: 'LVMCluster',
  plural: 'lvmclusters',
  namespace: 'openshift-storage',
  spec: { storage: { deviceClasses: [{ name: 'vg1' }] } },
};
const kinds = [ptp, sriov, lvm];

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login', namespace: ptp.namespace },
  stringData: { password: canaryValue },
};

/** Post-install manifests of three operators. The first wave has their namespaces and a Secret. */
export const postInstallManifests = {
  '10-namespaces.yaml': [
    ...kinds.map(({ namespace }) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })),
    secret,
  ]
    .map((object) => JSON.stringify(object))
    .join('\n---\n'),
  '20-ptp.yaml': JSON.stringify(objectOf(ptp)),
  '20-sriov.yaml': JSON.stringify(objectOf(sriov)),
  '30-lvm.yaml': JSON.stringify(objectOf(lvm)),
};

/** The lines of the ConfigMap for kinds that are not served. */
export const waitingLines = kinds.map(
  ({ group, version, kind, namespace }) =>
    `${kind} ${namespace}/one: kind ${kind} of ${group}/${version} is not served`,
);

/**
 * Operators that install their CRDs after the node has reported that it waits for them. Returns the lines of the report that were
 * answered by a CRD.
 */
export async function installLateCrds(lab: Lab, machine: Machine): Promise<readonly string[]> {
  const { waiting = '' } = await postInstallStatus(lab, machine);
  const answered: string[] = [];
  for (const [index, kind] of kinds.entries()) {
    const line = waitingLines[index] ?? '';
    if (!waiting.split('\n').includes(line)) continue;
    const create = ['create', '--filename=-'];
    const { code } = await machine.kubectl(lab.site.adminKubeconfig, create, JSON.stringify(crdOf(kind)));
    if (code === 0) answered.push(line);
  }
  return answered;
}

function objectOf({ group, version, kind, namespace, spec }: LateKind): object {
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'one', namespace }, spec };
}

function crdOf({ group, version, kind, plural }: LateKind): object {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

/** The ConfigMap of the node. Empty if there is none or the API server does not answer. */
export async function postInstallStatus(
  lab: Lab,
  machine: Machine,
): Promise<Readonly<Record<string, string>>> {
  const read = ['get', 'configmap', 'sno-post-install', '--namespace=kube-system', '--output=json'];
  const { code, stdout } = await machine.kubectl(lab.site.adminKubeconfig, read);
  if (code !== 0) return {};
  return (JSON.parse(stdout) as { data?: Readonly<Record<string, string>> }).data ?? {};
}

/** Runs the built CLI in the network of the machine, as on a workstation that reaches the API. */
export function snoNear(lab: Lab, machine: Machine, args: readonly string[]): Promise<ProgramResult> {
  const kubeconfig = join(lab.folder, 'kubeconfig-localhost');
  const local = lab.site.adminKubeconfig.replace(/server: .*/, 'server: https://localhost:6443');
  writeFileSync(kubeconfig, local, { mode: 0o600 });
  return runProgram([
    'nsenter',
    `--target=${machine.pid}`,
    '--net',
    process.execPath,
    'dist/cli.js',
    ...args,
    lab.site.folder,
    '--kubeconfig',
    kubeconfig,
  ]);
}
