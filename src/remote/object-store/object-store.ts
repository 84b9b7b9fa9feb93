import { lookup } from 'node:dns';
import { setTimeout as wait } from 'node:timers/promises';

import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { connectTo, trustWith, type ConnectionSettings } from '../http/connection.js';
import { keptConnections, type KeptConnections } from '../http/kept-connections.js';
import { retryDelayMs } from '../http/retry-after.js';
import { processCredentials, type RunProgram } from './credential-process.js';
import { errorCodeOf } from './error-code.js';
import { fixedCredentials, renewedCredentials, type CredentialProvider } from './renewed-credentials.js';
import type { StoreAddress } from './store-address.js';
import { profileKeys, type CredentialSource } from './store-credentials.js';
import { StoreFault } from './store-fault.js';
import {
  type StoreConnection,
  type StoreRequestContext,
  type StoreResponse,
  type StoreRequest,
  sendRequest,
  sendStoreRequest,
} from './store-request.js';
import { assumeRole, type PostForm } from './web-identity.js';

/** Contents of an object, or their beginning. */
export interface StoredObject {
  readonly bytes: Buffer;
  /** ETag: identifies this version of the object. */
  readonly tag: string;
}

/** Condition of a write: no object exists, or the existing one has this tag. */
export type Precondition = 'nothing' | { readonly tag: string };

/** Objects in an S3-compatible store, by their names below the prefix. Calls throw StoreFault on failure. */
export interface ObjectStore {
  /** Undefined if there is no object. `initialBufferBytes` limits the number of bytes read. */
  readonly read: (name: string, firstBytes?: number) => Promise<StoredObject | undefined>;
  /**
   * Writes an object atomically. Returns `taken` if the precondition fails. After a lost response the existing object may be
   * the one just written. For stores without conditional writes (501), writes unconditionally.
   */
  readonly write: (name: string, bytes: Uint8Array, before: Precondition) => Promise<'written' | 'taken'>;
  readonly close: () => void;
}

/** Address and credentials of a store. */
export interface StoreAccess {
  readonly address: StoreAddress;
  readonly credentials: CredentialSource;
  /** Runs the `credential_process` of a profile. */
  readonly run: RunProgram;
  /** HTTPS_PROXY and NO_PROXY. */
  readonly proxy?: ProxyUrls;
  /** CA certificates in PEM, trusted in addition to the public ones. */
  readonly authoritiesPem?: string;
  readonly patience: RetryPolicy;
  readonly requestTimeoutMs?: number;
  readonly now: () => Date;
}

/** Connects at the first request. */
export function openStore(access: StoreAccess): ObjectStore {
  const { address, patience, now } = access;
  const agent = storeAgent(address.bucketUrl, access);
  const stsAgent = storeAgent(address.stsUrl, access);
  const stop = patience.end;
  const timeout = access.requestTimeoutMs === undefined ? {} : { timeoutMs: access.requestTimeoutMs };
  const credentials = credentialProvider(access, { agent: stsAgent, stop });
  const context: StoreRequestContext = { agent, credentials, region: address.region, now, stop, ...timeout };
  const ask = (question: StoreRequest): Promise<StoreResponse> =>
    withRetries(() => sendStoreRequest(question, context).then(throwIfTemporary), patience);
  const urlOf = (name: string): string =>
    [address.bucketUrl, ...(address.prefix === '' ? [] : [address.prefix]), name].join('/');
  return {
    read: async (name, firstBytes) => {
      const headers = firstBytes === undefined ? {} : { range: `bytes=0-${firstBytes - 1}` };
      const answer = await ask({ method: 'GET', url: urlOf(name), headers });
      if (answer.status === 404 && errorCodeOf(answer) !== 'NoSuchBucket') return undefined;
      // A range of an empty object is never satisfiable. Source: RFC 9110 §15.5.17
      if (answer.status === 416) throw new StoreFault('damaged', `${name} is empty`);
      if (answer.status !== 200 && answer.status !== 206) throw refusal(answer);
      const { etag = '' } = answer.headers;
      // Without an ETag a concurrent change could be overwritten unnoticed.
      if (etag === '') throw new StoreFault('damaged', `the response for ${name} has no ETag`);
      return { bytes: answer.body, tag: etag };
    },
    write: async (name, bytes, before) => {
      const condition = before === 'nothing' ? { 'if-none-match': '*' } : { 'if-match': before.tag };
      const put = (headers: Readonly<Record<string, string>>): Promise<StoreResponse> =>
        ask({
          method: 'PUT',
          url: urlOf(name),
          body: bytes,
          headers: { ...headers, 'content-type': 'application/octet-stream' },
        });
      const first = await put(condition);
      const answer = first.status === 501 ? await put({}) : first;
      // With If-Match, a deleted object is reported as 404.
      if (answer.status === 412 || (answer.status === 404 && errorCodeOf(answer) === 'NoSuchKey'))
        return 'taken';
      if (answer.status !== 200) throw refusal(answer);
      return 'written';
    },
    close: () => {
      agent.destroy();
      stsAgent.destroy();
    },
  };
}

/** Time to connect, through the proxy if there is one. */
const connectMs = 30_000;

function storeAgent(address: string, { proxy = {}, authoritiesPem }: StoreAccess): KeptConnections {
  const url = new URL(address);
  const way: ConnectionSettings = {
    proxy,
    lookup,
    ...(authoritiesPem !== undefined && { trust: trustWith(authoritiesPem) }),
  };
  return keptConnections(url, { open: (signal) => connectTo(url, way, signal), connectMs });
}

function credentialProvider(
  { address, credentials, run, now }: StoreAccess,
  connection: StoreConnection,
): CredentialProvider {
  switch (credentials.kind) {
    case 'keys':
      return fixedCredentials(credentials.keys);
    case 'profile':
      return renewedCredentials(() => profileKeys(credentials), now);
    case 'process':
      return renewedCredentials(() => processCredentials(credentials.command, run), now);
    case 'web-identity': {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const post: PostForm = (body) =>
        sendRequest({ method: 'POST', url: address.stsUrl, headers, body }, connection);
      return renewedCredentials(() => assumeRole(credentials, post), now);
    }
  }
}

/** 409 reports two concurrent writes. Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, API_PutObject.html */
const temporaryStatuses = new Set([408, 409, 429, 500, 502, 503, 504]);

function throwIfTemporary(answer: StoreResponse): StoreResponse {
  if (!temporaryStatuses.has(answer.status)) return answer;
  throw new StoreFault('unreachable', `HTTP ${answer.status}${shownCode(answer)}`, { mayPass: true });
}

function refusal(answer: StoreResponse): StoreFault {
  const code = errorCodeOf(answer);
  const words = code === undefined ? undefined : refusals[code];
  if (words !== undefined) return new StoreFault('refused', words);
  if (answer.status >= 300 && answer.status < 400)
    return new StoreFault('refused', 'the bucket is in another region or at another endpoint');
  return new StoreFault('refused', `HTTP ${answer.status}${shownCode(answer)}`);
}

const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  ExpiredToken: 'the session token has expired',
  AccessDenied: 'the credentials do not allow this in the bucket',
  RequestTimeTooSkewed: 'the clocks of the store and this machine differ too much',
};

function shownCode(answer: StoreResponse): string {
  const code = errorCodeOf(answer);
  return code === undefined ? '' : ` (${code})`;
}

/** Retry policy for temporary faults. */
export interface RetryPolicy {
  /** Total time to retry after the first fault of a request. */
  readonly patienceMs: number;
  /** Cancels pending requests and pauses. */
  readonly end: AbortSignal;
  /** Random number from 0 (included) to 1 for jitter. */
  readonly randomNumber: () => number;
  /** Monotonic clock. */
  readonly elapsedMs: () => number;
  /** Called before each pause. */
  readonly onWait?: (fault: StoreFault) => void;
}

const delays = { firstMs: 250, longestMs: 15_000 };

/** Retries with exponential backoff. Throws the last StoreFault when the retry time is used up. */
async function withRetries<T>(ask: () => Promise<T>, patience: RetryPolicy): Promise<T> {
  const { patienceMs, end, randomNumber, elapsedMs, onWait } = patience;
  let startMs: number | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreFault) || !error.mayPass || end.aborted) throw error;
      startMs ??= elapsedMs();
      const pauseMs = retryDelayMs(tries, delays) * (0.5 + randomNumber() / 2);
      if (elapsedMs() - startMs + pauseMs > patienceMs) throw error;
      onWait?.(error);
      // Canceled: report the last fault.
      if (await wait(pauseMs, false, { signal: end }).catch(() => true)) throw error;
    }
  }
}
