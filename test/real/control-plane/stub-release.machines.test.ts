import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { loopbackNetworkPrograms, type RunningProgram } from '../../support/loopback-network.js';
import { describeWith } from '../../support/programs.js';
import { etcdNode, type EtcdNode } from './support/etcd-node.js';
import { buildTimeoutMs, toolPath } from './support/tools.js';

/** The lab's main path also runs on the stub release. */
describeWith(
  ['etcd', 'etcdctl', 'openssl', 'go', ...loopbackNetworkPrograms],
  "the stub release's kube-apiserver",
  () => {
    describe('sends retry-after until it is ready, if configured', () => {
      test(
        'refuses everybody but probes on an empty etcd, and ends',
        async () => {
          const node = await startEtcd();
          const running = await startApiserver(node, true);
          const exited = once(running.process, 'close');
          await node.network.until(['curl', '--insecure', '--fail', `${apiserver}/livez`], running);
          expect(statusOf(node, '/readyz')).toBe('500');
          expect(statusOf(node, '/version')).toBe('503');
          expect(statusOf(node, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions')).toBe('503');
          expect((await exited)[0]).toBe(1);
          expect(running.log()).toContain(
            'PostStartHook "rbac/bootstrap-roles" failed: unable to initialize roles: the API rolebindingrestrictions.authorization.openshift.io does not exist',
          );
        },
        buildTimeoutMs,
      );

      test(
        'becomes the real one where the API of binding restrictions exists',
        async () => {
          const node = await startEtcd();
          node.etcdctl('put', restrictions, '{}');
          expect(await argumentsOf(await startApiserver(node, true))).toContain(
            '--etcd-prefix=kubernetes.io',
          );
        },
        buildTimeoutMs,
      );
    });

    test(
      'forwards to the real one on an empty etcd by default',
      async () => {
        const node = await startEtcd();
        expect(await argumentsOf(await startApiserver(node, false))).toContain('--etcd-prefix=kubernetes.io');
      },
      buildTimeoutMs,
    );
  },
);

const apiserver = 'https://127.0.0.1:6443';
const restrictions =
  '/kubernetes.io/apiextensions.k8s.io/customresourcedefinitions/rolebindingrestrictions.authorization.openshift.io';

async function startEtcd(): Promise<EtcdNode> {
  const node = await etcdNode({ profile: 'Kubernetes', version: '3.4', programs: '', family: 'IPv4' });
  await node.start();
  return node;
}

/** Replaces kube-apiserver with a program that prints its arguments. */
async function startApiserver(node: EtcdNode, isSent: boolean): Promise<RunningProgram> {
  const bin = join(node.root, 'stub-release');
  mkdirSync(bin);
  symlinkSync(await toolPath('stub-release', 'stub-release'), join(bin, 'hyperkube'));
  writeFileSync(join(bin, 'kube-apiserver'), '#!/bin/sh\nprintf "%s\\n" "${@}"\n');
  chmodSync(join(bin, 'kube-apiserver'), 0o755);
  const config = join(node.root, 'config.yaml');
  const pair = ['tls.crt', 'tls.key'].map((name) => join(node.root, 'client', name));
  const bundle = 'etc/kubernetes/static-pod-resources/etcd-certs/configmaps/etcd-all-bundles';
  const sent = { 'send-retry-after-while-not-ready-once': ['true'] };
  writeFileSync(
    config,
    JSON.stringify({
      apiServerArguments: {
        'etcd-prefix': ['kubernetes.io'],
        'etcd-servers': ['https://127.0.0.1:2379'],
        'etcd-cafile': [join(node.root, bundle, 'server-ca-bundle.crt')],
        'etcd-certfile': [pair[0]],
        'etcd-keyfile': [pair[1]],
        ...(isSent && sent),
      },
      servingInfo: {
        bindAddress: '127.0.0.1:6443',
        namedCertificates: [{ certFile: pair[0], keyFile: pair[1] }],
      },
    }),
  );
  const command = [join(bin, 'hyperkube'), 'kube-apiserver', `--openshift-config=${config}`];
  return node.network.start(command, {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  });
}

function statusOf(node: EtcdNode, path: string): string {
  const flags = ['--insecure', '--silent', '--output', '/dev/null', '--write-out', '%{http_code}'];
  return node.network.run(['curl', ...flags, `${apiserver}${path}`]).output;
}

async function argumentsOf(running: RunningProgram): Promise<readonly string[]> {
  if (running.process.exitCode === null) await once(running.process, 'close');
  return running.log().split('\n');
}
