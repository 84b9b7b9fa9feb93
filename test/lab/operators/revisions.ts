import { releaseOf } from '../../shell/support/payload.js';

/** The objects that a revision requires, by namespace. Each must exist under its name and with the suffix `-1`. */
export type RevisionObjects = Readonly<
  Record<string, { readonly configMaps: readonly string[]; readonly secrets: readonly string[] }>
>;

/** If one is missing, the installer pod waits and the operator starts another revision. Source: the starters of the four operators */
export function requiredObjects(minor: number): RevisionObjects {
  return {
    'openshift-kube-apiserver': {
      configMaps: [
        'kube-apiserver-pod',
        'config',
        'kube-apiserver-cert-syncer-kubeconfig',
        'bound-sa-token-signing-certs',
        'etcd-serving-ca',
        'kubelet-serving-ca',
        'sa-token-signing-certs',
        'kube-apiserver-audit-policies',
      ],
      secrets: ['etcd-client', 'localhost-recovery-serving-certkey', 'localhost-recovery-client-token'],
    },
    'openshift-kube-controller-manager': {
      configMaps: [
        'kube-controller-manager-pod',
        'config',
        'cluster-policy-controller-config',
        'controller-manager-kubeconfig',
        'kube-controller-cert-syncer-kubeconfig',
        'serviceaccount-ca',
        'service-ca',
        'recycler-config',
      ],
      secrets: ['service-account-private-key', 'localhost-recovery-client-token'],
    },
    'openshift-kube-scheduler': {
      configMaps: [
        'kube-scheduler-pod',
        'config',
        'serviceaccount-ca',
        'scheduler-kubeconfig',
        'kube-scheduler-cert-syncer-kubeconfig',
      ],
      secrets: ['localhost-recovery-client-token'],
    },
    'openshift-etcd': { configMaps: releaseOf(minor).etcd.revisionedConfigMaps, secrets: ['etcd-all-certs'] },
  };
}

/**
 * Objects that no installer can create before the cluster exists: a token that the token controller fills in, and an operator's
 * own CA. The operators create them, which costs another revision.
 */
export const createdByCluster: readonly string[] = [
  'configmaps/openshift-kube-controller-manager/service-ca-1',
  'secrets/openshift-kube-apiserver/localhost-recovery-client-token-1',
  'secrets/openshift-kube-controller-manager/localhost-recovery-client-token-1',
  'secrets/openshift-kube-scheduler/localhost-recovery-client-token-1',
];
