import { componentNames, managedConfigNamespace as managed, type Component } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import { combinedBundle } from '../loops/resource-sync.js';
import type { Store } from '../loops/store.js';
import { fileKubeconfig } from './file-kubeconfig.js';
import { renewablePair, revisionedConfigMap } from './mounted-paths.js';

/** A component that connects to its node's kube-apiserver with a client certificate. */
export interface LoopbackClient {
  readonly component: Component;
  /** ConfigMap of its kubeconfig. */
  readonly kubeconfig: string;
  /** Secret of its client certificate. */
  readonly clientPair: string;
}

/**
 * A component's CA bundle for the API, from the CAs that exist so far, and its kubeconfig. The server is loopback, not the
 * operators' host name, because no name resolves before the cluster's DNS runs.
 * Source: cluster-kube-controller-manager-operator and cluster-kube-scheduler-operator pkg/operator/targetconfigcontroller
 */
export function loopbackAccess(
  store: Store,
  { component, kubeconfig, clientPair }: LoopbackClient,
): readonly ConfigMap[] {
  const { namespace } = componentNames[component];
  const authorities = combinedBundle(store, { namespace, name: authoritiesName }, [
    { namespace: managed, name: 'kube-apiserver-server-ca' },
    { namespace: managed, name: 'default-ingress-cert' },
  ]);
  const text = fileKubeconfig({
    user: component,
    server: 'https://localhost:6443',
    caFile: revisionedConfigMap(authoritiesName),
    ...renewablePair(clientPair),
  });
  return [
    ...(authorities === undefined ? [] : [authorities]),
    configMap({ namespace, name: kubeconfig }, { kubeconfig: text }),
  ];
}

const authoritiesName = 'serviceaccount-ca';
