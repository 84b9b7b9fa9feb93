import { componentNames, type Component } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import { serviceAccount } from '../loops/static-resources.js';
import { recoveryKubeconfig } from './file-kubeconfig.js';
import { clusterRoleBinding } from './rbac.js';

const account = 'localhost-recovery-client';

/**
 * The account of a component's sidecars that keep certificates up to date, with an administrator's rights. Its token only
 * a running cluster can issue. Source: the operators' bindata, localhost-recovery-sa.yaml
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

/** How those sidecars of a component reach the API: the ConfigMap's name, and the kubeconfig's user. */
interface SyncerNames {
  readonly name: string;
  readonly user: string;
  /** The authorities of the API as the containers see them. */
  readonly caFile: string;
}

/** The ConfigMap that holds the kubeconfig of those sidecars. */
export function syncerKubeconfig(component: Component, { name, user, caFile }: SyncerNames): KubeObject {
  const { namespace } = componentNames[component];
  return configMap({ namespace, name }, { kubeconfig: recoveryKubeconfig(user, caFile) });
}
