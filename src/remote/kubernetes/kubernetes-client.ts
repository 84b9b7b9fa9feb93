import type * as ClientNode from '@kubernetes/client-node';

import { isRecord } from '../../core/is-record.js';
import { success, type Result } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { mayBeSecret } from '../../core/secrets.js';
import { timeLimit } from '../../core/time-limit.js';
import { systemErrorCode } from '../../disk/system-error.js';
import { parseJson } from '../../formats/json.js';
import { textAt } from '../../kube/fields.js';
import { boundedHttp } from './bounded-http.js';
import { type Access, accessOf, type Client, type Connection } from './kubeconfig-access.js';
import {
  applyTimeoutMs,
  faultOfCode,
  faultOfStatus,
  requestTimeoutMs,
  timedOutAfter,
  type Fault,
} from './request-fault.js';
import type { ApiAnswer, ApiRequest, ClusterClient, ClusterReader, Reading } from './reader.js';

/**
 * Returns a client for the cluster of a kubeconfig; sends no request yet. The package is loaded here, because that
 * takes a third of a second. Problems: cluster/kubeconfig.
 */
export async function connect(connection: Connection): Promise<Result<ClusterClient>> {
  const client = await import('./client-package.js');
  const access = accessOf(client, connection);
  if (!access.ok) return access;
  const { server, certificateEnd } = access.value;
  const withExpired = (fault: Fault): Fault => withExpiry(fault, certificateEnd, connection.present());
  const { core, custom } = apisOf(client, access.value, connection.stop);
  const ask: SendRequest = async (question) => {
    try {
      return readingOf(await question());
    } catch (error) {
      if (!(error instanceof client.ApiException))
        return { kind: 'fault', fault: faultOfError(error, requestTimeoutMs) };
      if (error.code === 404) return { kind: 'absent', isKindServed: isObjectMissing(error.body) };
      return { kind: 'fault', fault: withExpired(faultOfStatus(error.code)) };
    }
  };
  const send = sender(client, access.value, connection.stop);
  return success({
    server: shownServer(server),
    kubeconfig: connection.path,
    ...apiRequests(core, custom, ask),
    send: async (request) => {
      const answer = await send(request);
      return answer.kind === 'fault' ? { kind: 'fault', fault: withExpired(answer.fault) } : answer;
    },
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
    httpApi: boundedHttp(client),
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

/** Sends requests for objects of any kind. The generated classes of the package know only built-in kinds, and change values. */
function sender(
  client: Client,
  { config, server }: Access,
  stop: AbortSignal,
): (request: ApiRequest) => Promise<ApiAnswer> {
  const baseServer = new client.ServerConfiguration(server, {});
  const httpApi = boundedHttp(client);
  return async ({ path, query = {}, apply, merge, remove }) => {
    const isRead = [apply, merge, remove].every((each) => each === undefined);
    const { GET, PATCH, DELETE } = client.HttpMethod;
    const method = isRead ? GET : remove === undefined ? PATCH : DELETE;
    const timeoutMs = isRead ? requestTimeoutMs : applyTimeoutMs;
    const limit = timeLimit(stop, timeoutMs);
    try {
      const request = baseServer.makeRequestContext(path, method);
      for (const [name, value] of Object.entries(query)) request.setQueryParam(name, value);
      request.setHeaderParam('Accept', 'application/json');
      if (apply !== undefined) {
        request.setHeaderParam('Content-Type', 'application/apply-patch+yaml');
        request.setBody(apply);
      } else if (merge !== undefined) {
        request.setHeaderParam('Content-Type', 'application/merge-patch+json');
        request.setBody(JSON.stringify(merge));
      } else if (remove !== undefined) {
        request.setHeaderParam('Content-Type', 'application/json');
        request.setBody(JSON.stringify(remove));
      }
      await config.applySecurityAuthentication(request);
      request.setSignal(limit.signal);
      const response = await httpApi.send(request).toPromise();
      return answerOf(response.httpStatusCode, await response.body.text());
    } catch (error) {
      return { kind: 'fault', fault: faultOfError(error, timeoutMs) };
    } finally {
      limit.release();
    }
  };
}

/** Only an object counts as a successful response. */
function answerOf(status: number, text: string): ApiAnswer {
  if (status === 401 || status === 429) return { kind: 'fault', fault: faultOfStatus(status) };
  const body = parseJson(text);
  if (status < 300 && !isRecord(body)) return { kind: 'fault', fault: faultOfCode(undefined) };
  return { kind: 'answer', status, body };
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
    postInstallConfigMap: () =>
      ask(() => core.readNamespacedConfigMap({ namespace: 'kube-system', name: 'sno-post-install' })),
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

function faultOfError(error: unknown, timeoutMs: number): Fault {
  if (error instanceof Error && error.name === 'AbortError') return timedOutAfter(timeoutMs);
  return faultOfCode(systemErrorCode(error));
}

/** Whether a 404 reports a missing object. The answer for a kind that is not served contains no name. */
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
