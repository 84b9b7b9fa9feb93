import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import type { ControlPlaneInputs } from '../../../../src/control-plane/loops/loop-inputs.js';
import { etcdHosts } from '../../../../src/control-plane/etcd/config.js';
import { configMaps, secrets } from '../../../../src/control-plane/loops/kinds.js';
import { fileKubeconfig } from '../../../../src/control-plane/shared/file-kubeconfig.js';
import { renderControlPlane } from '../../../../src/control-plane/render-control-plane.js';
import type { Store } from '../../../../src/control-plane/loops/store.js';
import type { Pod } from '../../../../src/kube/pod-object.js';
import { controlPlaneInputs } from '../../../support/control-plane.js';
import { commandBelow, writeNodeFiles } from '../../../support/laid-pod.js';
import {
  loopbackNetwork,
  type LoopbackNetwork,
  type RunningProgram,
} from '../../../support/loopback-network.js';
import { scratchFolder } from '../../../support/scratch.js';

/**
 * A running etcd and kube-apiserver with the pipeline's files for one node, in a separate network namespace. `root` contains
 * these files.
 */
export interface ApiserverNode {
  readonly root: string;
  readonly network: LoopbackNetwork;
  readonly pod: Pod;
  readonly etcd: RunningProgram;
  readonly server: RunningProgram;
  readonly startEtcd: () => Promise<RunningProgram>;
  readonly etcdctl: (...args: readonly string[]) => string;
  readonly curlCommand: (...args: readonly string[]) => readonly string[];
  readonly curl: (...args: readonly string[]) => { readonly status: number | null; readonly output: string };
  /** kubectl with the client certificate of a Secret in kube-apiserver's namespace. */
  readonly kubectl: (secret: string, ...args: readonly string[]) => string;
  /** kubectl as cluster-admin. */
  readonly admin: (...args: readonly string[]) => string;
}

export interface NodeCase {
  readonly nodeIp: string;
  readonly networks: Partial<ControlPlaneInputs['networks']>;
  readonly featureGates?: ControlPlaneInputs['featureGates'];
  readonly extraArguments?: Readonly<Record<string, readonly string[]>>;
}

const namespace = 'openshift-kube-apiserver';

/** Starts both with the commands of their pods and waits until kube-apiserver is ready. */
export async function apiserverNode(program: string, given: NodeCase): Promise<ApiserverNode> {
  const inputs = await inputsOf(given);
  const { store, root } = layPods(inputs);
  const network = await loopbackNetwork();
  network.run([
    'ip',
    'address',
    'add',
    `${given.nodeIp}/${given.nodeIp.includes(':') ? 128 : 32}`,
    'dev',
    'lo',
  ]);
  const etcdctl = [
    'etcdctl',
    `--endpoints=https://${etcdHosts(inputs).loopback}:2379`,
    ...etcdctlFiles(store, root),
  ];
  const startEtcd = async (): Promise<RunningProgram> => {
    const etcd = network.start(commandBelow(root, laidPod(root, 'etcd'), 'etcd'));
    await network.until([...etcdctl, 'endpoint', 'health'], etcd);
    return etcd;
  };
  const etcd = await startEtcd();

  const pod = laidPod(root, 'kube-apiserver');
  const [, ...args] = commandBelow(root, pod, 'kube-apiserver');
  const server = network.start([program, ...args.map((word) => word.replace('$(HOST_IP)', given.nodeIp))]);
  const curlCommand = (...args: readonly string[]) => [
    'curl',
    '--silent',
    '--globoff',
    `--cacert`,
    join(root, 'server-ca.crt'),
    ...args,
  ];
  await network.until(curlCommand('--fail', 'https://localhost:6443/readyz'), server);
  const run = (command: readonly string[]): string => {
    const { status, output } = network.run(command);
    if (status !== 0) throw new Error(output);
    return output;
  };
  const kubectl = (secret: string, ...args: readonly string[]): string =>
    run(['kubectl', `--kubeconfig=${layKubeconfig(store, root, secret)}`, ...args]);
  return {
    root,
    network,
    pod,
    etcd,
    server,
    startEtcd,
    etcdctl: (...args) => run([...etcdctl, ...args]),
    curlCommand,
    curl: (...args) => network.run(curlCommand(...args)),
    kubectl,
    admin: (...args) => kubectl('control-plane-node-admin-client-cert-key', ...args),
  };
}

/** An address as the host of a URL. IPv6 addresses get brackets. */
export function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

async function inputsOf({
  nodeIp,
  networks,
  featureGates,
  extraArguments,
}: NodeCase): Promise<ControlPlaneInputs> {
  const usual = await controlPlaneInputs({ profile: 'Kubernetes' });
  return controlPlaneInputs({
    profile: 'Kubernetes',
    networks: { ...usual.networks, ...networks },
    apiServer: { ...usual.apiServer, extraNames: ['sno', nodeIp] },
    encryption: { provider: 'aescbc', key: Buffer.alloc(32, 7).toString('base64') },
    ...(featureGates && { featureGates }),
    extraArguments: { ...usual.extraArguments, 'kube-apiserver': extraArguments ?? {} },
  });
}

function layPods(inputs: ControlPlaneInputs): { readonly store: Store; readonly root: string } {
  const rendered = renderControlPlane(inputs);
  if (!rendered.ok) throw new Error('the loops do not reach a stable state');
  const { store, files } = rendered.value;
  const root = scratchFolder();
  const ca = store.get(configMaps, namespace, 'kube-apiserver-server-ca')?.data['ca-bundle.crt'] ?? '';
  writeNodeFiles([...files, { path: '/server-ca.crt', mode: 0o644, contents: ca }], root);
  return { store, root };
}

/** A static pod from the manifest that the kubelet would read. */
export function laidPod(root: string, name: string): Pod {
  return parse(readFileSync(join(root, `etc/kubernetes/manifests/${name}-pod.yaml`), 'utf8')) as Pod;
}

/** etcdctl options with kube-apiserver's etcd client certificate. */
function etcdctlFiles(store: Store, root: string): readonly string[] {
  const { certFile, keyFile } = layPair(store, root, 'etcd-client');
  const ca = store.get(configMaps, namespace, 'etcd-serving-ca')?.data['ca-bundle.crt'] ?? '';
  writeNodeFiles([{ path: '/etcd-ca.crt', mode: 0o644, contents: ca }], root);
  return [`--cacert=${join(root, 'etcd-ca.crt')}`, `--cert=${certFile}`, `--key=${keyFile}`];
}

function layKubeconfig(store: Store, root: string, secret: string): string {
  const text = fileKubeconfig({
    user: secret,
    server: 'https://localhost:6443',
    caFile: join(root, 'server-ca.crt'),
    ...layPair(store, root, secret),
  });
  writeNodeFiles([{ path: `/${secret}/kubeconfig`, mode: 0o600, contents: text }], root);
  return join(root, secret, 'kubeconfig');
}

function layPair(
  store: Store,
  root: string,
  secret: string,
): { readonly certFile: string; readonly keyFile: string } {
  const data = store.get(secrets, namespace, secret)?.data ?? {};
  const files = ['tls.crt', 'tls.key'].map((key) => ({
    path: `/${secret}/${key}`,
    mode: 0o600,
    contents: Buffer.from(data[key] ?? '', 'base64').toString(),
  }));
  writeNodeFiles(files, root);
  return { certFile: join(root, secret, 'tls.crt'), keyFile: join(root, secret, 'tls.key') };
}
