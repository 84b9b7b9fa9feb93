import { setTimeout as timer } from 'node:timers/promises';

import { BmcFault } from './bmc-fault.js';

/** How long a BMC is given, and how time passes. */
export interface Pacing {
  /** For one question and its answer. */
  readonly questionMs: number;
  /** Ends everything: the user, or the time for the site. */
  readonly signal: AbortSignal;
  readonly present: () => Date;
  /** Between two looks at something that changes by itself. */
  readonly lookMs: number;
  /** Before the first repetition; twice as long before each further one. */
  readonly retryMs: number;
}

/** How often a question is put whose answer may be another one soon. */
export const tries = 5;

/** The longest wait that a BMC may ask for: as long as firmware takes to start again. */
const longestWaitMs = 5 * 60_000;

/** Waits. Throws BmcFault when everything ends meanwhile. */
export async function pause(ms: number, { signal }: Pick<Pacing, 'signal'>): Promise<void> {
  try {
    await timer(ms, undefined, { signal });
  } catch {
    throw stopped(signal);
  }
}

/** What stands for an ended signal. */
export function stopped(signal: AbortSignal): BmcFault {
  const isLate = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return isLate
    ? new BmcFault('stuck', 'the time for this site is over')
    : new BmcFault('stopped', 'it was stopped');
}

/** How long to wait before a question is put again. Source: RFC 9110 §10.2.3; DSP0266, "HTTP status codes", 503 */
export function waitBefore(attempt: number, retryAfter: string | undefined, pacing: Pacing): number {
  const asked = retryAfterMs(retryAfter, pacing.present());
  return Math.min(asked ?? pacing.retryMs * 2 ** attempt, longestWaitMs);
}

function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/**
 * Looks until something is so; undefined when the time for it is over. Faults that may pass count as not yet.
 */
export async function until<T>(
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
