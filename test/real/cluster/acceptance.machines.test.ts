import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { approveRequests, checkCluster, clusterOf } from '../../../scripts/acceptance/cluster.mjs';
import { openssl } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import { liveApi, type LiveApi } from './live-api.js';
import { conditions, configObject, node, openShiftKinds, pool, statusPatch } from './objects.js';

/** The request of the kubelet of a worker for its client certificate. */
const kubeletRequest = (name: string): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: {
    request: Buffer.from(openssl(requestArguments).stdout).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['client auth'],
  },
});

const requestArguments =
  'req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj /O=system:nodes/CN=system:node:worker-0'.split(
    ' ',
  );

const settled = { Available: ['True'], Progressing: ['False'], Degraded: ['False'] } as const;

describeWith(['kubectl', 'openssl'], 'an acceptance with a real API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acceptance-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const { signal } = new AbortController();
  let api: LiveApi;

  beforeAll(async () => {
    api = await liveApi(folder);
    await api.start();
    writeFileSync(kubeconfig, api.kubeconfig(), { mode: 0o600 });
    await api.kubectl(['create', '--filename=-'], openShiftKinds);
    await api.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
    for (const object of [
      configObject('ClusterVersion', 'version'),
      configObject('ClusterOperator', 'etcd'),
      pool,
      node,
    ])
      await api.kubectl(['create', '--filename=-'], object);
  }, buildTimeoutMs);

  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('finds each fault, and nothing when all is well', async () => {
    const cluster = await clusterOf(kubeconfig, signal);
    const check = (): Promise<{ findings: readonly string[] }> =>
      checkCluster(cluster, { expectedNodes: 1, present: new Date() });
    expect((await check()).findings).toEqual([
      'ClusterVersion has no desired version',
      'ClusterVersion: the newest entry of the history is missing',
      'ClusterVersion has no condition Available',
      'ClusterVersion has no condition Progressing',
      'operator etcd has no condition Available',
      'operator etcd has no condition Progressing',
      'operator etcd has no condition Degraded',
      'MachineConfigPool master has no condition Updated',
      'MachineConfigPool master has no condition Degraded',
      'node sno1 has no condition Ready',
      'there are no pods',
      'no Secret names the end of its certificate',
    ]);
    const version = { desired: { version: '4.22.3' }, history: [{ state: 'Completed' }] };
    await api.kubectl(
      statusPatch('clusterversion', 'version', {
        ...version,
        ...conditions({ Available: ['True'], Progressing: ['False'] }),
      }),
    );
    await api.kubectl(statusPatch('clusteroperator', 'etcd', conditions(settled)));
    await api.kubectl(
      statusPatch('machineconfigpool', 'master', conditions({ Updated: ['True'], Degraded: ['False'] })),
    );
    await api.kubectl(statusPatch('node', 'sno1', conditions({ Ready: ['True'] })));
    await api.kubectl(['create', 'serviceaccount', 'default']).catch(() => '');
    await api.kubectl(['create', '--filename=-'], staticPod);
    await api.kubectl(statusPatch('pod', 'etcd', { phase: 'Running' }));
    await api.kubectl(['create', '--filename=-'], datedSecret);
    expect(await check()).toEqual({
      findings: [],
      facts: {
        'cluster version': '4.22.3',
        operators: '1',
        pods: '1',
        certificates: '1',
        'first expiry': '2099-01-01T00:00:00Z',
      },
    });
  });

  test('approves the requests of the worker, and no other', async () => {
    const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';
    const asUser = (user: string): readonly string[] => [`--as=${user}`, '--as-group=system:masters'];
    await api.kubectl(['create', '--filename=-', ...asUser(bootstrapper)], kubeletRequest('of-the-worker'));
    await api.kubectl(['create', '--filename=-', ...asUser('somebody')], kubeletRequest('of-somebody'));
    const cluster = await clusterOf(kubeconfig, signal);
    await approveRequests(cluster, 'worker-0');
    const states = ['of-the-worker', 'of-somebody'].map((name) =>
      api.kubectl(['get', 'csr', name, '--output=jsonpath={.status.conditions[*].type}']),
    );
    expect(await Promise.all(states)).toEqual(['Approved', '']);
  });
});

const staticPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'etcd', namespace: 'default' },
  spec: {
    containers: [{ name: 'etcd', image: 'etcd' }],
    nodeName: 'sno1',
    automountServiceAccountToken: false,
  },
};

const datedSecret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'signer',
    namespace: 'default',
    annotations: { 'auth.openshift.io/certificate-not-after': '2099-01-01T00:00:00Z' },
  },
};
