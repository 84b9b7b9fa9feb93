import { setTimeout as timer } from 'node:timers/promises';

import { retryAfterMs, retryDelayMs } from '../http/retry-after.js';
import { BmcFault } from './bmc-fault.js';

/** Timeouts and delays for a BMC. */
export interface Pacing {
  /** Timeout of one request. */
  readonly questionMs: number;
  /** Cancels everything: stopped by the user, or the time for the site is over. */
  readonly signal: AbortSignal;
  readonly present: () => Date;
  /** Time for a BMC to show an inserted or ejected medium. */
  readonly mediumMs: number;
  /** Polling interval. */
  readonly lookMs: number;
  /** Delay before the first retry; doubles for each further one. */
  readonly retryMs: number;
}

/** Attempts per request for temporary errors. */
export const maxAttempts = 5;

/** Longest delay, also for Retry-After: enough for a BMC's firmware to restart. */
const maxDelayMs = 5 * 60_000;

/** Throws BmcFault when canceled. */
export async function pause(ms: number, { signal }: Pick<Pacing, 'signal'>): Promise<void> {
  try {
    await timer(ms, undefined, { signal });
  } catch {
    throw cancelFault(signal);
  }
}

/** The fault for an aborted signal. */
export function cancelFault(signal: AbortSignal): BmcFault {
  const isLate = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return isLate ? new BmcFault('stuck', 'timed out') : new BmcFault('stopped', 'interrupted');
}

/** Throws BmcFault when canceled. Source: RFC 9110 §10.2.3; DSP0266, "HTTP status codes", 503 */
export function pauseBeforeRetry(
  attempt: number,
  retryAfter: string | undefined,
  pacing: Pacing,
): Promise<void> {
  const requestedMs = retryAfterMs(retryAfter, pacing.present());
  return pause(
    retryDelayMs(attempt, { requestedMs, firstMs: pacing.retryMs, longestMs: maxDelayMs }),
    pacing,
  );
}

/** Polls until the function returns a value; undefined after the time limit. Temporary faults count as no value. */
export async function pollUntil<T>(
  look: () => Promise<T | undefined>,
  { limitMs, pacing }: { readonly limitMs: number; readonly pacing: Pacing },
): Promise<T | undefined> {
  const end = pacing.present().getTime() + limitMs;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== undefined) return seen;
    } catch (error) {
      if (!(error instanceof BmcFault) || !error.mayPass) throw error;
    }
    if (pacing.present().getTime() >= end) return undefined;
    await pause(pacing.lookMs, pacing);
  }
}
