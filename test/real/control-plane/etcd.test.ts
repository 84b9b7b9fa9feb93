import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { etcdLoops, etcdRevision } from '../../../src/assets/control-plane/etcd/loops.js';
import { etcdPod } from '../../../src/assets/control-plane/etcd/pod.js';
import type { ControlPlaneInputs } from '../../../src/assets/control-plane/inputs.js';
import { installedFiles } from '../../../src/assets/control-plane/installer.js';
import { secrets } from '../../../src/assets/control-plane/kinds.js';
import { runPipeline } from '../../../src/assets/control-plane/pipeline.js';
import { storeOf } from '../../../src/assets/control-plane/store.js';
import { commandBelow, layFiles } from '../../support/laid-pod.js';
import {
  loopbackNetwork,
  loopbackNetworkPrograms,
  readyTimeoutMs,
  type LoopbackNetwork,
  type RunningProgram,
} from '../../support/loopback-network.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const families = [
  { family: 'IPv4', host: '127.0.0.1' },
  { family: 'IPv6', host: '[::1]' },
] as const;

describeWith(
  ['etcd', 'etcdctl', ...loopbackNetworkPrograms],
  'the rendered etcd, run by the real one',
  () => {
    test.each(families)(
      'is healthy over $family, and keeps its data when it starts again',
      async ({ family, host }) => {
        const node = await etcdNode(family);
        const first = await node.start();
        expect(node.etcdctl('put', '/key', 'kept').trim()).toBe('OK');
        expect(node.etcdctl('member', 'list')).toContain(
          `started, sno, https://${host}:2380, https://${host}:2379`,
        );
        await first.stop();

        const second = await node.start();
        expect(node.etcdctl('get', '/key', '--print-value-only').trim()).toBe('kept');
        await second.stop();
      },
      2 * readyTimeoutMs,
    );

    test.each(families)('answers its probes over $family', async ({ family }) => {
      const node = await etcdNode(family);
      const running = await node.start();
      for (const url of node.probeUrls) {
        expect(node.network.run(['curl', '--silent', '--globoff', '--fail', url])).toEqual({
          status: 0,
          output: '{"health":"true"}',
        });
      }
      await running.stop();
    });

    test('starts over a restored snapshot', async () => {
      const node = await etcdNode('IPv4');
      const before = await node.start();
      node.etcdctl('put', '/key', 'saved');
      const snapshot = join(node.root, 'snapshot.db');
      node.etcdctl('snapshot', 'save', snapshot);
      await before.stop();

      rmSync(node.dataFolder, { recursive: true });
      node.etcdctl(
        'snapshot',
        'restore',
        snapshot,
        '--name=sno',
        '--initial-cluster=sno=https://127.0.0.1:2380',
        '--initial-advertise-peer-urls=https://127.0.0.1:2380',
        `--data-dir=${node.dataFolder}`,
      );
      const after = await node.start();
      expect(node.etcdctl('get', '/key', '--print-value-only').trim()).toBe('saved');
      await after.stop();
    });

    test('refuses a client without a certificate', async () => {
      const node = await etcdNode('IPv4');
      const running = await node.start();
      const { status } = node.network.run(['curl', '--insecure', 'https://127.0.0.1:2379/version']);
      await running.stop();
      expect(status).not.toBe(0);
      expect(running.log()).toContain("tls: client didn't provide a certificate");
    });
  },
);

interface EtcdNode {
  readonly root: string;
  readonly dataFolder: string;
  readonly network: LoopbackNetwork;
  readonly probeUrls: readonly string[];
  /** Starts etcd by the command of its pod and waits until it is healthy. */
  readonly start: () => Promise<RunningProgram>;
  readonly etcdctl: (...args: readonly string[]) => string;
}

/** What the pipeline lays for etcd, with the pair of kube-apiserver beside it, on a loopback of its own. */
async function etcdNode(family: 'IPv4' | 'IPv6'): Promise<EtcdNode> {
  const given = await controlPlaneInputs({ profile: 'Kubernetes' });
  const inputs = { ...given, networks: { ...given.networks, family } };
  const root = scratchFolder();
  const connection = layEtcd(inputs, root);
  const network = await loopbackNetwork();
  const pod = etcdPod(inputs);
  const client = ['etcdctl', ...connection];
  return {
    root,
    dataFolder: join(root, 'var/lib/etcd'),
    network,
    probeUrls: probeUrlsOf(pod),
    start: async () => {
      const running = network.start(commandBelow(root, pod, 'etcd'));
      await network.until([...client, 'endpoint', 'health'], running);
      return running;
    },
    etcdctl: (...args) => {
      const { status, output } = network.run([...client, ...args]);
      if (status !== 0) throw new Error(output);
      return output;
    },
  };
}

/** Lays etcd's files and the client pair that kube-apiserver gets, and gives the options of etcdctl. */
function layEtcd(inputs: ControlPlaneInputs, root: string): readonly string[] {
  const revisioned = etcdRevision(inputs);
  const pipeline = { loops: [etcdLoops], revisioned: [revisioned] };
  const settled = runPipeline(pipeline, inputs, storeOf(inputs.seeds));
  if (!settled.ok) throw new Error('the loops of etcd do not settle');
  const { store } = settled.value;
  layFiles(installedFiles(store, revisioned, inputs.node), root);
  const pair = store.get(secrets, 'openshift-config', 'etcd-client')?.data ?? {};
  const parts = ['tls.crt', 'tls.key'].map((key) => ({
    path: `/client/${key}`,
    mode: 0o600,
    contents: Buffer.from(pair[key] ?? '', 'base64').toString(),
  }));
  layFiles(parts, root);
  const host = inputs.networks.family === 'IPv6' ? '[::1]' : '127.0.0.1';
  const bundles = 'etc/kubernetes/static-pod-resources/etcd-certs/configmaps/etcd-all-bundles';
  return [
    `--endpoints=https://${host}:2379`,
    `--cacert=${join(root, bundles, 'server-ca-bundle.crt')}`,
    `--cert=${join(root, 'client/tls.crt')}`,
    `--key=${join(root, 'client/tls.key')}`,
  ];
}

function probeUrlsOf(pod: ReturnType<typeof etcdPod>): readonly string[] {
  const [etcd] = pod.spec.containers;
  return [etcd?.startupProbe, etcd?.readinessProbe, etcd?.livenessProbe].map((probe) => {
    if (probe === undefined) throw new Error('a probe is missing');
    const { scheme, host = '', path, port } = probe.httpGet;
    return `${scheme.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  });
}
