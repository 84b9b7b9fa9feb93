/**
 * Delay before a retry: the requested one, or one that doubles with each attempt, from 0. Clients decide themselves what to retry and
 * how long.
 */
export function retryDelayMs(
  attempt: number,
  { requestedMs, firstMs, longestMs }: RetryDelays & { readonly requestedMs?: number | undefined },
): number {
  return Math.min(requestedMs ?? firstMs * 2 ** attempt, longestMs);
}

export interface RetryDelays {
  readonly firstMs: number;
  /** Also for the requested delay. */
  readonly longestMs: number;
}

/** Delay of a Retry-After header in milliseconds; undefined if it is absent or invalid. Source: RFC 9110 §10.2.3 */
export function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
