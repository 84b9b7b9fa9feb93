import type { Fault } from './request-fault.js';

/** Result of an API request. */
export type Reading =
  | { readonly kind: 'found'; readonly object: Readonly<Record<string, unknown>> }
  /** The API reports 404. `isKindServed` tells whether the API serves the kind. */
  | { readonly kind: 'absent'; readonly isKindServed: boolean }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Requests used to wait for a cluster. None of them throws or takes longer than `requestTimeoutMs`. */
export interface ClusterReader {
  /** URL of the API, such as `https://api.site1.example.com:6443`. */
  readonly server: string;
  /** Path of the kubeconfig as the user wrote it. */
  readonly kubeconfig: string;
  /** ConfigMap `kube-system/bootstrap`. */
  bootstrapConfigMap(): Promise<Reading>;
  /** ConfigMap `kube-system/sno-post-install`: the progress of the post-install manifests. */
  postInstallConfigMap(): Promise<Reading>;
  /** ClusterVersion `version`. */
  clusterVersion(): Promise<Reading>;
  /** All ClusterOperators, as a list. */
  clusterOperators(): Promise<Reading>;
  /** All Nodes, as a list. */
  nodes(): Promise<Reading>;
  /** All MachineConfigPools, as a list. */
  machineConfigPools(): Promise<Reading>;
  /** Console (config.openshift.io) `cluster`. */
  consoleConfig(): Promise<Reading>;
  /** ConfigMap `openshift-config-managed/default-ingress-cert`: the CA of the router's certificates. */
  routerAuthority(): Promise<Reading>;
}

/** A request for any path of the API. */
export interface ApiRequest {
  /** Path with escaped parts, such as `/api/v1/namespaces/default`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The object of a server-side apply, YAML. A request without `apply`, `merge` and `remove` reads. */
  readonly apply?: string;
  /** A JSON merge patch (RFC 7386): null removes a field. */
  readonly merge?: object;
  /** DeleteOptions: deletes the object. The API ignores a `dryRun` in the query if there is a body. */
  readonly remove?: object;
}

export type ApiAnswer =
  /** `body` is the object, or the API's Status; undefined if it is not JSON. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: unknown }
  /** No connection, or an answer that has nothing to do with the object: HTTP 401 and 429. */
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Also sends requests for objects of any kind. */
export interface ClusterClient extends ClusterReader {
  /** Does not throw, and ends after `requestTimeoutMs` or `applyTimeoutMs`. */
  send(request: ApiRequest): Promise<ApiAnswer>;
}
