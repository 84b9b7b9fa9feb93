import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';

import type { StoreAddress } from './store-address.js';
import type { StoreCredentials } from './store-credentials.js';
import { StoreFault } from './store-fault.js';
import { type Asked, type StoreAnswer, type StoreQuestion, askStore } from './store-request.js';

/** An object, or its beginning. */
export interface StoredObject {
  readonly bytes: Buffer;
  /** Tells it from what lay, or comes to lie, under the same name. */
  readonly tag: string;
}

/** What has to be under a name before it is written: nothing, or what has a tag. */
export type Precondition = 'nothing' | { readonly tag: string };

/** Objects of an S3-compatible store, by their names below the prefix. Every call throws StoreFault where the store does not serve it. */
export interface ObjectStore {
  /** Undefined where there is none. `firstBytes` reads no more than that of it. */
  readonly read: (name: string, firstBytes?: number) => Promise<StoredObject | undefined>;
  /**
   * Puts an object in its place, all of it or nothing. `taken` where something else lies there than was to: after an answer that
   * was lost it may be this very object. A store that knows no conditions (501) is asked without.
   */
  readonly write: (name: string, bytes: Uint8Array, before: Precondition) => Promise<'written' | 'taken'>;
  readonly close: () => void;
}

/** How a store is reached. */
export interface StoreAccess {
  readonly address: StoreAddress;
  readonly credentials: StoreCredentials;
  /** Authorities in PEM that are believed beside the public ones. */
  readonly authoritiesPem?: string;
  readonly patience: Patience;
  readonly now: () => Date;
}

/** Connections to a store; none is opened yet. */
export function openStore(access: StoreAccess): ObjectStore {
  const { address, credentials, patience, now } = access;
  const agent = agentOf(access);
  const asked: Asked = { agent, credentials, region: address.region, now, stop: patience.end };
  const ask = (question: StoreQuestion): Promise<StoreAnswer> =>
    askPatiently(() => askStore(question, asked).then(orPassing), patience);
  const urlOf = (name: string): string =>
    [address.bucketUrl, ...(address.prefix === '' ? [] : [address.prefix]), name].join('/');
  return {
    read: async (name, firstBytes) => {
      const headers = firstBytes === undefined ? {} : { range: `bytes=0-${firstBytes - 1}` };
      const answer = await ask({ method: 'GET', url: urlOf(name), headers });
      if (answer.status === 404 && codeOf(answer) !== 'NoSuchBucket') return undefined;
      // Of an object without a byte there is no first one. Source: RFC 9110 §15.5.17
      if (answer.status === 416) throw new StoreFault('damaged', `${name} is empty`);
      if (answer.status !== 200 && answer.status !== 206) throw refusal(answer);
      const { etag = '' } = answer.headers;
      // What has no tag could be written over unseen.
      if (etag === '') throw new StoreFault('damaged', `it gives no ETag of ${name}`);
      return { bytes: answer.body, tag: etag };
    },
    write: async (name, bytes, before) => {
      const condition = before === 'nothing' ? { 'if-none-match': '*' } : { 'if-match': before.tag };
      const put = (headers: Readonly<Record<string, string>>): Promise<StoreAnswer> =>
        ask({
          method: 'PUT',
          url: urlOf(name),
          body: bytes,
          headers: { ...headers, 'content-type': 'application/octet-stream' },
        });
      const first = await put(condition);
      const answer = first.status === 501 ? await put({}) : first;
      // Where the object is gone that a tag was of, there is no key to match (404).
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

/** 409 is said of two writes at once. Source: docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, API_PutObject.html */
const passing = new Set([408, 409, 429, 500, 502, 503, 504]);

function orPassing(answer: StoreAnswer): StoreAnswer {
  if (!passing.has(answer.status)) return answer;
  throw new StoreFault('unreachable', `it answers ${answer.status}${shownCode(answer)}`, { mayPass: true });
}

function refusal(answer: StoreAnswer): StoreFault {
  const code = codeOf(answer);
  const words = code === undefined ? undefined : refusals[code];
  if (words !== undefined) return new StoreFault('refused', words);
  if (answer.status >= 300 && answer.status < 400)
    return new StoreFault('refused', 'the bucket is of another region or endpoint');
  return new StoreFault('refused', `it answers ${answer.status}${shownCode(answer)}`);
}

const refusals: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidAccessKeyId: 'it does not know the access key',
  SignatureDoesNotMatch: 'it does not believe the secret access key',
  ExpiredToken: 'the session token has ended',
  AccessDenied: 'the credentials may not do this in the bucket',
  RequestTimeTooSkewed: 'its clock and that of this machine differ by more than it allows',
};

function shownCode(answer: StoreAnswer): string {
  const code = codeOf(answer);
  return code === undefined ? '' : ` (${code})`;
}

/** The code of an error, letters alone: nothing else of the store's words is shown. */
function codeOf({ body }: StoreAnswer): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.toString('utf8', 0, 4096))?.[1];
}

/** How long a store that refuses is waited for. */
export interface Patience {
  /** From the first fault of a question on, in milliseconds. */
  readonly patienceMs: number;
  /** Ends a question that is under way, and every wait. */
  readonly end: AbortSignal;
  /** From 0 (included) to 1: pauses of many who ask are not the same. */
  readonly chance: () => number;
  /** A clock that only goes forward, in milliseconds. */
  readonly elapsedMs: () => number;
  /** Called before each pause. */
  readonly onWait?: (fault: StoreFault) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/** Asks until there is an answer, with pauses that double. Throws the last StoreFault when patience is at its end. */
async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
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
      // Cut short, the last fault is what is said.
      if (await wait(pauseMs, false, { signal: end }).catch(() => true)) throw error;
    }
  }
}
