import { lookup } from 'node:dns';
import { setTimeout as timer } from 'node:timers/promises';

import { printable } from '../../core/printable.js';
import { problem, type Problem } from '../../core/problem.js';
import { redactSecrets } from '../../core/secrets.js';
import { sha256 } from '../../formats/sha256.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { trustWith } from '../http/connection.js';
import { retryAfterMs, retryDelayMs } from '../http/retry-after.js';
import type { RolloutEvent } from './rollout-event.js';
import { postJson, type Delivery, type WebhookConnection } from './webhook-request.js';

/** Sends events in their order, one at a time, while the rollout goes on. */
export interface EventSender {
  /** Queues an event. Returns at once and never throws. */
  send(event: RolloutEvent): void;
  /** Waits a limited time for the queued events. Returns one warning if events were lost: webhook/failed. */
  close(): Promise<readonly Problem[]>;
}

export interface WebhookLimits {
  /** Time for one request. */
  readonly requestMs: number;
  /** If more events wait, the oldest are dropped, so that the receiver learns the end of the rollout. */
  readonly queued: number;
  readonly attempts: number;
  /** Pause before the first retry; doubles for each further one. */
  readonly retryMs: number;
  /** Longest pause, also for Retry-After. */
  readonly longestRetryMs: number;
  /** Time for the remaining events after the end of the rollout. */
  readonly closeMs: number;
}

export interface WebhookOptions {
  /** Bearer token. */
  readonly token?: string;
  /** CA certificates in PEM, trusted in addition to the public ones. */
  readonly authoritiesPem?: string;
  readonly proxy?: ProxyUrls;
  readonly now: () => Date;
  readonly limits?: Partial<WebhookLimits>;
}

const defaultLimits: WebhookLimits = {
  requestMs: 10_000,
  queued: 1000,
  attempts: 5,
  retryMs: 1000,
  longestRetryMs: 60_000,
  closeMs: 30_000,
};

/** Causes and messages contain text of APIs and BMCs. */
const maxCharacters = 1000;

export function eventSender(url: URL, options: WebhookOptions): EventSender {
  const { queued, closeMs, requestMs, ...retries } = { ...defaultLimits, ...options.limits };
  const { token, authoritiesPem = '', proxy = {}, now } = options;
  const connection = {
    url,
    way: { proxy, lookup, trust: trustWith(authoritiesPem) },
    timeoutMs: requestMs,
    ...(token !== undefined && { token }),
  };
  const stopped = new AbortController();
  const queue: string[] = [];
  let [total, lost, lastFault]: [number, number, Fault | undefined] = [0, 0, undefined];
  let running: Promise<void> | undefined;
  const sendAll = async (): Promise<void> => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
      const sent = await delivered(body, { connection, retries, stop: stopped.signal, now });
      if (sent.ok) continue;
      lost += 1;
      lastFault = sent;
    }
    running = undefined;
  };
  return {
    send: (event) => {
      total += 1;
      queue.push(bodyOf(event, total));
      if (queue.length > queued) {
        queue.shift();
        lost += 1;
      }
      running ??= sendAll();
    },
    close: async () => {
      const late = setTimeout(() => {
        stopped.abort();
        lost += queue.splice(0).length;
      }, closeMs);
      await running;
      clearTimeout(late);
      return lost === 0 ? [] : [failedProblem(url, { total, lost, lastFault })];
    },
  };
}

type Fault = Extract<Delivery, { readonly ok: false }>;

interface Sending {
  readonly connection: WebhookConnection;
  readonly retries: Pick<WebhookLimits, 'attempts' | 'retryMs' | 'longestRetryMs'>;
  readonly stop: AbortSignal;
  readonly now: () => Date;
}

async function delivered(body: string, { connection, retries, stop, now }: Sending): Promise<Delivery> {
  const { attempts, retryMs, longestRetryMs } = retries;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await postJson(body, connection, stop);
    if (answer.ok || !answer.mayPass || attempt >= attempts || stop.aborted) return answer;
    const delayMs = retryDelayMs(attempt - 1, {
      requestedMs: retryAfterMs(answer.retryAfter, now()),
      firstMs: retryMs,
      longestMs: longestRetryMs,
    });
    const isStopped = await timer(delayMs, false, { signal: stop }).catch(() => true);
    if (isStopped) return answer;
  }
}

/** A repeated request has the same body and therefore the same `id`, so that receivers can drop it. */
function bodyOf({ cause, message, ...event }: RolloutEvent, count: number): string {
  const content = {
    version: 1,
    ...event,
    ...(cause !== undefined && { cause: plainText(cause) }),
    ...(message !== undefined && { message: plainText(message) }),
  };
  const id = sha256(JSON.stringify([count, content])).slice(0, 32);
  return JSON.stringify({ id, ...content });
}

function plainText(text: string): string {
  const plain = redactSecrets(printable(text));
  return plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}…` : plain;
}

/** Names only the host: the path of a webhook's URL may be a secret. */
function failedProblem(
  { host }: URL,
  {
    total,
    lost,
    lastFault,
  }: { readonly total: number; readonly lost: number; readonly lastFault: Fault | undefined },
): Problem {
  const reason = lastFault?.reason ?? 'it is too slow';
  const message = `${host} did not get ${lost} of ${total} events: ${reason}`;
  return problem('webhook/failed', message, { hint: lastFault?.hint });
}
