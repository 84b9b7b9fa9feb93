import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest, type RequestOptions } from 'node:https';

import { certificateFaults, connectionFaults } from '../../core/connection-faults.js';
import { wholeBody } from '../../core/read-body.js';
import { timeLimit } from '../../core/time-limit.js';
import { systemErrorCode } from '../../disk/system-error.js';
import { connectTo, type RegistryConnection } from '../queries/registry-connection.js';
import { ProxyError } from '../queries/web-errors.js';

/** Result of one request. The reason quotes nothing that the receiver sent. */
export type Delivery =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly hint?: string;
      /** Whether a retry may succeed. */
      readonly mayPass: boolean;
      readonly retryAfter?: string;
    };

export interface WebhookConnection {
  readonly url: URL;
  readonly way: RegistryConnection;
  /** Bearer token. */
  readonly token?: string;
  readonly timeoutMs: number;
}

/** Posts a JSON text once. Redirects are not followed, so that the token reaches no other server. Never throws. */
export async function postJson(
  body: string,
  { url, way, token, timeoutMs }: WebhookConnection,
  stop: AbortSignal,
): Promise<Delivery> {
  const { signal, release } = timeLimit(stop, timeoutMs);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'sno-install',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const options = { method: 'POST', headers, signal } as const;
  try {
    if (url.protocol === 'http:') return await answered(url, body, { ...options, agent: false });
    const socket = await connectTo(url, way, signal);
    try {
      return await answered(url, body, { ...options, createConnection: () => socket });
    } finally {
      socket.destroy();
    }
  } catch (error) {
    return signal.aborted ? { ok: false, reason: 'timed out', mayPass: true } : failed(error);
  } finally {
    release();
  }
}

function answered(
  url: URL,
  body: string,
  options: RequestOptions & { readonly signal: AbortSignal },
): Promise<Delivery> {
  const { signal } = options;
  const start = url.protocol === 'http:' ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const clientRequest = start(url, options);
    clientRequest.on('error', reject);
    signal.addEventListener('abort', reject, { once: true });
    // Otherwise a receiver that switches protocols ends the request without an event.
    clientRequest.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve(judge(response));
    });
    clientRequest.once('response', (response) => {
      // A server may stop its work when the client closes the connection before the end of the response.
      void discarded(response).then(() => {
        resolve(judge(response));
      });
    });
    clientRequest.end(body);
  });
}

/** A longer body is not read. */
const maxBytes = 64 * 1024;

/** The status counts, even if the body is too long or incomplete. */
async function discarded(response: IncomingMessage): Promise<void> {
  try {
    await wholeBody(response, { maxBytes, tooLarge: () => new Error('the response is too large') });
  } catch {
    response.destroy();
  }
}

function judge({ statusCode = 0, headers }: IncomingMessage): Delivery {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const hint = hintOf(statusCode);
  const retryAfter = headers['retry-after'];
  return {
    ok: false,
    reason: `HTTP ${statusCode}`,
    mayPass: statusCode === 429 || statusCode >= 500,
    ...(hint !== undefined && { hint }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function hintOf(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'name the final URL: redirects are not followed';
  if (status === 401 || status === 403) return 'check the token of --webhook-token-file';
  return undefined;
}

function failed(error: unknown): Delivery {
  const cause = error instanceof ProxyError ? error.cause : error;
  const code = systemErrorCode(cause) ?? '';
  const untrusted = certificateFaults[code];
  const words = untrusted ?? connectionFaults[code] ?? 'the connection failed';
  const reason = error instanceof ProxyError ? `proxy failure: ${error.reason ?? words}` : words;
  const hint = untrustedIssuer.test(code) ? { hint: 'trust its CA with --webhook-ca' } : {};
  return { ok: false, reason, mayPass: untrusted === undefined, ...hint };
}

/** Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const untrustedIssuer = /ISSUER_CERT|VERIFY_LEAF|SELF_SIGNED/;
