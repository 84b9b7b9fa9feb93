import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import type { NodeFile } from '../../../src/ignition/types.js';
import { describeWith } from '../../support/programs.js';
import { configFiles, nodeClock, type AioNode } from './aio-node.js';
import { clientCertificate, leftOf, nameServers, readyNode, servingCertificate } from './first-boot-node.js';
import { expectFirstBootAfterKill } from './kills.js';

describeWith(['bash', 'jq', 'openssl'], 'aiokube.sh', () => {
  let files: readonly NodeFile[] = [];
  beforeAll(async () => {
    files = await configFiles('aio-minimal');
  });

  test('sends its requests to the cluster in order, and writes a marker', () => {
    const node = readyNode(files);

    const { status, stderr } = node.run('aiokube.sh');

    expect([status, stderr.trimEnd().split('\n').at(-1)]).toEqual([0, 'the node site1 is finished']);
    const apply = 'apply --server-side --force-conflicts --field-manager=sno-install --filename=-';
    expect(node.calls('kubectl').map((call) => call.replace(/--request-timeout=30s /, ''))).toEqual([
      'get --raw=/readyz',
      apply,
      apply,
      apply,
      ...['registered', 'Ready', 'serving'].flatMap((wait) => [
        'get csr --output=json',
        ...(wait === 'registered'
          ? ['get node site1 --ignore-not-found --output=jsonpath={.metadata.name}']
          : wait === 'Ready'
            ? ['get node site1 --output=jsonpath={.status.conditions[?(@.type=="Ready")].status}']
            : []),
      ]),
      'label node site1 --overwrite node-role.kubernetes.io/control-plane= node-role.kubernetes.io/worker=',
      'patch node site1 --type=merge --patch={"spec":{"unschedulable":false}}',
      'wait deployment/coredns --namespace=kube-system --for=condition=Available --timeout=5s',
      'delete clusterrolebinding sno-install:node-bootstrapper --ignore-not-found',
    ]);
    const objects = ['10-access', '20-node-bootstrapper', '30-coredns'];
    const texts = objects.map((name) => files.find(({ path }) => path.endsWith(`/${name}.yaml`))?.contents);
    expect(node.applied()).toBe(texts.map(String).join(''));
    expect(leftOf(node)).toEqual([]);
    expect(node.has('var/lib/sno-install/.aiokube.done')).toBe(true);
    expect(node.read('etc/systemd/system-preset/20-ignition.preset')).toBe('enable kubelet.service\n');
    expect(node.calls('systemctl')).toEqual(['disable aiokube.service', 'daemon-reload']);
    expect(node.console()).toBe('');
  });

  test('keeps the services that renew certificates and approve requests', () => {
    const node = readyNode(files);
    node.run('aiokube.sh');
    for (const path of [
      'usr/local/bin/sno-renew.sh',
      'usr/local/bin/sno-approve.sh',
      'etc/sno-install/certificates.tsv',
      'etc/sno-install/csr-approver/kubeconfig',
      'etc/sno-install/pki/etcd-signer.key',
    ])
      expect([path, node.has(path)]).toEqual([path, true]);
  });

  // The calls are those of the test above; kills.machines.test.ts kills the script in every call.
  test.each([6])('completes after a kill in call %i to the cluster', (calls) => {
    expectFirstBootAfterKill(files, { program: 'kubectl', calls });
  });

  test.each(['disable', 'daemon-reload'])('completes after a kill during the clean-up (%s)', (call) => {
    const node = readyNode(files);
    node.killAt(`systemctl-${call === 'disable' ? 'disable-aiokube.service' : call}`, 0);
    expect(node.run('aiokube.sh').status).not.toBe(0);
    // The cluster-admin credentials are deleted first. The marker tells systemd that nothing is left to start.
    expect(node.list('etc/sno-install/aiokube')).toEqual([]);
    expect(node.has('var/lib/sno-install/.aiokube.done')).toBe(true);
  });

  test('sends no requests to the cluster when the node is finished', () => {
    const node = readyNode(files);
    for (const stage of ['node-finished']) node.write(`var/lib/sno-install/${stage}.done`, '');
    node.remove('etc/sno-install/aiokube');
    expect([node.run('aiokube.sh').status, node.calls('kubectl'), leftOf(node)]).toEqual([0, [], []]);
  });

  test('reports missing programs', () => {
    const node = readyNode(files);
    node.remove('opt/cni/bin/loopback');
    node.remove('opt/cni/bin/portmap');

    const { status, stderr } = node.run('aiokube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      'missing on this machine: the CNI plugin loopback, the CNI plugin portmap: add to aio.files of sno-config.yaml\n',
    );
    expect(node.console()).toContain(
      'The control plane is still waiting for the programs of the node, for more than 600 s.',
    );
    expect(node.calls('kubectl')).toEqual([]);
  });

  test('reports a missing jq, which it needs for its record', () => {
    const node = readyNode(files);
    const record = 'var/log/sno-install/aiokube.json';
    node.write(record, '[{"timestamp":"2026-01-02T03:04:00Z","phase":"service start"}]\n');
    node.hide('jq');

    const { status, stderr } = node.run('aiokube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain('missing on this machine: jq: add to aio.files of sno-config.yaml\n');
    expect(node.console()).toContain('still waiting for the programs of the node, for more than 600 s.');
    const why = {
      result: 'failure',
      errorLine: expect.stringMatching(/^\d+ \w+ \S+\/[\w-]+\.sh$/) as string,
      errorMessage: 'this machine has no jq',
    };
    expect(JSON.parse(node.read(record))).toEqual(
      [
        { phase: 'service start' },
        { phase: 'service start' },
        { phase: 'stage start', stage: 'machine' },
        { phase: 'stage end', stage: 'machine', ...why },
        { phase: 'service end', ...why },
      ].map((entry) => ({ timestamp: expect.stringMatching(/^2026-01-02T\d\d:/) as string, ...entry })),
    );
  });

  test.each([
    {
      name: 'before the start of the certificates',
      clock: nodeClock - 86_400,
      want: 'the clock is at 2026-01-01 03:04:05 UTC, but the certificates are not valid before 2026-01-02 02:04:05 UTC',
    },
    {
      name: 'after the end of the certificates',
      clock: nodeClock + 31 * 86_400,
      want: 'but the certificates expired at 2026-02-01 03:04:05 UTC: create a new Ignition config',
    },
  ])('rejects a clock $name', ({ clock, want }) => {
    const node = readyNode(files);
    node.setClock(clock);
    const { status, stderr } = node.run('aiokube.sh');
    expect([status, stderr.includes(want), node.calls('kubectl')]).toEqual([1, true, []]);
  });

  test('rejects another host name', () => {
    const node = readyNode(files);
    node.answer('hostname', 'localhost\n');
    const { status, stderr } = node.run('aiokube.sh');
    expect([status, stderr.includes("the host name is 'localhost'")]).toEqual([1, true]);
  });

  test('stops waiting for the API after an hour, reports it, and continues when the API answers', () => {
    const node = readyNode(files);
    node.fail('kubectl-get', 'always');
    expect(node.run('aiokube.sh').status).toBe(1);
    expect(node.console()).toContain('still waiting for the API server on localhost, for more than 3600 s.');
    node.fail('kubectl-get', 0);
    expect(node.run('aiokube.sh').status).toBe(0);
    expect(node.console()).toBe('');
  });

  test('does not accept NotReady as Ready', () => {
    const node = readyNode(files);
    node.answer('kubectl-get-node-site1', 'False');
    const { status, stderr } = node.run('aiokube.sh');
    expect([
      status,
      stderr.includes('timed out after 1800 s waiting for the node site1 to be Ready'),
    ]).toEqual([1, true]);
  });

  test('does not finish without a serving certificate of the kubelet', () => {
    const node = readyNode(files);
    node.remove(servingCertificate);
    const { status, stderr } = node.run('aiokube.sh');
    expect([status, stderr.includes("waiting for the kubelet's serving certificate")]).toEqual([1, true]);
  });

  test('finishes without cluster DNS, and reports it', () => {
    const node = readyNode(files);
    node.fail('kubectl-wait-deployment_coredns', 'always');
    const { status, stderr } = node.run('aiokube.sh');
    expect([status, stderr.includes('stage cluster-dns failed')]).toEqual([0, true]);
  });

  test('configures no upstream servers in CoreDNS if there are none', () => {
    const node = readyNode(files);
    node.write(nameServers, 'search example.com\n');
    expect(node.run('aiokube.sh').status).toBe(0);
    const corefile = node.applied();
    expect(corefile).not.toContain('forward');
    expect(corefile).not.toContain('max_concurrent');
    expect(corefile).toContain('kubernetes cluster.local');
    // Every opened block is closed.
    expect(corefile.match(/\{$/gm)?.length).toBe(corefile.match(/^ *\}$/gm)?.length);
  });

  test('approves only a request for the key on the disk of its kubelet', () => {
    const node = readyNode(files);
    node.remove(clientCertificate);
    node.answer('kubectl-get-node-site1', 'False');
    const bootstrapper = 'sno-install:node-bootstrapper';
    node.answer(
      'kubectl-get-csr',
      JSON.stringify({ items: [request('stolen', bootstrapper, clientRequest(node, 'site1'))] }),
    );

    const { status, stderr } = node.run('aiokube.sh');

    expect(status).toBe(1);
    expect(stderr).toContain(
      "certificate request stolen is not approved: its key is not the one that waits on this node's disk\n",
    );
    expect(node.calls('kubectl').filter((call) => call.includes('approve'))).toEqual([]);
    const applied = node.applied();
    const requested: unknown = JSON.parse(applied.slice(applied.lastIndexOf('\n{\n')));
    expect(requested).toMatchObject({ spec: { signerName: 'kubernetes.io/kube-apiserver-client-kubelet' } });
    expect(node.modeOf('var/lib/kubelet/pki/kubelet-client.key.tmp')).toBe('600');
  });

  test('sno-approve.sh approves renewals but no new clients', () => {
    const node = readyNode(files);
    const pem = clientRequest(node, 'site1');
    const items = [
      request('renewal', 'system:node:site1', pem),
      request('joins', 'sno-install:node-bootstrapper', pem),
      request('other', 'system:node:site2', pem),
    ];
    node.answer('kubectl-get-csr', JSON.stringify({ items }));

    const { status, stderr } = node.run('sno-approve.sh');

    expect(status).toBe(0);
    expect(node.calls('kubectl').slice(1)).toEqual(['certificate approve renewal --request-timeout=30s']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'certificate request joins is not approved: the kubelet has its client certificate already',
      'certificate request other is not approved: the kubelet has its client certificate already',
    ]);
  });

  test('sno-approve.sh reports an API server that does not answer', () => {
    const node = readyNode(files);
    node.fail('kubectl', 'always');
    expect(node.run('sno-approve.sh')).toEqual({ status: 1, stderr: 'the API server does not answer\n' });
  });
});

/** A request for a kubelet's client certificate, created with openssl. */
function clientRequest(node: AioNode, name: string): string {
  const { status, stdout } = spawnSync(
    'openssl',
    [
      ...['req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-keyout', join(node.root, 'throwaway.key'), '-subj', `/O=system:nodes/CN=system:node:${name}`],
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error('openssl made no request');
  return stdout;
}

function request(name: string, username: string, pem: string): unknown {
  return {
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
      username,
    },
    status: {},
  };
}
