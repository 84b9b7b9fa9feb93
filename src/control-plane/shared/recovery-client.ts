import { componentNames, type Component } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import { serviceAccount } from '../loops/static-resources.js';
import { recoveryKubeconfig } from './file-kubeconfig.js';
import { clusterRoleBinding } from './rbac.js';

const account = 'localhost-recovery-client';

/**
 * Service account of a component's cert-syncer and recovery sidecars, with cluster-admin rights. Only a running cluster can issue
 * its token. Source: the operators' bindata, localhost-recovery-sa.yaml
 */
export function recoveryClient(component: Component): readonly KubeObject[] {
  const { namespace } = componentNames[component];
  return [
    serviceAccount(namespace, account),
    clusterRoleBinding(`system:openshift:operator:${component}-recovery`, 'cluster-admin', {
      kind: 'ServiceAccount',
      namespace,
      name: account,
    }),
  ];
}

/** Name of the kubeconfig's ConfigMap and of its user. */
interface SyncerNames {
  readonly name: string;
  readonly user: string;
  /** CA bundle of the API; path inside the containers. */
  readonly caFile: string;
}

/** The ConfigMap with the kubeconfig of these sidecars. */
export function syncerKubeconfig(component: Component, { name, user, caFile }: SyncerNames): KubeObject {
  const { namespace } = componentNames[component];
  return configMap({ namespace, name }, { kubeconfig: recoveryKubeconfig(user, caFile) });
}
