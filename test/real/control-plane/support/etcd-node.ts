import { join } from 'node:path';

import { dialects } from '../../../../src/control-plane/dialects.js';
import { etcdLoops } from '../../../../src/control-plane/etcd/etcd-loops.js';
import { etcdPod } from '../../../support/dialects.js';
import type { ControlPlaneInputs } from '../../../../src/control-plane/loops/loop-inputs.js';
import { installedFiles } from '../../../../src/control-plane/loops/installer.js';
import { secrets } from '../../../../src/control-plane/loops/kinds.js';
import { runPipeline } from '../../../../src/control-plane/loops/pipeline.js';
import { createStore } from '../../../../src/control-plane/loops/store.js';
import type { Pod } from '../../../../src/kube/pod-object.js';
import { controlPlaneInputs } from '../../../support/control-plane.js';
import { commandBelow, writeNodeFiles } from '../../../support/laid-pod.js';
import {
  loopbackNetwork,
  type LoopbackNetwork,
  type RunningProgram,
} from '../../../support/loopback-network.js';
import { scratchFolder } from '../../../support/scratch.js';

/** The pipeline's files for etcd, and functions to run it in a separate network namespace. */
export interface EtcdNode {
  readonly root: string;
  readonly dataFolder: string;
  readonly network: LoopbackNetwork;
  readonly pod: Pod;
  /** Starts a container's program with its command and environment. */
  readonly startContainer: (name: string) => RunningProgram;
  /** Starts etcd and waits until it is healthy. */
  readonly start: () => Promise<RunningProgram>;
  readonly etcdctl: (...args: readonly string[]) => string;
  /** The metrics that etcd returns to a client with a certificate. */
  readonly metricsAt: (url: string) => string;
}

export interface EtcdCase {
  readonly profile: ControlPlaneInputs['profile'];
  readonly family: 'IPv4' | 'IPv6';
  readonly version: ControlPlaneInputs['versions']['etcd'];
  /** The folder of the programs, with a trailing slash. Empty: use PATH. */
  readonly programs: string;
}

export async function etcdNode({ profile, family, version, programs }: EtcdCase): Promise<EtcdNode> {
  const given = await controlPlaneInputs({ profile, versions: { kubernetesMinor: 36, etcd: version } });
  const inputs = { ...given, networks: { ...given.networks, family } };
  const root = scratchFolder();
  const network = await loopbackNetwork();
  network.run(['ip', 'address', 'add', `${inputs.node.ip}/32`, 'dev', 'lo']);
  const pod = etcdPod(inputs);
  const authorities = join(root, bundleFolder, 'server-ca-bundle.crt');
  const { certFile, keyFile } = layEtcd(inputs, root);
  const client = [
    `${programs}etcdctl`,
    `--endpoints=https://${family === 'IPv6' ? '[::1]' : '127.0.0.1'}:2379`,
    `--cacert=${authorities}`,
    `--cert=${certFile}`,
    `--key=${keyFile}`,
  ];
  const startContainer = (name: string): RunningProgram => {
    const command = commandBelow(root, pod, name);
    // Skips a command prefix that raises the priority, because that requires root privileges.
    const args = command.slice(command.indexOf('etcd') + 1);
    return network.start([`${programs}etcd`, ...args], environmentOf(pod, name, root));
  };
  return {
    root,
    dataFolder: join(root, 'var/lib/etcd'),
    network,
    pod,
    startContainer,
    start: async () => {
      const running = startContainer('etcd');
      await network.until([...client, 'endpoint', 'health'], running);
      return running;
    },
    etcdctl: (...args) => answerOf(network.run([...client, ...args])),
    metricsAt: (url) => {
      const files = ['--cacert', authorities, '--cert', certFile, '--key', keyFile];
      return answerOf(network.run(['curl', '--silent', '--show-error', '--fail', ...files, url]));
    },
  };
}

function answerOf({ status, output }: ReturnType<LoopbackNetwork['run']>): string {
  if (status !== 0) throw new Error(output);
  return output;
}

const bundleFolder = 'etc/kubernetes/static-pod-resources/etcd-certs/configmaps/etcd-all-bundles';

/** Writes etcd's files, and the client certificate and key of kube-apiserver. */
function layEtcd(
  inputs: ControlPlaneInputs,
  root: string,
): { readonly certFile: string; readonly keyFile: string } {
  const { etcd } = dialects[inputs.profile];
  const revisioned = etcd.revision;
  const pipeline = { loops: [etcdLoops(etcd)], revisioned: [revisioned] };
  const settled = runPipeline(pipeline, inputs, createStore(inputs.seeds));
  if (!settled.ok) throw new Error('the loops of etcd do not settle');
  const { store } = settled.value;
  const pair = store.get(secrets, 'openshift-config', 'etcd-client')?.data ?? {};
  const parts = ['tls.crt', 'tls.key'].map((key) => ({
    path: `/client/${key}`,
    mode: 0o600,
    contents: Buffer.from(pair[key] ?? '', 'base64').toString(),
  }));
  writeNodeFiles([...installedFiles(store, revisioned, inputs.node), ...parts], root);
  return { certFile: join(root, 'client/tls.crt'), keyFile: join(root, 'client/tls.key') };
}

/** The container's variables, with its data folder below the scratch folder. */
function environmentOf(pod: Pod, name: string, root: string): Readonly<Record<string, string>> {
  const variables = pod.spec.containers.find((each) => each.name === name)?.env ?? [];
  const known = variables.flatMap((each) => ('value' in each ? [[each.name, each.value] as const] : []));
  return Object.fromEntries(
    known.map(([key, value]) => [key, key === 'ETCD_DATA_DIR' ? join(root, value) : value]),
  );
}
