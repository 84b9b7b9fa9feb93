import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { testNode } from '../../support/control-plane.js';
import { loopbackNetworkPrograms, readyTimeoutMs } from '../../support/loopback-network.js';
import { openssl } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { apiserverNode, type ApiserverNode, type NodeCase } from './support/apiserver-node.js';
import { probeCommand, startComponent, type RunningComponent } from './support/component.js';
import { buildTimeoutMs, toolFolder } from './support/tools.js';
import { waitUntil } from './support/wait-until.js';

const families = [
  { family: 'IPv4', nodeIp: testNode.ip, podNetwork: /^10\.1(2[89]|3[01])\.\d+\.0\/23$/, networks: {} },
  {
    family: 'IPv6',
    nodeIp: 'fd00:126::10',
    podNetwork: /^fd01:(0:0:)?[:0-9a-f]*\/64$/,
    networks: {
      clusterNetwork: [{ cidr: 'fd01::/48', hostPrefix: 64 }],
      serviceNetwork: ['fd02::/112'],
      family: 'IPv6',
    },
  },
] as const;

/** Arguments for a request with a new key. */
const newRequest = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];

const testTimeoutMs = 4 * readyTimeoutMs;

describeWith(
  ['go', 'etcd', 'etcdctl', 'kubectl', 'openssl', ...loopbackNetworkPrograms],
  'the rendered kube-controller-manager, run by the real one',
  () => {
    let programs: string;
    beforeAll(async () => {
      programs = await toolFolder('kubernetes');
    }, buildTimeoutMs);

    const started = async (given: NodeCase): Promise<{ node: ApiserverNode; manager: RunningComponent }> => {
      const node = await apiserverNode(join(programs, 'kube-apiserver'), given);
      const program = join(programs, 'kube-controller-manager');
      return { node, manager: await startComponent(node, 'kube-controller-manager', program) };
    };

    test.each(families)(
      'answers its probes over $family, and gives a node its pod network',
      async (each) => {
        const { node, manager } = await started(each);
        for (const url of manager.probeUrls)
          expect(node.network.run(probeCommand(url))).toEqual({ status: 0, output: 'ok' });
        apply(node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'sno' } });
        const podNetwork = await waitUntil('a pod network', () =>
          read(node, 'node', 'sno', '--output=jsonpath={.spec.podCIDR}'),
        );
        expect(podNetwork).toMatch(each.podNetwork);
        expect(manager.log()).not.toContain('extension-apiserver-authentication');
      },
      testTimeoutMs,
    );

    test(
      'gives each namespace its account and the authorities of the API, which it verifies by',
      async () => {
        const { node } = await started(families[0]);
        await waitUntil('the account', () => read(node, 'serviceaccount', 'default', '--output=name'));
        const authorities = await waitUntil('the authorities', () =>
          read(node, 'configmap', 'kube-root-ca.crt', '--output=jsonpath={.data.ca\\.crt}'),
        );
        expect(`${authorities}\n`.match(/BEGIN/g)?.length).toBeGreaterThan(1);
        expect(`${authorities.trim()}\n`).toBe(readFileSync(join(node.root, 'server-ca.crt'), 'utf8'));
      },
      testTimeoutMs,
    );

    test(
      'signs tokens of service accounts that kube-apiserver accepts',
      async () => {
        const { node } = await started(families[0]);
        const account = { 'kubernetes.io/service-account.name': 'robot' };
        apply(node, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
        apply(node, {
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'kubernetes.io/service-account-token',
          metadata: { name: 'robot', annotations: account },
        });
        const token = await waitUntil('a token', () =>
          read(node, 'secret', 'robot', '--output=jsonpath={.data.token}'),
        );
        const header = `Authorization: Bearer ${Buffer.from(token, 'base64').toString()}`;
        const answer = node.curl('--header', header, 'https://localhost:6443/api/v1/namespaces');
        expect(answer.output).toContain('User \\"system:serviceaccount:default:robot\\" cannot list');
      },
      testTimeoutMs,
    );

    test(
      'signs approved requests of kubelets with an authority that kube-apiserver trusts',
      async () => {
        const { node } = await started(families[0]);
        const pair = join(node.root, 'kubelet');
        const subject = '/O=system:nodes/CN=system:node:sno';
        const files = ['-keyout', `${pair}.key`, '-out', `${pair}.csr`];
        openssl([...newRequest, '-subj', subject, ...files]);
        apply(node, {
          apiVersion: 'certificates.k8s.io/v1',
          kind: 'CertificateSigningRequest',
          metadata: { name: 'kubelet' },
          spec: {
            request: readFileSync(`${pair}.csr`).toString('base64'),
            signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
            usages: ['digital signature', 'client auth'],
          },
        });
        node.admin('certificate', 'approve', 'kubelet');
        const issued = await waitUntil('the certificate', () =>
          read(node, 'certificatesigningrequest', 'kubelet', '--output=jsonpath={.status.certificate}'),
        );
        const certificate = Buffer.from(issued, 'base64').toString();
        const days = daysOf(new X509Certificate(certificate));
        expect(days).toBeGreaterThan(364);
        expect(days).toBeLessThan(366);

        writeFileSync(`${pair}.crt`, certificate);
        const { status, output } = node.curl(
          '--cert',
          `${pair}.crt`,
          '--key',
          `${pair}.key`,
          'https://localhost:6443/api/v1/pods?fieldSelector=spec.nodeName=sno',
        );
        expect(status).toBe(0);
        expect(output).toContain('"kind": "PodList"');
      },
      testTimeoutMs,
    );

    test(
      'restarts without waiting for a lease',
      async () => {
        const { node, manager } = await started(families[0]);
        await manager.stop();
        const program = join(programs, 'kube-controller-manager');
        const again = await startComponent(node, 'kube-controller-manager', program);
        node.admin('create', 'namespace', 'later');
        await waitUntil('the account', () =>
          read(node, 'serviceaccount', 'default', '--namespace=later', '--output=name'),
        );
        expect(again.log()).not.toContain('attempting to acquire leader lease');
        expect(node.admin('get', 'leases', '--namespace=kube-system', '--output=name')).not.toContain(
          'kube-controller-manager',
        );
      },
      testTimeoutMs,
    );
  },
);

function apply(node: ApiserverNode, object: object): void {
  const path = join(node.root, 'object.json');
  writeFileSync(path, JSON.stringify(object));
  node.admin('apply', '--filename', path);
}

/** A field of an object, or undefined while it is empty. */
async function read(node: ApiserverNode, ...args: readonly string[]): Promise<string | undefined> {
  const text = node.admin('get', ...args);
  return Promise.resolve(text === '' ? undefined : text);
}

function daysOf({ validFrom, validTo }: X509Certificate): number {
  return (Date.parse(validTo) - Date.parse(validFrom)) / (24 * 60 * 60 * 1000);
}
