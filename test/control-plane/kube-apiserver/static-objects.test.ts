import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';

import { placeholderNode } from '../../../src/control-plane/shared/placeholders.js';
import { configMap } from '../../../src/kube/core-objects.js';
import { configMaps, secrets } from '../../../src/control-plane/loops/kinds.js';
import { objectKey } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { apiserverFiles, settledApiserver } from '../../support/settled-apiserver.js';

const namespace = 'openshift-kube-apiserver';
const encryption = { provider: 'secretbox', key: Buffer.alloc(32, 3).toString('base64') } as const;

describe('without operators', () => {
  test('contains no values of the node and no OpenShift names', async () => {
    const node = { ...placeholderNode, name: 'sno', environmentName: 'sno' };
    const files = apiserverFiles(await controlPlaneInputs({ profile: 'Kubernetes', encryption, node }));
    const texts = [...files].filter(([path]) => !/\.(crt|key|pub)$/.test(path)).map(([, text]) => text);
    expect(texts.join('\n')).not.toMatch(/@@|openshift/i);
  });

  test('applies only permissions beyond the default roles of Kubernetes', async () => {
    const { store } = settledApiserver(await controlPlaneInputs({ profile: 'Kubernetes' }));
    const others = store
      .objects()
      .filter(({ kind }) => !['ConfigMap', 'Secret', 'KubeAPIServer'].includes(kind));
    expect(others.map(objectKey)).toEqual([
      'ClusterRoleBinding.rbac.authorization.k8s.io/kube-apiserver-kubelet-api',
    ]);
  });
});

describe('with operators', () => {
  test('the node’s kubeconfigs open every way in', async () => {
    const inputs = await controlPlaneInputs({ profile: 'OpenShift' });
    const data = settledApiserver(inputs).store.get(secrets, namespace, 'node-kubeconfigs')?.data ?? {};
    const servers = Object.entries(data).map(([file, base64]) => {
      const { clusters } = parse(Buffer.from(base64, 'base64').toString()) as {
        readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
      };
      return [file, clusters[0]?.cluster['server'], clusters[0]?.cluster['tls-server-name']];
    });
    expect(servers).toEqual([
      ['localhost.kubeconfig', 'https://localhost:6443', undefined],
      ['localhost-recovery.kubeconfig', 'https://localhost:6443', 'localhost-recovery'],
      ['lb-ext.kubeconfig', 'https://api.site1.example.com:6443', undefined],
      ['lb-int.kubeconfig', 'https://api-int.site1.example.com:6443', undefined],
    ]);
  });

  test('the operator finds its namespace, accounts and rights', async () => {
    const { store } = settledApiserver(await controlPlaneInputs({ profile: 'OpenShift' }));
    const keys = store.objects().map(objectKey);
    expect(keys).toEqual(
      expect.arrayContaining([
        'Namespace/openshift-kube-apiserver',
        'Service/openshift-kube-apiserver/apiserver',
        'ServiceAccount/openshift-kube-apiserver/installer-sa',
        'ServiceAccount/openshift-kube-apiserver/localhost-recovery-client',
        'ClusterRole.rbac.authorization.k8s.io/kube-apiserver',
        'ClusterRoleBinding.rbac.authorization.k8s.io/system:openshift:operator:kube-apiserver-recovery',
        'RoleBinding.rbac.authorization.k8s.io/kube-system/authentication-reader-for-authenticated-users',
      ]),
    );
    expect(keys).not.toContain('Secret/openshift-kube-apiserver/localhost-recovery-client-token');
  });

  test('keeps the content of the bundle that the network operator fills', async () => {
    const inputs = await controlPlaneInputs({ profile: 'OpenShift' });
    const filled = configMap({ namespace, name: 'trusted-ca-bundle' }, { 'ca-bundle.crt': 'filled' });
    const { store } = settledApiserver(inputs, [...inputs.seeds, filled]);
    expect(store.get(configMaps, namespace, 'trusted-ca-bundle')?.data).toEqual({
      'ca-bundle.crt': 'filled',
    });
  });
});
