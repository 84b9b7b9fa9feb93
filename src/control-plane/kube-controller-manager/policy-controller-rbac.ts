import { componentNames } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import { clusterRole, clusterRoleBinding, roleBinding, userSubject } from '../shared/rbac.js';
import { infraNamespace } from './recycler.js';

const { namespace } = componentNames['kube-controller-manager'];
const readers = ['get', 'list', 'watch'];
const events = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] };
const namespaces = {
  apiGroups: [''],
  resources: ['namespaces'],
  verbs: [...readers, 'patch', 'update'],
};

/**
 * RBAC for the controllers in cluster-policy-controller; each has its own service account.
 * Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager
 */
export const policyControllerRbac: readonly KubeObject[] = [
  ...controller('namespace-security-allocation-controller', [
    {
      apiGroups: ['security.openshift.io', 'security.internal.openshift.io'],
      resources: ['rangeallocations'],
      verbs: ['create', 'get', 'update'],
    },
    namespaces,
    events,
  ]),
  ...controller('podsecurity-admission-label-syncer-controller', [
    namespaces,
    events,
    { apiGroups: [''], resources: ['serviceaccounts'], verbs: readers },
    { apiGroups: ['security.openshift.io'], resources: ['securitycontextconstraints'], verbs: readers },
    {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'],
      verbs: readers,
    },
  ]),
  ...controller('privileged-namespaces-psa-label-syncer', [
    { apiGroups: [''], resources: ['namespaces'], verbs: readers },
    {
      apiGroups: [''],
      resources: ['namespaces'],
      resourceNames: ['default', 'kube-system', 'kube-public'],
      verbs: ['patch'],
    },
  ]),
  ...controller('cluster-csr-approver-controller', [
    { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: readers },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['certificatesigningrequests/approval'],
      verbs: ['update'],
    },
    {
      apiGroups: ['certificates.k8s.io'],
      resources: ['signers'],
      resourceNames: ['kubernetes.io/kube-apiserver-client'],
      verbs: ['approve'],
    },
    events,
  ]),
  ...leaderLock(),
];

function controller(name: string, rules: Parameters<typeof clusterRole>[1]): readonly KubeObject[] {
  const role = `system:openshift:controller:${name}`;
  const subject = { kind: 'ServiceAccount', namespace: infraNamespace, name } as const;
  return [clusterRole(role, rules), clusterRoleBinding(role, role, subject)];
}

/** RBAC for the leader election lease of cluster-policy-controller. */
function leaderLock(): readonly KubeObject[] {
  const name = 'system:openshift:leader-election-lock-cluster-policy-controller';
  const rules = [
    {
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      resourceNames: ['cluster-policy-controller-lock'],
      verbs: ['get', 'create', 'update'],
    },
  ];
  const itself = userSubject('system:kube-controller-manager');
  return [
    { ...clusterRole(name, rules), kind: 'Role', metadata: { namespace, name } },
    roleBinding({ namespace, name }, { kind: 'Role', name }, itself),
  ];
}
