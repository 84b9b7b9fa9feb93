import { timeLimit } from '../../core/time-limit.js';
import type { ConnectionSettings } from '../http/connection.js';
import { connectionFailure } from '../http/faults.js';
import { sendHttpOnce, type HttpResponse } from '../http/request.js';

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
  readonly way: ConnectionSettings;
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
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  try {
    // The status counts, even if the body is too long or incomplete.
    return judge(await sendHttpOnce({ method: 'POST', url, headers, body }, { way, signal, maxBytes }));
  } catch (error) {
    return signal.aborted ? { ok: false, reason: 'timed out', mayPass: true } : failed(error);
  } finally {
    release();
  }
}

/** A longer body is not read. */
const maxBytes = 64 * 1024;

function judge({ status, headers }: HttpResponse): Delivery {
  if (status >= 200 && status < 300) return { ok: true };
  const hint = hintOf(status);
  const retryAfter = headers['retry-after'];
  return {
    ok: false,
    reason: `HTTP ${status}`,
    mayPass: status === 429 || status >= 500,
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
  const { code, words = 'the connection failed', isOfProxy, isCertificate } = connectionFailure(error);
  const reason = isOfProxy ? `proxy failure: ${words}` : words;
  const hint = untrustedIssuer.test(code) ? { hint: 'trust its CA with --webhook-ca' } : {};
  return { ok: false, reason, mayPass: !isCertificate, ...hint };
}

/** Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const untrustedIssuer = /ISSUER_CERT|VERIFY_LEAF|SELF_SIGNED/;
