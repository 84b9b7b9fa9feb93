/** An object of the Kubernetes API. */
type ApiObject = object;
interface ApiList {
  readonly items?: readonly ApiObject[];
}

export function clusterVersionCheck(object: ApiObject): { version?: string; findings: string[] };
export function operatorFindings(list: ApiList): string[];
export function poolFindings(list: ApiList): string[];
export function nodeFindings(list: ApiList, expected: number): string[];
export function podFindings(list: ApiList): string[];
export function requestFindings(list: ApiList): string[];
export function certificateCheck(
  list: ApiList,
  present: Date,
): { certificates: number; firstExpiry?: string; findings: string[] };
export function nameFindings(kubeconfig: string, addresses: readonly string[]): Promise<string[]>;
