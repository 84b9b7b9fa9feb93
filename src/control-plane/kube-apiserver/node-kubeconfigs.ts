import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { secret } from '../../kube/core-objects.js';
import { configMaps, secrets } from '../../loops/kinds.js';
import type { Loop } from '../../loops/loop.js';
import type { ApiserverDialect } from './dialect.js';

const { namespace, operatorNamespace } = componentNames['kube-apiserver'];

/**
 * The node kubeconfigs loop: ways in for an administrator on the node itself, each with the certificate in it. Without
 * operators nothing renews it, and nobody reads them.
 * Source: cluster-kube-apiserver-operator pkg/operator/nodekubeconfigcontroller
 */
export function nodeKubeconfigs({ hasNodeKubeconfigs }: Pick<ApiserverDialect, 'hasNodeKubeconfigs'>): Loop {
  return {
    name: 'node kubeconfigs',
    component: 'kube-apiserver',
    run: (store, { apiServer }) => {
      const admin = store.get(secrets, operatorNamespace, 'node-system-admin-client');
      const ca = store.get(configMaps, namespace, 'kube-apiserver-server-ca')?.data['ca-bundle.crt'];
      if (!hasNodeKubeconfigs || admin === undefined || ca === undefined) return store;
      const files = Object.entries({
        localhost: { server: 'https://localhost:6443' },
        'localhost-recovery': { server: 'https://localhost:6443', 'tls-server-name': 'localhost-recovery' },
        'lb-ext': { server: `https://${apiServer.externalHost}:6443` },
        'lb-int': { server: `https://${apiServer.internalHost}:6443` },
      }).map(
        ([name, cluster]) =>
          [`${name}.kubeconfig`, kubeconfig(name, { cluster, ca, pair: admin.data })] as const,
      );
      return store.put(secret({ namespace, name: 'node-kubeconfigs' }, 'Opaque', Object.fromEntries(files)));
    },
  };
}

interface Access {
  readonly cluster: { readonly server: string; readonly 'tls-server-name'?: string };
  /** PEM. */
  readonly ca: string;
  /** Base64, as the Secret has it. */
  readonly pair: Readonly<Record<string, string>>;
}

function kubeconfig(name: string, { cluster, ca, pair }: Access): string {
  const user = 'system:admin';
  const authorities = Buffer.from(ca).toString('base64');
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { ...cluster, 'certificate-authority-data': authorities } }],
    contexts: [{ name: user, context: { cluster: name, user } }],
    'current-context': user,
    users: [
      {
        name: user,
        user: { 'client-certificate-data': pair['tls.crt'], 'client-key-data': pair['tls.key'] },
      },
    ],
  });
}
