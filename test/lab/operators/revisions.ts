import { releaseOf } from '../../shell/support/payload.js';

/** The objects that a revision must have, by namespace; each is looked for under its name and `-1`. */
export type Revisioned = Readonly<
  Record<string, { readonly configMaps: readonly string[]; readonly secrets: readonly string[] }>
>;

/** Without one of them the installer pod waits, and the operator begins another revision. Source: the starters of the four operators */
export function requiredObjects(minor: number): Revisioned {
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
 * What no installer can make before there is a cluster: a token that the token controller fills in, and the authority of an
 * operator of its own. The operators make these themselves, at the price of another revision.
 */
export const madeByClusters: readonly string[] = [
  'configmaps/openshift-kube-controller-manager/service-ca-1',
  'secrets/openshift-kube-apiserver/localhost-recovery-client-token-1',
  'secrets/openshift-kube-controller-manager/localhost-recovery-client-token-1',
  'secrets/openshift-kube-scheduler/localhost-recovery-client-token-1',
];
