import type { IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';

import type * as ClientNode from '@kubernetes/client-node';

import { wholeBody } from '../../core/read-body.js';
import type { Client } from './kubeconfig-access.js';
import { tooLargeCode } from './request-fault.js';

/** etcd objects have at most 1.5 MiB; the longest list that we read, with all ClusterServiceVersions, has a few megabytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Transport for the package. Its own keeps a response of any size in memory, follows redirects with the token of the user, and
 * decompresses.
 */
export function boundedHttp(client: Client): ClientNode.HttpLibrary {
  return client.wrapHttpLibrary({
    send: async (request) => {
      const signal = request.getSignal();
      try {
        return await responseTo(client, request, signal);
      } catch (error) {
        // A response that is cut by the signal fails with ECONNRESET.
        throw signal?.aborted === true ? abortError() : error;
      }
    },
  });
}

async function responseTo(
  client: Client,
  request: ClientNode.RequestContext,
  signal: AbortSignal | undefined,
): Promise<ClientNode.ResponseContext> {
  const response = await sent(request, signal);
  const body = await wholeBody(response, { maxBytes, tooLarge });
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return new client.ResponseContext(response.statusCode ?? 0, Object.fromEntries(headers), {
    text: () => Promise.resolve(body.toString('utf8')),
    binary: () => Promise.resolve(body),
  });
}

function sent(request: ClientNode.RequestContext, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  const body: unknown = request.getBody();
  return new Promise((resolve, reject) => {
    const clientRequest = secureRequest(request.getUrl(), {
      method: request.getHttpMethod(),
      agent: request.getAgent(),
      headers: { ...request.getHeaders(), 'user-agent': 'sno-install' },
      ...(signal && { signal }),
    });
    clientRequest.on('error', reject);
    clientRequest.once('response', resolve);
    clientRequest.end(typeof body === 'string' ? body : undefined);
  });
}

function tooLarge(): Error {
  return Object.assign(new Error('the response is too large'), { code: tooLargeCode });
}

function abortError(): Error {
  return Object.assign(new Error('aborted'), { name: 'AbortError' });
}
