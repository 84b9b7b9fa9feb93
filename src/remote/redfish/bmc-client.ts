import type { KeptConnections } from '../http/kept-connections.js';
import { responseFault, isRejectedUnprocessed } from './response-fault.js';
import { BmcFault } from './bmc-fault.js';
import { bmcAgent, type BmcTrust } from './bmc-connection.js';
import {
  sendBmcRequest,
  urlBelow,
  type BmcResponse,
  type SendBmcRequest,
  type BmcRequest,
} from './bmc-request.js';
import { authenticate, type BmcUser, type BmcAuthentication } from './authenticate.js';
import { maxAttempts, pauseBeforeRetry, type Pacing } from './pacing.js';
import { textAt, type JsonObject, type Resource } from './resource.js';
import { followTask } from './task.js';

/** Authenticated connection to a BMC. All methods throw BmcFault. */
export interface BmcClient {
  readonly get: (path: string) => Promise<Resource>;
  /** Invokes an action and waits until it is done. */
  readonly post: (path: string, body: JsonObject) => Promise<void>;
  /** Changes a resource if it has not changed since it was read, and waits until the change is done. */
  readonly patch: (resource: Resource, body: JsonObject) => Promise<void>;
  /** Ends the session, if there is one, and closes the connections. */
  readonly leave: () => Promise<void>;
  readonly pacing: Pacing;
}

/** Address, account and settings of a BMC connection. */
export interface BmcClientOptions {
  /** `https://host:port`. */
  readonly origin: string;
  readonly user: BmcUser;
  readonly trust: BmcTrust;
  readonly pacing: Pacing;
  /** Secrets that a response may repeat. */
  readonly hidden: readonly string[];
}

/** Timeout for ending the session, which otherwise expires after a while. */
const logoutTimeoutMs = 5000;

/** Timeout factor for actions: a BMC may fetch the beginning of an image before it answers. */
const actionTimeoutFactor = 4;

/** Opens a session on a BMC, or uses Basic authentication if it has no sessions. Throws BmcFault. */
export async function openBmc(visit: BmcClientOptions): Promise<BmcClient> {
  const { origin, trust, pacing } = visit;
  const agent = bmcAgent(new URL(origin), trust, pacing.questionMs);
  const hidden = [...visit.hidden, visit.user.password.reveal(), visit.user.name];
  const send = sendWithRetries(visit, { agent, hidden });
  // End the session even after the user has canceled everything else.
  const parting: SendBmcRequest = (question) =>
    sendBmcRequest(origin, question, {
      agent,
      pacing: { ...pacing, signal: AbortSignal.timeout(logoutTimeoutMs) },
    });
  try {
    return clientOf(visit, {
      agent,
      hidden,
      send,
      entry: await authenticate(visit.user, { send, parting, hidden }),
    });
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

function sendWithRetries(
  { origin, pacing }: BmcClientOptions,
  { agent, hidden }: { readonly agent: KeptConnections; readonly hidden: readonly string[] },
): SendBmcRequest {
  return async (question) => {
    for (let attempt = 0; ; attempt += 1) {
      let retryAfter: string | undefined;
      try {
        const answer = await sendBmcRequest(origin, question, { agent, pacing });
        const fault = answer.status < 400 ? undefined : responseFault(answer, hidden);
        if (fault?.mayPass !== true || attempt + 1 >= maxAttempts) return answer;
        if (question.method !== 'GET' && !isRejectedUnprocessed(fault)) return answer;
        retryAfter = answer.headers['retry-after'];
      } catch (error) {
        const isOver =
          !(error instanceof BmcFault) || !error.mayPass || attempt + 1 >= (error.isLate ? 2 : maxAttempts);
        // The write may have been done before the connection failed, so the caller must check before repeating it.
        if (isOver || question.method !== 'GET') throw error;
      }
      await pauseBeforeRetry(attempt, retryAfter, pacing);
    }
  };
}

interface Means {
  readonly agent: KeptConnections;
  readonly hidden: readonly string[];
  readonly send: SendBmcRequest;
  readonly entry: BmcAuthentication;
}

function clientOf({ origin, pacing }: BmcClientOptions, { agent, hidden, send, entry }: Means): BmcClient {
  /** Renews an expired session once. */
  const entered = async (question: BmcRequest): Promise<BmcResponse> => {
    const first = await send({ ...question, headers: { ...question.headers, ...entry.headers() } });
    if (first.status !== 401 || !(await entry.renew())) return checked(first);
    return checked(await send({ ...question, headers: { ...question.headers, ...entry.headers() } }));
  };
  const checked = (answer: BmcResponse): BmcResponse => {
    if (answer.status >= 400) throw responseFault(answer, hidden);
    return answer;
  };
  const get = async (path: string): Promise<Resource> => {
    const { data, headers, bytes } = await followRedirects(entered, origin, path);
    // Some BMCs send an empty ETag, and reject it in If-Match. Source: openstack/sushy, ignore-empty-string-etags
    const etag = [headers.etag, textAt(data, '@odata.etag')].find((each) => (each ?? '') !== '');
    return { path, data, bytes, ...(etag !== undefined && { etag }) };
  };
  const finished = (answer: BmcResponse): Promise<void> =>
    followTask(answer, { ask: (path) => entered({ method: 'GET', path }), pacing, hidden });
  const questionMs = pacing.questionMs * actionTimeoutFactor;
  return {
    get,
    post: async (path, body) => finished(written(await entered({ method: 'POST', path, body, questionMs }))),
    patch: async (resource, body) =>
      finished(written(await patchIfUnchanged(resource, body, { get, entered, questionMs }))),
    leave: async () => {
      await entry.leave();
      agent.destroy();
    },
    pacing,
  };
}

/** A redirected write was not done. It is not repeated elsewhere, since its body may contain secrets. */
function written(answer: BmcResponse): BmcResponse {
  if (answer.status >= 300)
    throw new BmcFault('refused', `the request was redirected (HTTP ${answer.status})`, {
      status: answer.status,
    });
  return answer;
}

/** Follows redirects within the BMC. Source: DSP0266, "HTTP status codes" */
async function followRedirects(
  entered: SendBmcRequest,
  origin: string,
  path: string,
  left = 3,
): Promise<BmcResponse> {
  const answer = await entered({ method: 'GET', path });
  const { location } = answer.headers;
  if (answer.status < 300 || location === undefined) return answer;
  if (left === 0) throw new BmcFault('refused', 'too many redirects');
  const { pathname, search } = urlBelow(origin, location, path);
  return followRedirects(entered, origin, `${pathname}${search}`, left - 1);
}

/**
 * Sends a PATCH with If-Match. After a mismatch, reads the resource again and retries with its new ETag. Some BMCs reject a weak ETag,
 * so it is then sent as a strong one; some reject each of their ETags, so it is then left out. Source: DSP0266, "ETags"; RFC 9110 §13.1.1;
 * openstack/sushy, connector.py, _etag_handler
 */
async function patchIfUnchanged(
  resource: Resource,
  body: JsonObject,
  {
    get,
    entered,
    questionMs,
  }: {
    readonly get: (path: string) => Promise<Resource>;
    readonly entered: SendBmcRequest;
    readonly questionMs: number;
  },
): Promise<BmcResponse> {
  const change = (etag: string | undefined): Promise<BmcResponse> =>
    entered({
      method: 'PATCH',
      path: resource.path,
      body,
      questionMs,
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    });
  try {
    return await change(resource.etag);
  } catch (error) {
    if (!isPrecondition(error)) throw error;
  }
  const { etag } = await get(resource.path);
  const strong = etag?.startsWith('W/') === true ? [etag.slice(2)] : [];
  const tags = etag === undefined ? [undefined] : [etag, ...strong, undefined];
  for (const [index, tag] of tags.entries()) {
    try {
      return await change(tag);
    } catch (error) {
      if (!isPrecondition(error) || index + 1 === tags.length) throw error;
    }
  }
  throw new Error('internal error: no ETag was tried');
}

/** Source: RFC 9110 §15.5.13; RFC 6585 §3 */
function isPrecondition(error: unknown): boolean {
  return error instanceof BmcFault && (error.status === 412 || error.status === 428);
}
