import { dirname, resolve } from 'node:path';

import type * as ClientNode from '@kubernetes/client-node';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { mayBeSecret } from '../core/secrets.js';
import { rfc3339 } from '../core/rfc3339.js';
import { reasonOf, systemErrorCode } from '../disk/file-system-problem.js';
import { readRegularFile } from '../disk/regular-file.js';
import { isRecord, textAt } from '../kube/fields.js';
import { clientCertificateEnd } from './credentials.js';
import { faultOfCode, faultOfStatus, questionTimeoutMs, timedOut, type Fault } from './fault.js';
import type { ClusterReader, Reading } from './reader.js';

type Client = typeof ClientNode;

export interface Connection {
  /** The kubeconfig as the user names it; files that it names stand beside it. */
  readonly path: string;
  readonly text: string;
  /** Whether what the kubeconfig asks for is done whatever it is: programs are run, and any server is believed. */
  readonly isTrusted?: boolean;
  readonly present: () => Date;
  /** Ends a question that is under way. */
  readonly stop: AbortSignal;
}

/**
 * A reader of the cluster that a kubeconfig describes; nothing is asked yet. The package is loaded here, so that only who
 * talks to a cluster pays for its third of a second. Problems: cluster/kubeconfig.
 */
export async function connect(connection: Connection): Promise<Result<ClusterReader>> {
  const client = await import('@kubernetes/client-node');
  const access = accessOf(client, connection);
  if (!access.ok) return access;
  const { server, certificateEnd } = access.value;
  const { core, custom } = apisOf(client, access.value, connection.stop);
  const ask: Ask = async (question) => {
    try {
      return readingOf(await question());
    } catch (error) {
      if (!(error instanceof client.ApiException)) return { kind: 'fault', fault: faultOfError(error) };
      if (error.code === 404) return { kind: 'absent', isKindServed: namesAnObject(error.body) };
      return {
        kind: 'fault',
        fault: withDates(faultOfStatus(error.code), certificateEnd, connection.present()),
      };
    }
  };
  return success({
    server: shownServer(server),
    kubeconfig: connection.path,
    ...questions(core, custom, ask),
  });
}

/** An address without its user, and without a path that may hold more than one. */
function shownServer(server: string): string {
  return mayBeSecret(server) ? new URL(server).origin : server;
}

interface Access {
  readonly config: ClientNode.KubeConfig;
  readonly server: string;
  readonly certificateEnd: Date | undefined;
}

function accessOf(client: Client, { path, text, isTrusted = false }: Connection): Result<Access> {
  const config = new client.KubeConfig();
  try {
    config.loadFromString(text);
    config.makePathsAbsolute(resolve(dirname(path)));
  } catch {
    // What the parser says may quote a key.
    return refused(`${path} is no kubeconfig`);
  }
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  if (cluster === null || user === null)
    return refused(`the current context of ${path} does not name a cluster and a user of it`);
  const danger = isTrusted ? undefined : dangerIn(cluster, user);
  if (danger !== undefined) return notTrusted(path, danger);
  const { server } = cluster;
  if (!URL.canParse(server) || !server.startsWith('https:'))
    return refused(`the server of ${path} is not an address that begins with https://`);
  const unreadable = [cluster.caFile, user.certFile, user.keyFile].map(whyNotRead).find(Boolean);
  if (unreadable !== undefined) return refused(`a file that ${path} names cannot be read: ${unreadable}`);
  try {
    const end = clientCertificateEnd(
      {
        authority: client.bufferFromFileOrString(cluster.caFile, cluster.caData) ?? undefined,
        certificate: client.bufferFromFileOrString(user.certFile, user.certData) ?? undefined,
        key: client.bufferFromFileOrString(user.keyFile, user.keyData) ?? undefined,
      },
      path,
    );
    return end.ok ? success({ config, server, certificateEnd: end.value }) : end;
  } catch (error) {
    return refused(`a file that ${path} names cannot be read: ${reasonOf(error)}`);
  }
}

/** The package reads these again for each question, and would wait for a FIFO for ever. */
function whyNotRead(file: string | undefined): string | undefined {
  const read = file === undefined || file === '' ? undefined : readRegularFile(file);
  if (read?.kind === 'absent') return 'it does not exist';
  return read?.kind === 'unreadable' ? read.reason : undefined;
}

/** What a kubeconfig asks for that a stranger's must not get. Ours holds certificates and nothing else. */
function dangerIn(cluster: ClientNode.Cluster, user: ClientNode.User): string | undefined {
  if (Boolean(user.exec)) return 'runs a program (`exec`)';
  if (Boolean(user.authProvider)) return 'uses an `auth-provider`, which may run a program';
  return cluster.skipTLSVerify ? 'believes any server (`insecure-skip-tls-verify`)' : undefined;
}

function notTrusted(path: string, danger: string): Result<never> {
  const hint = 'when you know where it comes from and want that, add --trust-kubeconfig';
  return failure(
    problem('cluster/kubeconfig', `${path} ${danger}, and sno-install did not write that`, { hint }),
  );
}

function refused(message: string): Result<never> {
  const hint = 'take the auth/kubeconfig that sno-install wrote, or another with --kubeconfig';
  return failure(problem('cluster/kubeconfig', message, { hint }));
}

interface Apis {
  readonly core: ClientNode.CoreV1Api;
  readonly custom: ClientNode.CustomObjectsApi;
}

/** Every question ends after its time, or when the wait is stopped. */
function apisOf(client: Client, { config, server }: Access, stop: AbortSignal): Apis {
  const options = client.createConfiguration({
    baseServer: new client.ServerConfiguration(server, {}),
    authMethods: { default: config },
    promiseMiddleware: [
      {
        pre: (request) => {
          request.setSignal(AbortSignal.any([stop, AbortSignal.timeout(questionTimeoutMs)]));
          return Promise.resolve(request);
        },
        post: (response) => Promise.resolve(response),
      },
    ],
  });
  return { core: new client.CoreV1Api(options), custom: new client.CustomObjectsApi(options) };
}

type Ask = (question: () => Promise<unknown>) => Promise<Reading>;

type Questions = Omit<ClusterReader, 'server' | 'kubeconfig'>;

/**
 * Source of the names: openshift/api config/v1 and machineconfiguration/v1; default-ingress-cert: openshift/cluster-ingress-operator
 * pkg/operator/controller/names.go
 */
function questions(core: Apis['core'], custom: Apis['custom'], ask: Ask): Questions {
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

/** Whether a 404 is about an object that is not there: about a kind that is not served the API says no name. */
function namesAnObject(body: unknown): boolean {
  try {
    const status: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return textAt(status, ['details', 'name']) !== undefined;
  } catch {
    return false;
  }
}

/** Who is not known because of a certificate that has ended is told so. */
function withDates(fault: Fault, end: Date | undefined, present: Date): Fault {
  if (fault.kind !== 'unauthorized' || end === undefined || end > present) return fault;
  return { kind: 'credentials-expired', detail: `ended at ${rfc3339(end)}` };
}
