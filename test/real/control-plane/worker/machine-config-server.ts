import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { parse } from 'yaml';

import type { KubeObject } from '../../../../src/kube/object.js';
import { container, podText } from '../../../lab/release/pod-text.js';
import type { Machine } from '../support/machine.js';
import { waitUntil } from '../support/wait-until.js';
import { renderedWorker } from './rendered-worker.js';
import type { Site } from './site.js';

/** Calls kubectl as the administrator of the site; throws if it fails. */
export type Kubectl = (argv: readonly string[], input?: string) => Promise<string>;

const namespace = 'openshift-machine-config-operator';

/**
 * Creates the manifests of the site that upstream Kubernetes serves, and the objects that the machine-config operator has for new
 * nodes. Source: openshift/machine-config-operator manifests/machineconfigserver
 */
export async function createObjects(kubectl: Kubectl, { manifests }: Site): Promise<void> {
  const own = manifests
    .map(([, text]) => parse(text) as KubeObject)
    .filter(({ apiVersion }) => !apiVersion.includes('openshift.io'));
  const objects = [...own.filter(({ kind }) => kind !== 'Namespace'), ...operatorObjects];
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  for (const { kind, metadata } of own) if (kind === 'Namespace') names.add(metadata.name);
  const namespaces = [...names]
    .filter((name) => name !== 'kube-system')
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  for (const items of [namespaces, objects])
    await kubectl(['create', '--filename=-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

const account = { name: 'node-bootstrapper', namespace };

const operatorObjects: readonly KubeObject[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: {
      name: 'node-bootstrapper-token',
      namespace,
      annotations: { 'kubernetes.io/service-account.name': account.name },
    },
  },
  binding('system-bootstrap-node-bootstrapper', 'system:node-bootstrapper', {
    kind: 'ServiceAccount',
    ...account,
  }),
  binding(
    'system-bootstrap-node-renewal',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    { kind: 'Group', name: 'system:nodes', apiGroup: 'rbac.authorization.k8s.io' },
  ),
];

function binding(name: string, role: string, subject: object): KubeObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [subject],
  };
}

/**
 * Starts the machine-config server as a static pod, with the files that its DaemonSet mounts and the objects that it reads, all from
 * the API. Source: openshift/machine-config-operator manifests/machineconfigserver/daemonset.yaml; pkg/operator/sync.go for the
 * authorities of kubelet clients and of the kubeconfig
 */
export async function startMachineConfigServer(
  machine: Machine,
  kubectl: Kubectl,
  site: Site,
): Promise<void> {
  const read = async (kind: 'secret' | 'configmap', name: string, of: string) =>
    dataOf(await kubectl(['get', kind, name, `--namespace=${of}`, '--output=json']), kind);
  const token = await waitUntil('the token of node-bootstrapper', async () => {
    const data = await read('secret', 'node-bootstrapper-token', namespace);
    return data['token'] === undefined ? undefined : data;
  });
  const serving = await read('secret', 'machine-config-server-tls', namespace);
  const serverCa = await read('configmap', 'kube-apiserver-server-ca', 'openshift-config-managed');
  const clientCa = await read('configmap', 'kube-apiserver-client-ca', 'openshift-config-managed');
  const worker = renderedWorker(site.manifests, clientCa['ca-bundle.crt'] ?? '');
  const files = {
    '/etc/ssl/mcs/tls.crt': serving['tls.crt'],
    '/etc/ssl/mcs/tls.key': serving['tls.key'],
    '/etc/mcs/bootstrap-token/token': token['token'],
    '/etc/mcs/bootstrap-token/ca.crt': token['ca.crt'],
    '/etc/mcs/kubeconfig-data/ca-bundle.crt': serverCa['ca-bundle.crt'],
    '/etc/mcs/pools/worker.json': JSON.stringify(worker),
    '/etc/kubernetes/manifests/machine-config-server.yaml': podOf(internalApiUrl(site)),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(machine.path(path)), { recursive: true });
    writeFileSync(machine.path(path), text ?? '', { mode: 0o600 });
  }
}

function dataOf(text: string, kind: 'secret' | 'configmap'): Readonly<Record<string, string>> {
  const { data = {} } = JSON.parse(text) as { data?: Readonly<Record<string, string>> };
  if (kind === 'configmap') return data;
  const texts = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

/** Source: openshift/machine-config-operator pkg/operator/sync.go: the server's `--apiserver-url` is the field of Infrastructure */
function internalApiUrl({ manifests }: Site): string {
  const infrastructure = manifests
    .map(([, text]) => parse(text) as { kind: string; status?: { apiServerInternalURI?: string } })
    .find(({ kind }) => kind === 'Infrastructure');
  return infrastructure?.status?.apiServerInternalURI ?? '';
}

const folders = ['/etc/mcs', '/etc/ssl/mcs'];

function podOf(apiUrl: string): string {
  const command = ['machine-config-server', 'start', `--apiserver-url=${apiUrl}`];
  const containers = [
    container({ name: 'machine-config-server', image: 'machine-config-operator', command }, folders),
  ];
  return podText('machine-config-server', namespace, { containers, volumes: folders });
}
