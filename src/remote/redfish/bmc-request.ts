import { timeLimit } from '../../core/time-limit.js';
import { parseJson } from '../../formats/json.js';
import type { KeptConnections } from '../http/kept-connections.js';
import { sendHttp, type HttpResponse } from '../http/request.js';
import { connectionFault } from './bmc-connection.js';
import { BmcFault } from './bmc-fault.js';
import { cancelFault, type Pacing } from './pacing.js';
import { hasLongList, objectOf, type JsonObject } from './resource.js';

/** A request to a BMC. */
export interface BmcRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Absolute path on the BMC. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** Timeout; overrides that of `Pacing`. */
  readonly questionMs?: number;
}

/** A complete response. */
export interface BmcResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** Empty if the body is not a JSON object. */
  readonly data: JsonObject;
  /** Length of the body. */
  readonly bytes: number;
}

/** Sends a request, with retries after temporary errors. Throws BmcFault if there is no response. */
export type SendBmcRequest = (question: BmcRequest) => Promise<BmcResponse>;

/** A collection with hundreds of members has a few hundred kilobytes. */
const maxBytes = 4 * 1024 * 1024;

/** Sends a request once. Throws BmcFault if there is no valid response. */
export async function sendBmcRequest(
  origin: string,
  question: BmcRequest,
  { agent, pacing }: { readonly agent: KeptConnections; readonly pacing: Pacing },
): Promise<BmcResponse> {
  const { signal, release } = timeLimit(pacing.signal, question.questionMs ?? pacing.questionMs);
  try {
    return await answered(urlBelow(origin, question.path), question, { agent, signal });
  } catch (error) {
    if (pacing.signal.aborted) throw cancelFault(pacing.signal);
    if (signal.aborted) throw new BmcFault('unreachable', 'timed out', { isLate: true });
    throw connectionFault(error);
  } finally {
    release();
  }
}

/** Resolves a link of a resource. It must lead to the same BMC, so that credentials are not sent elsewhere. Throws BmcFault. */
export function urlBelow(origin: string, link: string, from = '/'): URL {
  const base = new URL(from, origin).href;
  const url = URL.canParse(link, base) ? new URL(link, base) : undefined;
  if (url?.origin !== origin) throw new BmcFault('refused', 'redirected to another server');
  return url;
}

async function answered(
  url: URL,
  { method, headers, body }: BmcRequest,
  connection: { readonly agent: KeptConnections; readonly signal: AbortSignal },
): Promise<BmcResponse> {
  const request = {
    method,
    url,
    headers: {
      accept: 'application/json',
      // Source: DSP0266, "Request headers"
      'odata-version': '4.0',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  };
  const {
    status,
    headers: answer,
    body: bytes,
  } = await sendHttp(request, { ...connection, maxBytes, tooLarge });
  // Success begins with 200: a BMC that switches protocols has not done the request.
  if (status < 200) throw new BmcFault('refused', `HTTP ${status}`, { status });
  const data = objectOf(parseJson(bytes.toString('utf8')));
  if (hasLongList(data)) throw new BmcFault('refused', 'the response contains a list with too many entries');
  return { status, headers: answer, data, bytes: bytes.length };
}

function tooLarge(): BmcFault {
  return new BmcFault('refused', 'the response is too large');
}
