import { componentNames, type Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import type { LoopInputs } from './loop-inputs.js';
import type { Loop } from './loop.js';

/** The static resources loop of a component: objects that operators expect and that do not depend on observation, the namespace first. */
export function staticResources(
  component: Component,
  objects: (inputs: LoopInputs) => readonly KubeObject[],
): Loop {
  return {
    name: 'static resources',
    component,
    run: (store, inputs) => store.putAll(objects(inputs)),
  };
}

/**
 * A namespace of the control plane. Its run level exempts its pods from the cluster's own admission.
 * Source: the four operators, bindata, ns.yaml
 */
export function controlPlaneNamespace(name: string): KubeObject {
  return managementNamespace(name, { 'openshift.io/run-level': '0', ...privilegedPods });
}

/** Pod security labels without restrictions. Source: kubernetes.io/docs/concepts/security/pod-security-admission */
export const privilegedPods = {
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
} as const;

/** A control-plane namespace with the label for cluster monitoring. */
export function monitoredNamespace(name: string): KubeObject {
  const { metadata, ...rest } = controlPlaneNamespace(name);
  const labels = { ...metadata.labels, 'openshift.io/cluster-monitoring': 'true' };
  return { ...rest, metadata: { ...metadata, labels } };
}

/**
 * The namespace of an operator; contains its signers. No privileged pod security labels.
 * Source: cluster-kube-apiserver-operator and cluster-kube-controller-manager-operator, bindata/bootkube/manifests
 */
export function operatorNamespace(name: string): KubeObject {
  return managementNamespace(name, {
    'openshift.io/cluster-monitoring': 'true',
    'openshift.io/run-level': '0',
  });
}

/** Its pods run on any node, on the CPUs reserved for management workloads. */
function managementNamespace(name: string, labels: Readonly<Record<string, string>>): KubeObject {
  const annotations = { 'openshift.io/node-selector': '', 'workload.openshift.io/allowed': 'management' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations, labels } };
}

export function serviceAccount(namespace: string, name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } };
}

/**
 * Service account and RBAC of the pods that install a component's next revisions.
 * Source: openshift/library-go pkg/operator/staticpod/controller/backingresource/manifests
 */
export function installerAccount(component: Component): readonly KubeObject[] {
  const { namespace } = componentNames[component];
  return [
    serviceAccount(namespace, 'installer-sa'),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: `system:openshift:operator:${namespace}-installer` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace, name: 'installer-sa' }],
    },
  ];
}
