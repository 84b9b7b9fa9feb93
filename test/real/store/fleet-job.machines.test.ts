import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { sno } from '../../support/command.js';
import { testNode } from '../../support/control-plane.js';
import { loopbackNetworkPrograms, readyTimeoutMs } from '../../support/loopback-network.js';
import { describeWith } from '../../support/programs.js';
import { apiserverNode } from '../control-plane/support/apiserver-node.js';
import { startComponent } from '../control-plane/support/component.js';
import { buildTimeoutMs, toolFolder } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';

const variables = { AWS_ENDPOINT_URL: 'http://store.example.com:9000' };
const words = [
  ...['--shards', '3', '--store', 's3://sites/spring', '--image', 'sno-install.test/sno-install:1'],
  ...['--fleet-id', '0123456789abcdef0123456789abcdef'],
];

interface Listed {
  readonly items: readonly { readonly spec: Readonly<Record<string, unknown>> }[];
}

describeWith(
  ['go', 'etcd', 'etcdctl', 'kubectl', ...loopbackNetworkPrograms],
  'the Job of a fleet on the real kube-apiserver and Job controller',
  () => {
    let programs: string;
    beforeAll(async () => {
      programs = await toolFolder('kubernetes');
    }, buildTimeoutMs);

    test(
      'is accepted as printed and with --apply; each index gets a pod at the restricted level of Pod Security',
      async () => {
        const node = await apiserverNode(join(programs, 'kube-apiserver'), {
          nodeIp: testNode.ip,
          networks: {},
        });
        await startComponent(node, 'kube-controller-manager', join(programs, 'kube-controller-manager'));
        const level = ['pod-security.kubernetes.io/enforce=restricted', '--overwrite'];
        for (const namespace of ['printed', 'applied']) {
          node.admin('create', 'namespace', namespace);
          node.admin('label', 'namespace', namespace, ...level);
        }

        const printed = sno(['fleet', 'job', ...words, '--namespace', 'printed'], {
          variables,
        });
        expect(printed.code, printed.stderr).toBe(0);
        const file = join(node.root, 'job.yaml');
        writeFileSync(file, printed.stdout);
        node.admin('apply', '--server-side', '--filename', file);

        const kubeconfig = join(node.root, 'admin.kubeconfig');
        writeFileSync(kubeconfig, node.admin('config', 'view', '--raw', '--flatten'));
        const apply = ['--apply', '--kubeconfig', kubeconfig];
        const command = [process.execPath, resolve('dist/cli.js'), 'fleet', 'job', ...words, ...apply];
        const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
        const run = (namespace: string, ...more: readonly string[]): ReturnType<typeof node.network.run> =>
          node.network.run(['env', ...environment, ...command, '--namespace', namespace, ...more]);
        expect(run('applied')).toMatchObject({ status: 0 });
        expect(run('applied')).toMatchObject({
          status: 1,
          output: expect.stringContaining('error[job/there]') as string,
        });

        const nowhere = run('nowhere');
        expect(nowhere).toMatchObject({
          status: 1,
          output: expect.stringContaining('error[job/refused]') as string,
        });

        const pods = (namespace: string): Promise<Listed['items']> =>
          waitUntil(`pods in ${namespace}`, () => {
            const listed = JSON.parse(
              node.admin('get', 'pods', '--namespace', namespace, '--output', 'json'),
            ) as Listed;
            return Promise.resolve(listed.items.length === 3 ? listed.items : undefined);
          });
        const [ofPrinted, ofApplied] = [await pods('printed'), await pods('applied')];
        const indices = node.admin(
          'get',
          'pods',
          '--namespace=applied',
          '--output=jsonpath={.items[*].metadata.annotations.batch\\.kubernetes\\.io/job-completion-index}',
        );
        expect(indices.trim().split(' ').toSorted()).toEqual(['0', '1', '2']);
        const [one] = ofApplied;
        const text = JSON.stringify(one?.spec);
        expect(text).toContain('$(JOB_COMPLETION_INDEX)/3');
        expect(text).not.toContain('serviceaccount');
        expect(ofPrinted.map(({ spec }) => spec['volumes'])).toEqual(
          ofApplied.map(({ spec }) => spec['volumes']),
        );

        // Kueue starts a Job by setting `suspend` to false.
        const queued = ['--name', 'queued', '--queue', 'sites', '--service-account', 'packer'];
        expect(run('applied', ...queued)).toMatchObject({ status: 0 });
        const ofQueued = ['job', 'queued', '--namespace=applied'];
        await waitUntil('the suspended Job', () =>
          Promise.resolve(
            node
              .admin('get', ...ofQueued, '--output=jsonpath={.status.conditions[*].type}')
              .includes('Suspended')
              ? true
              : undefined,
          ),
        );
        const selector = '--selector=batch.kubernetes.io/job-name=queued';
        const names = (): string =>
          node.admin('get', 'pods', '--namespace=applied', selector, '--output=name').trim();
        expect(names()).toBe('');
        const inQueue = ['jobs', '--namespace=applied', '--selector=kueue.x-k8s.io/queue-name=sites'];
        expect(node.admin('get', ...inQueue, '--output=name').trim()).toBe('job.batch/queued');
        node.admin('create', 'serviceaccount', 'packer', '--namespace=applied');
        node.admin('patch', ...ofQueued, '--type=merge', '--patch={"spec":{"suspend":false}}');
        await waitUntil('pods of the started Job', () =>
          Promise.resolve(names().split('\n').length === 3 ? true : undefined),
        );

        // The namespace rejects the same pod with more rights.
        const podFile = join(node.root, 'pod.json');
        const spec = { ...one?.spec, hostNetwork: true };
        const pod = {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'strange', namespace: 'applied' },
          spec,
        };
        writeFileSync(podFile, JSON.stringify(pod));
        expect(() => node.admin('create', '--filename', podFile)).toThrow('violates PodSecurity "restricted');
      },
      4 * readyTimeoutMs,
    );
  },
);
