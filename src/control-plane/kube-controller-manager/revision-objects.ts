import type { RevisionedObjects } from '../loops/revision.js';

/** The objects that the static pod of both dialects reads, and additional ones. */
export function controllerManagerRevision(
  more: Pick<RevisionedObjects, 'configMaps' | 'secrets' | 'certConfigMaps'>,
): RevisionedObjects {
  return {
    component: 'kube-controller-manager',
    configMaps: [
      { name: 'kube-controller-manager-pod' },
      { name: 'controller-manager-kubeconfig' },
      { name: 'serviceaccount-ca' },
      ...more.configMaps,
    ],
    secrets: [{ name: 'service-account-private-key' }, ...more.secrets],
    certConfigMaps: [{ name: 'aggregator-client-ca' }, { name: 'client-ca' }, ...more.certConfigMaps],
    certSecrets: [{ name: 'kube-controller-manager-client-cert-key' }, { name: 'csr-signer' }],
  };
}
