import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { loopbackNetworkPrograms, readyTimeoutMs } from '../../support/loopback-network.js';
import { describeWith } from '../../support/programs.js';
import { etcdNode, type EtcdCase, type EtcdNode } from './support/etcd-node.js';
import { buildTimeoutMs, toolFolder } from './support/tools.js';

const families = [
  { family: 'IPv4', host: '127.0.0.1' },
  { family: 'IPv6', host: '[::1]' },
] as const;

const testTimeoutMs = 2 * readyTimeoutMs;

describeWith(
  ['etcd', 'etcdctl', ...loopbackNetworkPrograms],
  'the rendered etcd, run by the 3.4 of the system',
  () => {
    const ofSystem = { profile: 'Kubernetes', version: '3.4', programs: '' } as const;

    test.each(families)(
      'is healthy over $family, and keeps its data when it starts again',
      (each) => keepsData({ ...ofSystem, family: each.family }, each.host),
      testTimeoutMs,
    );

    test.each(families)('answers its probes over $family', ({ family }) =>
      answersProbes({ ...ofSystem, family }, '{"health":"true"}'),
    );

    test(
      'starts over a restored snapshot',
      async () => {
        const node = await etcdNode({ ...ofSystem, family: 'IPv4' });
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
      },
      testTimeoutMs,
    );

    test('refuses a client without a certificate', async () => {
      const node = await etcdNode({ ...ofSystem, family: 'IPv4' });
      const running = await node.start();
      const { status } = node.network.run(['curl', '--insecure', 'https://127.0.0.1:2379/version']);
      await running.stop();
      expect(status).not.toBe(0);
      expect(running.log()).toContain("tls: client didn't provide a certificate");
    });
  },
);

describeWith(['go', ...loopbackNetworkPrograms], 'the rendered etcd, run by a 3.6 that is built', () => {
  let programs: string;
  beforeAll(async () => {
    programs = `${await toolFolder('etcd')}/`;
  }, buildTimeoutMs);

  test.each(families)(
    'is healthy over $family, and keeps its data when it starts again',
    ({ family, host }) => keepsData({ profile: 'Kubernetes', version: '3.6', programs, family }, host),
    testTimeoutMs,
  );

  test.each(families)('answers its probes over $family', ({ family }) =>
    answersProbes({ profile: 'Kubernetes', version: '3.6', programs, family }, 'ok\n'),
  );

  test(
    'with the settings of its operator it is healthy at the address of the node',
    async () => {
      const node = await etcdNode({ profile: 'OpenShift', version: '3.6', programs, family: 'IPv4' });
      const etcd = await node.start();
      expect(node.etcdctl('member', 'list')).toContain(
        'started, sno, https://192.168.126.10:2380, https://192.168.126.10:2379',
      );
      expect(node.metricsAt('https://192.168.126.10:9978/metrics')).toContain('etcd_server_has_leader 1');
      await etcd.stop();
      // The pod's version variable is only for people who inspect the container.
      const unknown = etcd.log().matchAll(/unrecognized environment variable.*?(ETCD_[A-Z_]+)=/g);
      expect([...unknown].map(([, name]) => name)).toEqual(['ETCD_STATIC_POD_VERSION']);
    },
    testTimeoutMs,
  );

  test(
    'accepts all options of its proxy; only OpenShift accepts a client with a name in its certificate',
    async () => {
      const node = await etcdNode({ profile: 'OpenShift', version: '3.6', programs, family: 'IPv4' });
      const proxy = node.startContainer('etcd-metrics');
      await once(proxy.process, 'close');
      expect(proxy.log()).toMatch(
        /cert has non empty Common Name \(127\.0\.0\.1\): .*\/etcd-peer-sno\.crt\n$/,
      );
    },
    testTimeoutMs,
  );
});

async function keepsData(given: EtcdCase, host: string): Promise<void> {
  const node = await etcdNode(given);
  const first = await node.start();
  expect(node.etcdctl('put', '/key', 'kept').trim()).toBe('OK');
  expect(node.etcdctl('member', 'list')).toContain(
    `started, sno, https://${host}:2380, https://${host}:2379`,
  );
  await first.stop();

  const second = await node.start();
  expect(node.etcdctl('get', '/key', '--print-value-only').trim()).toBe('kept');
  await second.stop();
}

async function answersProbes(given: EtcdCase, answer: string): Promise<void> {
  const node = await etcdNode(given);
  const running = await node.start();
  for (const url of probeUrlsOf(node)) {
    const response = node.network.run(['curl', '--silent', '--globoff', '--fail', url]);
    expect({ url, ...response }).toEqual({ url, status: 0, output: answer });
  }
  await running.stop();
}

function probeUrlsOf({ pod }: EtcdNode): readonly string[] {
  const [etcd] = pod.spec.containers;
  return [etcd?.startupProbe, etcd?.readinessProbe, etcd?.livenessProbe].map((probe) => {
    if (probe?.httpGet === undefined) throw new Error('a probe is missing');
    const { scheme, host = '', path, port } = probe.httpGet;
    return `${scheme.toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  });
}
