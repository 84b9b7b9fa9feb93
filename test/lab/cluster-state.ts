import type { Machine } from '../real/control-plane/support/machine.js';
import type { Lab } from './lab.js';
import { userObject } from './site.js';

/** The cluster state that the tests read with the user's kubeconfig. */
export interface ClusterState {
  readonly userObject: ConfigMap | undefined;
  /** The resourceVersion of the list of all ConfigMaps: the current revision of the cluster. */
  readonly revision: number;
  readonly bootstrapStatus: string | undefined;
  readonly locks: readonly string[];
  readonly overrides: unknown;
  readonly requests: readonly Request[];
  readonly nodeIsReady: boolean;
}

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

export interface Request {
  readonly name: string;
  readonly signer: string;
  readonly approved: boolean;
}

export async function clusterState(lab: Lab, machine: Machine): Promise<ClusterState> {
  const get = async (...argv: readonly string[]): Promise<unknown> => {
    const { stdout } = await machine.kubectl(lab.site.adminKubeconfig, ['get', ...argv, '--output=json']);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };
  const named = (await get('configmap', userObject.name, `--namespace=${userObject.namespace}`)) as
    ConfigMap | undefined;
  const signal = (await get('configmap', 'bootstrap', '--namespace=kube-system')) as ConfigMap | undefined;
  const leases = (await get('leases', '--all-namespaces')) as List<{ metadata: { name: string } }>;
  const version = (await get('clusterversion', 'version')) as { spec?: { overrides?: unknown } } | undefined;
  const requests = (await get('csr')) as List<RawRequest>;
  const nodes = (await get('nodes')) as List<{
    status: { conditions: readonly { type: string; status: string }[] };
  }>;
  return {
    userObject: named,
    revision: Number(await listRevision(lab, machine)),
    bootstrapStatus: signal?.data?.['status'],
    locks: leases.items.map(({ metadata }) => metadata.name),
    overrides: version?.spec?.overrides,
    requests: requests.items.map(requestOf),
    nodeIsReady: nodes.items.some(({ status }) =>
      status.conditions.some((each) => each.type === 'Ready' && each.status === 'True'),
    ),
  };
}

interface List<Item> {
  readonly items: readonly Item[];
}

interface RawRequest {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly signerName: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

function requestOf({ metadata, spec, status }: RawRequest): Request {
  return {
    name: metadata.name,
    signer: spec.signerName,
    approved: (status?.conditions ?? []).some(({ type }) => type === 'Approved'),
  };
}

/** kubectl drops the resourceVersion when it merges several lists. */
async function listRevision(lab: Lab, machine: Machine): Promise<string> {
  const { stdout } = await machine.kubectl(lab.site.adminKubeconfig, [
    'get',
    '--raw',
    '/api/v1/configmaps?limit=1',
  ]);
  return (JSON.parse(stdout) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
