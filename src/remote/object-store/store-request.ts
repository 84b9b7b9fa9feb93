import {
  request as plainRequest,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as secureRequest } from 'node:https';

import { AwsV4Signer } from 'aws4fetch';

import { certificateFaults, connectionFaults } from '../../core/connection-faults.js';
import { timeLimit } from '../../core/time-limit.js';
import { wholeBody } from '../../core/read-body.js';
import { systemErrorCode } from '../../disk/system-error.js';
import { sha256 } from '../../formats/sha256.js';
import { ProxyError } from '../queries/web-errors.js';
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

/** A complete response. */
export interface StoreResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Connection for requests. */
export interface StoreConnection {
  readonly agent: Agent;
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
    return await answered(question, agent, signal);
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

function answered(
  { method, url, headers, body }: StoreRequest,
  agent: Agent,
  signal: AbortSignal,
): Promise<StoreResponse> {
  const start = url.startsWith('http:') ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const clientRequest = start(url, {
      method,
      agent,
      signal,
      headers: {
        ...headers,
        'user-agent': 'sno-install',
        ...(body && { 'content-length': String(body.length) }),
      },
    });
    clientRequest.on('error', reject);
    clientRequest.once('response', (response) => {
      readBody(response).then(resolve, reject);
    });
    clientRequest.end(body);
  });
}

async function readBody(response: IncomingMessage): Promise<StoreResponse> {
  const tooLarge = (): StoreFault => new StoreFault('damaged', `the object is larger than ${maxBytes} bytes`);
  const body = await wholeBody(response, { maxBytes, tooLarge });
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}

function connectionFault(given: unknown): StoreFault {
  if (given instanceof ProxyError && given.reason !== undefined)
    return new StoreFault('unreachable', `proxy: ${given.reason}`);
  const error = given instanceof ProxyError ? given.cause : given;
  const code = systemErrorCode(error) ?? '';
  const words = certificateFaults[code] ?? connectionFaults[code] ?? 'connection closed';
  const mayPass = certificateFaults[code] === undefined && !permanentErrors.has(code);
  return new StoreFault('unreachable', given instanceof ProxyError ? `proxy: ${words}` : words, { mayPass });
}

/** Permanent errors, such as a wrong host name or port: not retried. */
const permanentErrors = new Set([
  'ENOTFOUND',
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);
