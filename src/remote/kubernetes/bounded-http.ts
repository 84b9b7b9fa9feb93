import type * as ClientNode from '@kubernetes/client-node';

import { sendHttp } from '../http/request.js';
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
  const content: unknown = request.getBody();
  const { status, headers, body } = await sendHttp(
    {
      method: request.getHttpMethod(),
      url: new URL(request.getUrl()),
      headers: request.getHeaders(),
      ...(typeof content === 'string' && { body: content }),
    },
    { agent: request.getAgent(), maxBytes, tooLarge, ...(signal && { signal }) },
  );
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return new client.ResponseContext(status, Object.fromEntries(texts), {
    text: () => Promise.resolve(body.toString('utf8')),
    binary: () => Promise.resolve(body),
  });
}

function tooLarge(): Error {
  return Object.assign(new Error('the response is too large'), { code: tooLargeCode });
}

function abortError(): Error {
  return Object.assign(new Error('aborted'), { name: 'AbortError' });
}
