import type * as ClientNode from '@kubernetes/client-node';

import { isRecord } from '../../core/is-record.js';
import { success, type Result } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { mayBeSecret } from '../../core/secrets.js';
import { timeLimit } from '../../core/time-limit.js';
import { systemErrorCode } from '../../disk/system-error.js';
import { textAt } from '../../kube/fields.js';
import { type Access, accessOf, type Client, type Connection } from './kubeconfig-access.js';
import { faultOfCode, faultOfStatus, requestTimeoutMs, timedOut, type Fault } from './request-fault.js';
import type { ClusterReader, Reading } from './reader.js';

/**
 * Returns a reader for the cluster of a kubeconfig; sends no request yet. The package is loaded here, because that
 * takes a third of a second. Problems: cluster/kubeconfig.
 */
export async function connect(connection: Connection): Promise<Result<ClusterReader>> {
  const client = await import('./client-package.js');
  const access = accessOf(client, connection);
  if (!access.ok) return access;
  const { server, certificateEnd } = access.value;
  const { core, custom } = apisOf(client, access.value, connection.stop);
  const ask: SendRequest = async (question) => {
    try {
      return readingOf(await question());
    } catch (error) {
      if (!(error instanceof client.ApiException)) return { kind: 'fault', fault: faultOfError(error) };
      if (error.code === 404) return { kind: 'absent', isKindServed: isObjectMissing(error.body) };
      return {
        kind: 'fault',
        fault: withExpiry(faultOfStatus(error.code), certificateEnd, connection.present()),
      };
    }
  };
  return success({
    server: shownServer(server),
    kubeconfig: connection.path,
    ...apiRequests(core, custom, ask),
  });
}

/** The URL without user, and without a path that may contain secrets. */
function shownServer(server: string): string {
  return mayBeSecret(server) ? new URL(server).origin : server;
}

interface Apis {
  readonly core: ClientNode.CoreV1Api;
  readonly custom: ClientNode.CustomObjectsApi;
}

/** Every request ends after its timeout, or when the wait is stopped. */
function apisOf(client: Client, { config, server }: Access, stop: AbortSignal): Apis {
  const options = client.createConfiguration({
    baseServer: new client.ServerConfiguration(server, {}),
    authMethods: { default: config },
    promiseMiddleware: [
      {
        pre: (request) => {
          request.setSignal(timeLimit(stop, requestTimeoutMs).signal);
          return Promise.resolve(request);
        },
        post: (response) => Promise.resolve(response),
      },
    ],
  });
  return { core: new client.CoreV1Api(options), custom: new client.CustomObjectsApi(options) };
}

type SendRequest = (question: () => Promise<unknown>) => Promise<Reading>;

type ApiRequests = Omit<ClusterReader, 'server' | 'kubeconfig'>;

/**
 * Source of the names: openshift/api config/v1 and machineconfiguration/v1; default-ingress-cert: openshift/cluster-ingress-operator
 * pkg/operator/controller/names.go
 */
function apiRequests(core: Apis['core'], custom: Apis['custom'], ask: SendRequest): ApiRequests {
  const config = { group: 'config.openshift.io', version: 'v1' };
  return {
    bootstrapConfigMap: () =>
      ask(() => core.readNamespacedConfigMap({ namespace: 'kube-system', name: 'bootstrap' })),
    nodes: () => ask(() => core.listNode()),
    clusterVersion: () =>
      ask(() => custom.getClusterCustomObject({ ...config, plural: 'clusterversions', name: 'version' })),
    clusterOperators: () =>
      ask(() => custom.listClusterCustomObject({ ...config, plural: 'clusteroperators' })),
    machineConfigPools: () =>
      ask(() =>
        custom.listClusterCustomObject({
          group: 'machineconfiguration.openshift.io',
          version: 'v1',
          plural: 'machineconfigpools',
        }),
      ),
    consoleConfig: () =>
      ask(() => custom.getClusterCustomObject({ ...config, plural: 'consoles', name: 'cluster' })),
    routerAuthority: () =>
      ask(() =>
        core.readNamespacedConfigMap({ namespace: 'openshift-config-managed', name: 'default-ingress-cert' }),
      ),
  };
}

function readingOf(answer: unknown): Reading {
  if (!isRecord(answer)) return { kind: 'fault', fault: faultOfCode(undefined) };
  return { kind: 'found', object: answer };
}

function faultOfError(error: unknown): Fault {
  if (error instanceof Error && error.name === 'AbortError') return timedOut;
  return faultOfCode(systemErrorCode(error));
}

/** Whether a 404 reports a missing object. For a kind that is not served the answer contains no name. */
function isObjectMissing(body: unknown): boolean {
  try {
    const status: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return textAt(status, ['details', 'name']) !== undefined;
  } catch {
    return false;
  }
}

/** Reports an expired client certificate as the reason of an unauthorized request. */
function withExpiry(fault: Fault, end: Date | undefined, present: Date): Fault {
  if (fault.kind !== 'unauthorized' || end === undefined || end > present) return fault;
  return { kind: 'credentials-expired', detail: `expired at ${rfc3339(end)}` };
}
