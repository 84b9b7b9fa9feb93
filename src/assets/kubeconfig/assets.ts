import { secretFile } from '../../core/output-file.js';
import { writeYaml } from '../../formats/yaml.js';
import { defineAsset } from '../../graph/asset.js';
import { clusterDomain } from '../config/cluster-domain.js';
import { installConfig } from '../config/install-config.js';
import { bundles, leaves } from '../tls/assets.js';
import type { CertifiedKey } from '../tls/certified-key.js';

const completeServerBundle = bundles['kube-apiserver-complete-server-ca-bundle'];
const adminClient = leaves['admin-kubeconfig-client'];

/** For the administrator: the API under its public name. */
export const adminKubeconfig = defineAsset({
  name: 'auth/kubeconfig',
  needs: { config: installConfig, ca: completeServerBundle, client: adminClient },
  make: ({ config, ca, client }) =>
    kubeconfig('admin', {
      cluster: config.metadata.name,
      server: `https://api.${clusterDomain(config)}:6443`,
      ca,
      client,
    }),
  files: (text) => [secretFile('auth/kubeconfig', text)],
});

/** For the administrator on the node: the API under its internal name. */
export const adminInternalKubeconfig = defineAsset({
  name: 'auth/kubeconfig-internal',
  needs: { config: installConfig, ca: completeServerBundle, client: adminClient },
  make: ({ config, ca, client }) =>
    kubeconfig('admin', {
      cluster: config.metadata.name,
      server: `https://api-int.${clusterDomain(config)}:6443`,
      ca,
      client,
    }),
});

/** What the machine-config server hands to joining kubelets: enough to ask for a certificate. */
export const kubeletKubeconfig = defineAsset({
  name: 'auth/kubeconfig-kubelet',
  needs: { config: installConfig, ca: completeServerBundle, client: leaves['kubelet-client'] },
  make: ({ config, ca, client }) =>
    kubeconfig('kubelet', {
      cluster: config.metadata.name,
      server: `https://api-int.${clusterDomain(config)}:6443`,
      ca,
      client,
    }),
});

/** For what runs on the node and must not depend on DNS. */
export const loopbackKubeconfig = defineAsset({
  name: 'auth/kubeconfig-loopback',
  needs: { config: installConfig, ca: bundles['kube-apiserver-localhost-ca-bundle'], client: adminClient },
  make: ({ config, ca, client }) =>
    kubeconfig('loopback', { cluster: config.metadata.name, server: 'https://localhost:6443', ca, client }),
});

interface Access {
  readonly cluster: string;
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly client: CertifiedKey;
}

/** One cluster, one user and one context, the latter two under one name. Source: k8s.io/client-go tools/clientcmd/api/v1 */
function kubeconfig(user: string, { cluster, server, ca, client }: Access): string {
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    contexts: [{ name: user, context: { cluster, user } }],
    'current-context': user,
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(client.certPem), 'client-key-data': base64(client.keyPem) },
      },
    ],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
