import type { RevisionedObject, RevisionedObjects } from '../loops/revision.js';

/** The objects that the static pod of both dialects reads, and additional ones. */
export function revisionOf(more: Omit<RevisionedObjects, 'component'>): RevisionedObjects {
  return {
    component: 'kube-apiserver',
    configMaps: [...named(revisioned.configMaps), ...more.configMaps],
    secrets: [...named(revisioned.secrets), { name: 'encryption-config', isOptional: true }, ...more.secrets],
    certConfigMaps: [...named(renewable.configMaps), ...more.certConfigMaps],
    certSecrets: [...named(renewable.secrets), ...more.certSecrets],
  };
}

/** Objects that kube-apiserver reads once at start. */
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

/** Objects that kube-apiserver reads again when they change. */
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

/** Required objects. */
export function named(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name }));
}

/** Objects that may be created later. */
export function optional(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name, isOptional: true }));
}
