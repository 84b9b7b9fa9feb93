import type { RevisionedObject, RevisionedObjects } from '../loops/revision.js';

/** The objects that the static pod of both dialects reads, and additional ones. */
export function apiserverRevision(more: Omit<RevisionedObjects, 'component'>): RevisionedObjects {
  return {
    component: 'kube-apiserver',
    configMaps: [...requiredObjects(revisioned.configMaps), ...more.configMaps],
    secrets: [
      ...requiredObjects(revisioned.secrets),
      { name: 'encryption-config', isOptional: true },
      ...more.secrets,
    ],
    certConfigMaps: [...requiredObjects(renewable.configMaps), ...more.certConfigMaps],
    certSecrets: [...requiredObjects(renewable.secrets), ...more.certSecrets],
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
export function requiredObjects(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name }));
}

/** Objects that may be created later. */
export function optionalObjects(names: readonly string[]): readonly RevisionedObject[] {
  return names.map((name) => ({ name, isOptional: true }));
}
