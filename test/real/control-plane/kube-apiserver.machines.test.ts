import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { kubernetesObjects } from '../../../src/control-plane/kube-apiserver/static-objects.js';
import { testNode } from '../../support/control-plane.js';
import { writeNodeFiles } from '../../support/laid-pod.js';
import { loopbackNetworkPrograms, readyTimeoutMs } from '../../support/loopback-network.js';
import { describeWith } from '../../support/programs.js';
import { apiserverNode, urlHost } from './support/apiserver-node.js';
import { buildTimeoutMs, toolPath } from './support/tools.js';

/** Addresses of the node and of the API's Service, which are not assigned in the test's network. */
const families = [
  { family: 'IPv4', nodeIp: testNode.ip, service: '172.30.0.1', networks: {} },
  {
    family: 'IPv6',
    nodeIp: 'fd00:126::10',
    service: 'fd02::1',
    networks: { serviceNetwork: ['fd02::/112'], family: 'IPv6' },
  },
] as const;

const testTimeoutMs = 4 * readyTimeoutMs;

describeWith(
  ['go', 'etcd', 'etcdctl', 'kubectl', ...loopbackNetworkPrograms],
  'the rendered kube-apiserver, run by the real one',
  () => {
    let program: string;
    beforeAll(async () => {
      program = await toolPath('kubernetes', 'kube-apiserver');
    }, buildTimeoutMs);

    test.each(families)(
      'serves every name and address over $family with a matching certificate',
      async (each) => {
        const node = await apiserverNode(program, each);
        for (const host of [
          ...['localhost', '127.0.0.1', '[::1]', 'sno'],
          ...[urlHost(each.nodeIp), urlHost(each.service)],
          ...['kubernetes', 'kubernetes.default.svc', 'api.site1.example.com', 'api-int.site1.example.com'],
        ]) {
          // Every host connects to the node's address, except loopback, which no proxy rewrites.
          const at = ['localhost', '127.0.0.1', '[::1]'].includes(host) ? host : urlHost(each.nodeIp);
          const connect = `${host}:6443:${at}:6443`;
          const answer = node.curl('--connect-to', connect, `https://${host}:6443/readyz`);
          expect({ host, ...answer }).toEqual({ host, status: 0, output: 'ok' });
        }
        const other = `other.example.com:6443:${urlHost(each.nodeIp)}:6443`;
        // curl(1), EXIT CODES: 60 is a failed certificate verification.
        expect(node.curl('--connect-to', other, 'https://other.example.com:6443/readyz').status).toBe(60);
      },
      testTimeoutMs,
    );

    test(
      'answers its probes',
      async () => {
        const node = await apiserverNode(program, families[0]);
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
          const { host, path, port } = node.pod.spec.containers[0]?.[probe]?.httpGet ?? { path: '', port: 0 };
          expect(node.curl(`https://${host}:${port}/${path}`)).toEqual({ status: 0, output: 'ok' });
        }
      },
      testTimeoutMs,
    );

    test(
      'accepts the identities of the control plane, and grants only the permissions that kubelets need',
      async () => {
        const node = await apiserverNode(program, families[0]);
        const nameOf = (user: string) =>
          node.kubectl(user, 'auth', 'whoami', '--output=jsonpath={.status.userInfo.username}');
        expect(nameOf('control-plane-node-admin-client-cert-key')).toBe('system:control-plane-node-admin');
        expect(nameOf('kubelet-client')).toBe('system:kube-apiserver');
        expect(() => node.kubectl('kubelet-client', 'get', 'secrets')).toThrow('forbidden');

        const objects = join(node.root, 'objects.json');
        writeNodeFiles(
          [
            {
              path: '/objects.json',
              mode: 0o600,
              contents: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: kubernetesObjects }),
            },
          ],
          node.root,
        );
        node.admin('apply', '--filename', objects);
        const mayGet = (...what: readonly string[]) =>
          node.kubectl('kubelet-client', 'auth', 'can-i', '--quiet', 'get', ...what);
        for (const subresource of ['proxy', 'log', 'stats', 'metrics'])
          mayGet('nodes', `--subresource=${subresource}`);
        expect(() => mayGet('secrets')).toThrow();
      },
      testTimeoutMs,
    );

    test(
      'issues tokens of service accounts, accepts them, and publishes the keys that verify tokens',
      async () => {
        const node = await apiserverNode(program, families[0]);
        node.admin('create', 'serviceaccount', 'robot');
        const token = node.admin('create', 'token', 'robot');
        const { status, output } = node.curl(
          '--header',
          `Authorization: Bearer ${token}`,
          'https://localhost:6443/api/v1/namespaces',
        );
        expect(status).toBe(0);
        expect(output).toContain('User \\"system:serviceaccount:default:robot\\" cannot list');
        expect(node.admin('get', '--raw=/.well-known/openid-configuration')).toContain(
          '"jwks_uri":"https://kubernetes.default.svc/openid/v1/jwks"',
        );
        expect(JSON.parse(node.admin('get', '--raw=/openid/v1/jwks'))).toMatchObject({
          keys: [{ use: 'sig' }, { use: 'sig' }],
        });
      },
      testTimeoutMs,
    );

    test(
      'keeps Secrets encrypted in etcd, and out of the audit log',
      async () => {
        const node = await apiserverNode(program, families[0]);
        node.admin('create', 'secret', 'generic', 'hidden', '--from-literal=word=unseen');
        node.admin('create', 'configmap', 'shown', '--from-literal=word=seen');
        const secret = node.etcdctl('get', '/registry/secrets/default/hidden', '--print-value-only');
        expect(secret).toMatch(/^k8s:enc:aescbc:v1:1:/);
        expect(secret).not.toContain('unseen');
        expect(node.etcdctl('get', '/registry/configmaps/default/shown', '--print-value-only')).toContain(
          'seen',
        );
        const encoded = node.admin('get', 'secret', 'hidden', '--output=jsonpath={.data.word}');
        expect(Buffer.from(encoded, 'base64').toString()).toBe('unseen');

        const log = readFileSync(join(node.root, 'var/log/kube-apiserver/audit.log'), 'utf8');
        expect(log).toContain('"objectRef":{"resource":"secrets","namespace":"default","name":"hidden"');
        expect(log).not.toContain(encoded);
        expect(log).not.toMatch(/readyz|livez/);
      },
      testTimeoutMs,
    );

    test(
      'outlives a restart of etcd, alive all the while',
      async () => {
        const node = await apiserverNode(program, families[0]);
        await node.etcd.stop();
        await node.network.until(
          [
            'sh',
            '-c',
            '! "$@"',
            '-',
            ...node.curlCommand('--fail', '--max-time', '15', 'https://localhost:6443/readyz'),
          ],
          node.server,
        );
        expect(node.curl('https://localhost:6443/livez?exclude=etcd')).toEqual({
          status: 0,
          output: 'ok',
        });
        await node.startEtcd();
        await node.network.until(node.curlCommand('--fail', 'https://localhost:6443/readyz'), node.server);
        expect(node.server.process.exitCode).toBeNull();
      },
      testTimeoutMs,
    );

    test(
      'accepts feature gates and arguments of the user',
      async () => {
        const node = await apiserverNode(program, {
          ...families[0],
          featureGates: { WatchList: false, AllBeta: false },
          extraArguments: { 'event-ttl': ['2h'], 'service-node-port-range': ['31000-31999'] },
        });
        expect(node.server.log()).toContain('FLAG: --event-ttl="2h0m0s"');
        expect(node.server.log()).toContain('FLAG: --service-node-port-range="31000-31999"');
        expect(node.server.log()).toContain('FLAG: --feature-gates=":AllBeta=false,:WatchList=false"');
      },
      testTimeoutMs,
    );
  },
);
