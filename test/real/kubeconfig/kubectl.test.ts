import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import {
  adminInternalKubeconfig,
  adminKubeconfig,
  kubeletKubeconfig,
  loopbackKubeconfig,
} from '../../../src/assets/kubeconfig/kubeconfigs.js';
import { bundles, leaves } from '../../../src/assets/tls/certificates.js';
import { resolve, type Resolved } from '../../../src/graph/engine.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const all = [adminKubeconfig, adminInternalKubeconfig, kubeletKubeconfig, loopbackKubeconfig];

describeWith(['kubectl'], 'kubectl config view', () => {
  let made: Resolved;
  beforeAll(async () => {
    const result = await resolve(
      all,
      testContext({ files: { 'install-config.yaml': minimalInstallConfig } }),
    );
    if (!result.ok) throw new Error('the minimal config has problems');
    made = result.value;
  });

  const cases = [
    { name: 'auth/kubeconfig', at: 0, user: 'admin', server: 'https://api.site1.example.com:6443' },
    { name: 'the one of the node', at: 1, user: 'admin', server: 'https://api-int.site1.example.com:6443' },
    {
      name: 'the one of joining kubelets',
      at: 2,
      user: 'kubelet',
      server: 'https://api-int.site1.example.com:6443',
    },
    { name: 'the one without DNS', at: 3, user: 'loopback', server: 'https://localhost:6443' },
  ];
  it.each(cases)('reads $name', ({ at, user, server }) => {
    const path = join(scratchFolder(), 'kubeconfig');
    const asset = all[at] ?? adminKubeconfig;
    writeFileSync(path, made.valueOf(asset));

    const { status, stdout } = spawnSync(
      'kubectl',
      ['config', 'view', '--raw', '-o', 'json', '--kubeconfig', path],
      {
        encoding: 'utf8',
      },
    );

    const bundle =
      asset === loopbackKubeconfig
        ? 'kube-apiserver-localhost-ca-bundle'
        : 'kube-apiserver-complete-server-ca-bundle';
    const client = made.valueOf(
      leaves[asset === kubeletKubeconfig ? 'kubelet-client' : 'admin-kubeconfig-client'],
    );
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'Config',
      apiVersion: 'v1',
      clusters: [
        {
          name: 'site1',
          cluster: { server, 'certificate-authority-data': base64(made.valueOf(bundles[bundle])) },
        },
      ],
      contexts: [{ name: user, context: { cluster: 'site1', user } }],
      'current-context': user,
      users: [
        {
          name: user,
          user: {
            'client-certificate-data': base64(client.certPem),
            'client-key-data': base64(client.keyPem.reveal()),
          },
        },
      ],
    });
  });

  it('requires kind and apiVersion, and writes the administrator to a separate file', () => {
    expect(made.files.map(({ path, mode }) => [path, mode])).toEqual([['auth/kubeconfig', 0o600]]);
    expect(made.valueOf(adminKubeconfig)).toMatch(/^apiVersion: v1\n[\s\S]*\nkind: Config\n/);
  });
});
