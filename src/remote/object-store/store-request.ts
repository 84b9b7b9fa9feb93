import { AwsV4Signer } from 'aws4fetch';

import { timeLimit } from '../../core/time-limit.js';
import { sha256 } from '../../formats/sha256.js';
import { connectionFailure } from '../http/faults.js';
import type { KeptConnections } from '../http/kept-connections.js';
import { sendHttp, type HttpResponse } from '../http/request.js';
import { errorCodeOf } from './error-code.js';
import type { CredentialProvider } from './renewed-credentials.js';
import type { StoreCredentials } from './store-credentials.js';
import { StoreFault } from './store-fault.js';

/** A request to a store. */
export interface StoreRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export type StoreResponse = HttpResponse;

/** Connection for requests. */
export interface StoreConnection {
  readonly agent: KeptConnections;
  readonly stop: AbortSignal;
  /** Timeout of one request; default 30 seconds. */
  readonly timeoutMs?: number;
}

/** Credentials and clock for signed requests. */
export interface StoreRequestContext extends StoreConnection {
  readonly credentials: CredentialProvider;
  readonly region: string;
  readonly now: () => Date;
}

/** A site has a few hundred kilobytes. */
const maxBytes = 64 * 1024 * 1024;

const requestTimeoutMs = 30_000;

/**
 * Sends one request, signed with Signature Version 4 including its body. If the store rejects the credentials as expired, they are read
 * again once. Throws StoreFault if there is no valid response.
 */
export async function sendStoreRequest(
  question: StoreRequest,
  context: StoreRequestContext,
): Promise<StoreResponse> {
  const used = await context.credentials.current();
  const answer = await sendRequest(await signed(question, used, context), context);
  if (used.sessionToken === undefined || !expiredCodes.has(errorCodeOf(answer) ?? '')) return answer;
  const next = await context.credentials.after(used);
  return next === undefined ? answer : sendRequest(await signed(question, next, context), context);
}

/** Codes for temporary credentials that ended. MinIO forgets their access key. Source: minio cmd/auth-handler.go */
const expiredCodes = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidToken',
  'InvalidTokenId',
  'InvalidAccessKeyId',
  'TokenRefreshRequired',
]);

/** Sends one request as it is. Throws StoreFault if there is no valid response. */
export async function sendRequest(
  question: StoreRequest,
  { agent, stop, timeoutMs = requestTimeoutMs }: StoreConnection,
): Promise<StoreResponse> {
  const { signal, release } = timeLimit(stop, timeoutMs);
  try {
    const url = new URL(question.url);
    return await sendHttp({ ...question, url }, { agent, signal, maxBytes, tooLarge });
  } catch (error) {
    if (error instanceof StoreFault) throw error;
    if (signal.aborted) throw new StoreFault('unreachable', 'timed out', { mayPass: true });
    throw connectionFault(error);
  } finally {
    release();
  }
}

async function signed(
  question: StoreRequest,
  { accessKeyId, secretAccessKey, sessionToken }: StoreCredentials,
  { region, now }: StoreRequestContext,
): Promise<StoreRequest> {
  const { method, url, headers = {}, body } = question;
  const signer = new AwsV4Signer({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    method,
    url,
    service: 's3',
    region,
    datetime: now()
      .toISOString()
      .replaceAll(/[:-]|\.\d{3}/g, ''),
    headers: { ...headers, 'x-amz-content-sha256': sha256(body ?? '') },
  });
  const { headers: all } = await signer.sign();
  return { ...question, headers: Object.fromEntries(all) };
}

function tooLarge(): StoreFault {
  return new StoreFault('damaged', `the object is larger than ${maxBytes} bytes`);
}

function connectionFault(error: unknown): StoreFault {
  const { words = 'connection closed', isOfProxy, isPermanent } = connectionFailure(error);
  return new StoreFault('unreachable', isOfProxy ? `proxy: ${words}` : words, { mayPass: !isPermanent });
}
