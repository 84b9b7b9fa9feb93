import type { KubeObject } from '../../kube/object.js';

/**
 * A NetworkPolicy in a namespace of the control plane, which only some releases have. It applies to the installer, pruner and guard
 * pods, which use the pod network; static pods use the host network. Source: kubernetes.io/docs/concepts/services-networking/network-policies
 */
export function networkPolicy(
  namespace: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): KubeObject {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { namespace, name }, spec };
}

/** Denies all traffic that no other policy of the namespace allows. */
export const denyAll = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } as const;

/** A selector of the pods with one of these values of the label `app`. */
export function ofApps(...values: readonly string[]): Readonly<Record<string, unknown>> {
  return { matchExpressions: [{ key: 'app', operator: 'In', values }] };
}

/** Egress to the pods of the cluster's DNS. Source: bindata of the kube-controller-manager and kube-scheduler operators */
export const dnsEgress = {
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } },
      podSelector: { matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' } },
    },
  ],
  ports: ['TCP', 'UDP'].map((protocol) => ({ protocol, port: 5353 })),
} as const;
