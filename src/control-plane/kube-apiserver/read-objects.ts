import type { RevisionedObject, RevisionedObjects } from '../loops/revision.js';

/** What kube-apiserver's static pod reads in every dialect, and more. */
export function revisionOf(more: Omit<RevisionedObjects, 'component'>): RevisionedObjects {
  return {
    component: 'kube-apiserver',
    configMaps: [...named(revisioned.configMaps), ...more.configMaps],
    secrets: [...named(revisioned.secrets), { name: 'encryption-config', isOptional: true }, ...more.secrets],
    certConfigMaps: [...named(renewable.configMaps), ...more.certConfigMaps],
    certSecrets: [...named(renewable.secrets), ...more.certSecrets],
  };
}

/** What kube-apiserver reads once, when it starts. */
const revisioned = {
  configMaps: [
    'kube-apiserver-pod',
    'config',
    'bound-sa-token-signing-certs',
    'etcd-serving-ca',
    'kube-apiserver-audit-policies',
    'kubelet-serving-ca',
    'sa-token-signing-certs',
  ],
  secrets: ['etcd-client'],
};

/** What kube-apiserver reads again when it changes. */
const renewable = {
  configMaps: ['aggregator-client-ca', 'client-ca'],
  secrets: [
    'aggregator-client',
    'bound-service-account-signing-key',
    'external-loadbalancer-serving-certkey',
    'internal-loadbalancer-serving-certkey',
    'kubelet-client',
    'localhost-serving-cert-certkey',
    'service-network-serving-certkey',
  ],
};

/** Objects that must be there. */
export function named(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name }));
}

/** Objects that may come later. */
export function optional(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name, isOptional: true }));
}
