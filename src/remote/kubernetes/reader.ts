import type { Fault } from './question-fault.js';

/** What a question to the API gave. */
export type Reading =
  | { readonly kind: 'found'; readonly object: Readonly<Record<string, unknown>> }
  /** The API answers that there is none; `isKindServed` says whether it knows such objects at all. */
  | { readonly kind: 'absent'; readonly isKindServed: boolean }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** The questions that waiting asks of a cluster. None of them throws or lasts longer than `questionTimeoutMs`. */
export interface ClusterReader {
  /** The address of the API, such as `https://api.site1.example.com:6443`. */
  readonly server: string;
  /** Where the kubeconfig came from, as the user names it. */
  readonly kubeconfig: string;
  /** ConfigMap `kube-system/bootstrap`. */
  bootstrapConfigMap(): Promise<Reading>;
  /** ClusterVersion `version`. */
  clusterVersion(): Promise<Reading>;
  /** A list of every ClusterOperator. */
  clusterOperators(): Promise<Reading>;
  /** A list of every Node. */
  nodes(): Promise<Reading>;
  /** A list of every MachineConfigPool. */
  machineConfigPools(): Promise<Reading>;
  /** Console (config.openshift.io) `cluster`. */
  consoleConfig(): Promise<Reading>;
  /** ConfigMap `openshift-config-managed/default-ingress-cert`: whoever signs what the router serves. */
  routerAuthority(): Promise<Reading>;
}
