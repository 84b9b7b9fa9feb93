import { systemNamespace, type Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** All objects of the kind if absent. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export function clusterRole(name: string, rules: readonly Rule[]): KubeObject {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules };
}

export function clusterRoleBinding(name: string, role: string, subject: Subject): KubeObject {
  return {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [subject],
  };
}

export function roleBinding(
  place: { readonly namespace: string; readonly name: string },
  role: { readonly kind: 'Role' | 'ClusterRole'; readonly name: string },
  subject: Subject,
): KubeObject {
  return {
    apiVersion,
    kind: 'RoleBinding',
    metadata: place,
    roleRef: { apiGroup, ...role },
    subjects: [subject],
  };
}

/** Binds a component to the role for its leader election lock. kube-apiserver creates the role itself. */
export function leaderElectionBinding(component: Component): KubeObject {
  return roleBinding(
    { namespace: systemNamespace, name: `system:openshift:leader-locking-${component}` },
    { kind: 'Role', name: `system::leader-locking-${component}` },
    userSubject(`system:${component}`),
  );
}

type Subject =
  | { readonly kind: 'User' | 'Group'; readonly apiGroup: string; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string };

export function userSubject(name: string): Subject {
  return { kind: 'User', apiGroup, name };
}

export function groupSubject(name: string): Subject {
  return { kind: 'Group', apiGroup, name };
}
