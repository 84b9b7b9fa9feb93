/** Concurrency, wave size and failure limit. */
export interface WaveOptions {
  /** Number of items in progress at a time. */
  readonly jobs: number;
  /** Number of items in a wave. The next wave starts after all items of the previous one have ended. Default: all items in one wave. */
  readonly wave?: number;
  /** Returns how many failures of a wave of this size stop the run. */
  readonly failureLimit?: (waveSize: number) => number;
}

export interface WaveResults<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  /** Items that were not started. */
  readonly left: readonly T[];
  /** Number of failures, if they reached the limit; absent otherwise. */
  readonly stoppedAt?: number;
}

/**
 * Runs `work` on all items, wave by wave. Items in progress always run to their end. No item is started after `signal` is aborted or `work`
 * has thrown; the error is rethrown once all items in progress have ended.
 */
export async function runInWaves<T, R>(
  items: readonly T[],
  { jobs, wave = items.length, failureLimit }: WaveOptions,
  {
    work,
    isFailed,
    signal,
  }: {
    readonly work: (item: T) => Promise<R>;
    readonly isFailed: (result: R) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<WaveResults<T, R>> {
  const done: { item: T; result: R }[] = [];
  let begun = 0;
  let isBroken = false;
  while (begun < items.length) {
    const end = Math.min(begun + wave, items.length);
    const limit = failureLimit?.(end - begun) ?? Infinity;
    let failed = 0;
    const worker = async (): Promise<void> => {
      while (begun < end && failed < limit && !isBroken && !signal.aborted) {
        const item = items[begun];
        begun += 1;
        if (item === undefined) return;
        const result = await work(item).catch((error: unknown) => {
          isBroken = true;
          throw error;
        });
        if (isFailed(result)) failed += 1;
        done.push({ item, result });
      }
    };
    const workers = Array.from({ length: jobs }, worker);
    await Promise.allSettled(workers);
    await Promise.all(workers);
    if (failed >= limit) return { done, left: items.slice(begun), stoppedAt: failed };
    if (signal.aborted) break;
  }
  return { done, left: items.slice(begun) };
}

/** Parses `5%` or `10`, the number of failures of a wave that stops the run (at least 1); undefined for any other text. */
export function parseFailureLimit(text: string): ((waveSize: number) => number) | undefined {
  const [, digits, percent] = /^(\d{1,6})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === undefined || number === 0 || (percent === '%' && number > 100)) return undefined;
  return percent === '%' ? (size) => Math.max(1, Math.ceil((size * number) / 100)) : () => number;
}
