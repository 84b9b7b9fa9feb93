/** How many at a time, and when it is enough. */
export interface Waves {
  /** How many are worked on side by side. */
  readonly jobs: number;
  /** How many make a wave: the next one begins when all of these have ended. All at once when absent. */
  readonly wave?: number;
  /** Ends it once so many of a wave have failed, given its size. */
  readonly failureLimit?: (waveSize: number) => number;
}

/** What came of some work. */
export interface WavesEnd<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  /** What was not begun. */
  readonly left: readonly T[];
  /** How many had failed when that was enough; absent otherwise. */
  readonly stoppedAt?: number;
}

/**
 * Works on all of it, in waves; what was begun is always ended. Nothing more is begun once `signal` is aborted, or some work has thrown: that
 * is thrown when all the others have ended.
 */
export async function inWaves<T, R>(
  items: readonly T[],
  { jobs, wave = items.length, failureLimit }: Waves,
  {
    work,
    isFailed,
    signal,
  }: {
    readonly work: (item: T) => Promise<R>;
    readonly isFailed: (result: R) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<WavesEnd<T, R>> {
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

/** `5%` or `10`: how many failures of a wave are enough, one at least; undefined for anything else. */
export function parseFailureLimit(text: string): ((waveSize: number) => number) | undefined {
  const [, digits, percent] = /^(\d{1,6})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits === undefined || number === 0 || (percent === '%' && number > 100)) return undefined;
  return percent === '%' ? (size) => Math.max(1, Math.ceil((size * number) / 100)) : () => number;
}
