export interface Cluster {
  readonly read: (path: string) => Promise<object>;
  readonly change: (path: string, merge: object) => Promise<object>;
}

export function clusterOf(kubeconfig: string, signal: AbortSignal): Promise<Cluster>;
export function checkCluster(
  cluster: Cluster,
  options: { readonly expectedNodes: number; readonly present: Date },
): Promise<{ findings: string[]; facts: Record<string, string> }>;
export function approveRequests(cluster: Cluster, worker: string): Promise<void>;
