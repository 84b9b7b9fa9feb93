import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';

import type { StoreAddress } from './store-address.js';
import type { StoreCredentials } from './store-credentials.js';
import { StoreFault } from './store-fault.js';
import {
  type StoreRequestContext,
  type StoreResponse,
  type StoreRequest,
  sendStoreRequest,
} from './store-request.js';

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
  readonly credentials: StoreCredentials;
  /** CA certificates in PEM, trusted in addition to the public ones. */
  readonly authoritiesPem?: string;
  readonly patience: RetryPolicy;
  readonly now: () => Date;
}

/** Connects at the first request. */
export function openStore(access: StoreAccess): ObjectStore {
  const { address, credentials, patience, now } = access;
  const agent = agentOf(access);
  const asked: StoreRequestContext = { agent, credentials, region: address.region, now, stop: patience.end };
  const ask = (question: StoreRequest): Promise<StoreResponse> =>
    withRetries(() => sendStoreRequest(question, asked).then(throwIfTemporary), patience);
  const urlOf = (name: string): string =>
    [address.bucketUrl, ...(address.prefix === '' ? [] : [address.prefix]), name].join('/');
  return {
    read: async (name, firstBytes) => {
      const headers = firstBytes === undefined ? {} : { range: `bytes=0-${firstBytes - 1}` };
      const answer = await ask({ method: 'GET', url: urlOf(name), headers });
      if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket') return undefined;
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
      if (answer.status === 412 || (answer.status === 404 && codeOf(answer) === 'NoSuchKey')) return 'taken';
      if (answer.status !== 200) throw refusal(answer);
      return 'written';
    },
    close: () => {
      agent.destroy();
    },
  };
}

function agentOf({ address, authoritiesPem }: StoreAccess): Agent {
  const kept = { keepAlive: true };
  if (address.bucketUrl.startsWith('http:')) return new Agent(kept);
  return new SecureAgent({
    ...kept,
    ...(authoritiesPem !== undefined && { ca: [...rootCertificates, authoritiesPem] }),
  });
}

/** 409 reports two concurrent writes. Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, API_PutObject.html */
const temporaryStatuses = new Set([408, 409, 429, 500, 502, 503, 504]);

function throwIfTemporary(answer: StoreResponse): StoreResponse {
  if (!temporaryStatuses.has(answer.status)) return answer;
  throw new StoreFault('unreachable', `HTTP ${answer.status}${shownCode(answer)}`, { mayPass: true });
}

function refusal(answer: StoreResponse): StoreFault {
  const code = codeOf(answer);
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
  const code = codeOf(answer);
  return code === undefined ? '' : ` (${code})`;
}

/** Error code of a response, letters only. No other text from the store is shown. */
function codeOf({ body }: StoreResponse): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.toString('utf8', 0, 4096))?.[1];
}

/** Retry policy for temporary faults. */
export interface RetryPolicy {
  /** Total time to retry after the first fault of a request. */
  readonly patienceMs: number;
  /** Cancels pending requests and pauses. */
  readonly end: AbortSignal;
  /** Random number from 0 (included) to 1 for jitter. */
  readonly chance: () => number;
  /** Monotonic clock. */
  readonly elapsedMs: () => number;
  /** Called before each pause. */
  readonly onWait?: (fault: StoreFault) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/** Retries with exponential backoff. Throws the last StoreFault when the retry time is used up. */
async function withRetries<T>(ask: () => Promise<T>, patience: RetryPolicy): Promise<T> {
  const { patienceMs, end, chance, elapsedMs, onWait } = patience;
  let begun: number | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreFault) || !error.mayPass || end.aborted) throw error;
      begun ??= elapsedMs();
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** tries) * (0.5 + chance() / 2);
      if (elapsedMs() - begun + pauseMs > patienceMs) throw error;
      onWait?.(error);
      // Canceled: report the last fault.
      if (await wait(pauseMs, false, { signal: end }).catch(() => true)) throw error;
    }
  }
}
