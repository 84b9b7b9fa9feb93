import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { redactSecrets } from '../../core/secrets.js';
import { timeLimit } from '../../core/time-limit.js';
import { systemErrorCode } from '../../disk/system-error.js';
import { parseJson } from '../../formats/json.js';
import { textAt } from '../../kube/fields.js';
import { boundedHttp } from './bounded-http.js';
import { accessOf, type Connection } from './kubeconfig-access.js';
import { requestTimeoutMs } from './request-fault.js';

export interface ObjectToCreate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/**
 * Creates objects one after the other, in their namespace or that of the kubeconfig's context. Skips an existing object of an
 * immutable kind. Problems: those of kubeconfigs, job/there, job/refused.
 */
export async function createObjects(
  connection: Connection,
  objects: readonly ObjectToCreate[],
): Promise<Result<void>> {
  const client = await import('./client-package.js');
  const access = accessOf(client, connection);
  if (!access.ok) return access;
  const { config } = access.value;
  const options = client.createConfiguration({
    baseServer: new client.ServerConfiguration(access.value.server, {}),
    httpApi: boundedHttp(client),
    authMethods: { default: config },
    promiseMiddleware: [
      {
        pre: (request) => {
          request.setSignal(timeLimit(connection.stop, requestTimeoutMs).signal);
          return Promise.resolve(request);
        },
        post: (response) => Promise.resolve(response),
      },
    ],
  });
  const [core, batch] = [new client.CoreV1Api(options), new client.BatchV1Api(options)];
  const usual = access.value.namespace ?? 'default';
  for (const body of objects) {
    const { name, namespace = usual } = body.metadata;
    try {
      if (body.kind === 'Job')
        await batch.createNamespacedJob({ namespace, body: Object.assign(new client.V1Job(), body) });
      else
        await core.createNamespacedConfigMap({
          namespace,
          body: Object.assign(new client.V1ConfigMap(), body),
        });
    } catch (error) {
      const status = error instanceof client.ApiException ? error.code : undefined;
      if (status === 409 && body.kind === 'ConfigMap') continue;
      if (status === 409) return isThere(name);
      return refused(body.kind, name, reasonOf(error instanceof client.ApiException ? error.body : error));
    }
  }
  return success(undefined);
}

function isThere(name: string): Result<never> {
  const hint = `kubectl delete job ${name}, or use another --name; sites that are already in the store are skipped`;
  return failure(problem('job/there', `Job ${name} already exists`, { hint }));
}

function refused(kind: string, name: string, reason: string): Result<never> {
  const hint =
    'run `fleet job` without --apply and pass its output to `kubectl apply -f -` as a user with permission to create it';
  return failure(problem('job/refused', `cannot create ${kind} ${name}: ${reason}`, { hint }));
}

/** The message of the API's Status, or the connection error. */
function reasonOf(error: unknown): string {
  const said = textAt(typeof error === 'string' ? parseJson(error) : error, ['message']);
  if (said !== undefined && !(error instanceof Error)) return redactSecrets(said.slice(0, 500));
  return systemErrorCode(error) ?? 'the API does not answer';
}
