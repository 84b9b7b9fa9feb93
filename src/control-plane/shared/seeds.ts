import { componentNames, managedConfigNamespace, userConfigNamespace } from '../../kube/components.js';
import { configMap, secret } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import type { KeyPairPem } from '../../formats/keys/private-key.js';

/** Data of the installer that no loop can create. */
export interface SeedInputs {
  /** CAs of administrators, of joining kubelets and of kubelet CSRs; PEM. */
  readonly adminCaPem: string;
  readonly kubeletBootstrapCaPem: string;
  readonly kubeletCaPem: string;
  readonly serviceAccountKeys: Readonly<Record<'legacy' | 'bound', KeyPairPem>>;
}

/**
 * The objects that exist before the first loop, as the operators' render commands create them from the installer's certificates.
 * Source: cluster-kube-apiserver-operator and cluster-kube-controller-manager-operator, bindata/bootkube/manifests
 */
export function seedObjects(material: SeedInputs): readonly KubeObject[] {
  const { legacy, bound } = material.serviceAccountKeys;
  const managed = (name: string): { readonly namespace: string; readonly name: string } => ({
    namespace: managedConfigNamespace,
    name,
  });
  return [
    configMap(
      { namespace: userConfigNamespace, name: 'admin-kubeconfig-client-ca' },
      { 'ca-bundle.crt': material.adminCaPem },
    ),
    configMap(managed('kubelet-bootstrap-kubeconfig'), { 'ca-bundle.crt': material.kubeletBootstrapCaPem }),
    configMap(managed('csr-controller-ca'), { 'ca-bundle.crt': material.kubeletCaPem }),
    configMap(managed('sa-token-signing-certs'), { 'service-account-001.pub': legacy.publicKeyPem }),
    secret({ namespace: userConfigNamespace, name: 'initial-service-account-private-key' }, 'Opaque', {
      'service-account.key': legacy.keyPem.reveal(),
      'service-account.pub': legacy.publicKeyPem,
    }),
    secret(
      {
        namespace: componentNames['kube-apiserver'].operatorNamespace,
        name: 'next-bound-service-account-signing-key',
      },
      'Opaque',
      { 'service-account.key': bound.keyPem.reveal(), 'service-account.pub': bound.publicKeyPem },
    ),
  ];
}
