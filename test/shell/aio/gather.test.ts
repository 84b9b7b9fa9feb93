import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { analyzeBundle } from '../../../src/analysis/analyze.js';
import { bundleOf } from '../../../src/analysis/bundle.js';
import type { NodeFile } from '../../../src/ignition/types.js';
import { describeWith } from '../../support/programs.js';
import { seededRsaKey } from '../../support/seeded-keys.js';
import { aioNode, configFiles, type AioNode } from './aio-node.js';

const key = seededRsaKey('gather canary', 2048);
const token = 'canary-token-7d1f0c1b5e';
const canaries = [...key.split('\n').slice(1, -2), token];

const podLogs = 'var/log/pods/kube-system_etcd-site1_0123abcd/etcd';

/** A node whose API does not answer on the first boot, with secrets in its logs. */
function stoppedNode(files: readonly NodeFile[]): AioNode {
  const node = aioNode(files);
  node.write('root/.keep', '');
  node.write('tmp/.keep', '');
  node.write(`${podLogs}/0.log`, `2026-01-02T03:04:05Z stderr F etcd says hello, Bearer ${token}\n`);
  node.write(
    'var/log/sno-install/aiokube.json',
    JSON.stringify([
      { timestamp: '2026-01-02T03:04:01Z', phase: 'service start' },
      { timestamp: '2026-01-02T03:04:02Z', phase: 'stage start', stage: 'api' },
      { timestamp: '2026-01-02T03:04:03Z', phase: 'stage end', stage: 'api', result: 'failure' },
      { timestamp: '2026-01-02T03:04:03Z', phase: 'service end', result: 'failure' },
    ]),
  );
  node.write('var/lib/sno-install/objects.done', '2026-01-02T03:04:02Z\n');
  node.write('var/lib/sno-install/renewals.log', `2026-01-02 ${key}\n`);
  node.answer('journalctl', `2026-01-02T03:04:03+0000 site1 aiokube.sh[1]: token: ${token}\n${key}`);
  node.answer('kubectl-get-nodes-site1', '{"kind":"Node"}');
  return node;
}

/** The texts of the bundle by path, and its archive's mode. */
function gathered(node: AioNode): Readonly<Record<string, string>> {
  const run = node.run('installer-gather.sh', ['--id', 'test']);
  expect(run).toMatchObject({ status: 0 });
  expect(node.modeOf('root/log-bundle-test.tar.gz')).toBe('600');
  expect(node.has('tmp/artifacts-test')).toBe(false);
  node.write('unpacked/.keep', '');
  const unpacking = spawnSync('tar', [
    '--extract',
    '--gzip',
    `--directory=${join(node.root, 'unpacked')}`,
    `--file=${join(node.root, 'root/log-bundle-test.tar.gz')}`,
  ]);
  expect(unpacking.status).toBe(0);
  const folder = 'unpacked/log-bundle-test';
  return Object.fromEntries(node.list(folder).map((path) => [path, node.read(join(folder, path))]));
}

describeWith(['bash', 'jq', 'tar', 'openssl'], 'installer-gather.sh of an all-in-one node', () => {
  let node: AioNode;
  let texts: Readonly<Record<string, string>>;
  beforeAll(async () => {
    node = stoppedNode(await configFiles('aio-minimal'));
    texts = gathered(node);
  });

  test('collects diagnostic files without secrets', () => {
    expect(
      Object.entries(texts).flatMap(([path, text]) =>
        canaries.filter((canary) => text.includes(canary)).map(() => path),
      ),
    ).toEqual([]);
    const names = Object.keys(texts);
    expect(names.filter((name) => /\.key$|kubeconfig|secret/i.test(name))).toEqual([]);
    expect(texts['bootstrap/containers/etcd-etcd-site1-0.log']).toContain('etcd says hello');
    expect(texts['rendered-assets/openshift/kube-apiserver-pod.yaml']).toContain('kind: Pod');
    expect(texts['rendered-assets/openshift/objects.done']).toBe('2026-01-02T03:04:02Z\n');
    expect(texts['bootstrap/certificates.txt']).toMatch(/subject=.*admin|subject=.*etcd/);
    expect(texts['bootstrap/journals/aiokube.log']).toContain('aiokube.sh[1]: token: [redacted]');
  });

  test('writes a bundle that analyze recognizes', () => {
    const bundleFiles = Object.entries(texts).map(([path, text]) => ({
      path,
      text,
      sizeBytes: text.length,
    }));
    const analysis = analyzeBundle(bundleOf('log-bundle-test.tar.gz', bundleFiles, []));
    expect(analysis).toMatchObject({
      verdict: 'failed',
      phase: 'aio',
      createdBy: 'sno-install',
      at: { service: 'aiokube', stage: 'api' },
    });
  });

  test('uses the first-boot identity, and later the permanent ones', () => {
    expect(kubeconfigsOf(node)).toEqual(['/etc/sno-install/aiokube/kubeconfig']);
    node.remove('etc/sno-install/aiokube');
    node.remove('unpacked');
    node.forgetCalls();
    gathered(node);
    expect(kubeconfigsOf(node)).toEqual([
      '/etc/sno-install/csr-approver/kubeconfig',
      '/var/lib/kubelet/kubeconfig',
    ]);
  });
});

function kubeconfigsOf(node: AioNode): readonly string[] {
  const used = node.calls('kubectl').map((call) => /--kubeconfig=(\S+)/.exec(call)?.[1] ?? 'none');
  return [...new Set(used)].toSorted();
}
