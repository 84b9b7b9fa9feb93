import type { EnvironmentVariable, Pod } from '../../kube/pod-object.js';
import { clusterResource } from '../loops/cluster-resources.js';
import type { Store } from '../loops/store.js';

const variables = { HTTP_PROXY: 'httpProxy', HTTPS_PROXY: 'httpsProxy', NO_PROXY: 'noProxy' } as const;

/**
 * Adds the cluster's proxy variables to all containers, for kube-apiserver and kube-controller-manager.
 * Source: openshift/library-go pkg/operator/configobserver/proxy, the operators' targetconfigcontroller
 */
export function withProxy(pod: Pod, store: Store): Pod {
  const proxy = clusterResource(store, 'Proxy');
  const environment: readonly EnvironmentVariable[] = Object.entries(variables).flatMap(([name, field]) => {
    const value = proxy.text('status', field);
    return value === undefined ? [] : [{ name, value }];
  });
  if (environment.length === 0) return pod;
  const containers = pod.spec.containers.map((each) => ({
    ...each,
    env: [...(each.env ?? []), ...environment],
  }));
  return { ...pod, spec: { ...pod.spec, containers } };
}
