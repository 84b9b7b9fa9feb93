import { apiHost, internalApiHost } from '../../config/cluster-domain.js';
import { secretFile } from '../../core/output-file.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import { defineAsset } from '../../graph/asset.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { embeddedKubeconfig } from '../../pki/embedded-kubeconfig.js';
import { installConfig } from '../config/install-config.js';
import { bundles, leaves } from '../tls/certificates.js';

const completeServerBundle = bundles['kube-apiserver-complete-server-ca-bundle'];
const adminClient = leaves['admin-kubeconfig-client'];

/** For the administrator, with the public API name. */
export const adminKubeconfig = defineAsset({
  name: 'auth/kubeconfig',
  needs: { config: installConfig, ca: completeServerBundle, client: adminClient },
  make: kubeconfigOf('admin', apiHost),
  files: (text) => [secretFile('auth/kubeconfig', text)],
});

/** For the administrator on the node, with the internal API name. */
export const adminInternalKubeconfig = defineAsset({
  name: 'auth/kubeconfig-internal',
  needs: { config: installConfig, ca: completeServerBundle, client: adminClient },
  make: kubeconfigOf('admin', internalApiHost),
});

/** For joining kubelets, served by the machine-config server; only permits certificate requests. */
export const kubeletKubeconfig = defineAsset({
  name: 'auth/kubeconfig-kubelet',
  needs: { config: installConfig, ca: completeServerBundle, client: leaves['kubelet-client'] },
  make: kubeconfigOf('kubelet', internalApiHost),
});

/** For programs on the node that must not depend on DNS. */
export const loopbackKubeconfig = defineAsset({
  name: 'auth/kubeconfig-loopback',
  needs: { config: installConfig, ca: bundles['kube-apiserver-localhost-ca-bundle'], client: adminClient },
  make: kubeconfigOf('loopback', () => 'localhost'),
});

interface Parents {
  readonly config: InstallConfig;
  readonly ca: string;
  readonly client: CertifiedKey;
}

/** Returns a function that renders a user's kubeconfig; `hostOf` returns the API host. */
function kubeconfigOf(user: string, hostOf: (config: InstallConfig) => string): (parents: Parents) => string {
  return ({ config, ca, client }) =>
    embeddedKubeconfig(user, {
      cluster: config.metadata.name,
      server: `https://${hostOf(config)}:6443`,
      ca,
      client,
    });
}
