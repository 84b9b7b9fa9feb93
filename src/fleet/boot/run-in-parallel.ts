export interface ParallelResults<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  /** Items that were not started. */
  readonly left: readonly T[];
}

/**
 * Runs `work` on all items, `jobs` at a time. Items in progress always run to their end. No item is started after `signal` is aborted or
 * `work` has thrown; the error is rethrown once all items in progress have ended.
 */
export async function runInParallel<T, R>(
  items: readonly T[],
  jobs: number,
  { work, signal }: { readonly work: (item: T) => Promise<R>; readonly signal: AbortSignal },
): Promise<ParallelResults<T, R>> {
  const done: { item: T; result: R }[] = [];
  let started = 0;
  let isBroken = false;
  const worker = async (): Promise<void> => {
    while (started < items.length && !isBroken && !signal.aborted) {
      const item = items[started];
      started += 1;
      if (item === undefined) return;
      const result = await work(item).catch((error: unknown) => {
        isBroken = true;
        throw error;
      });
      done.push({ item, result });
    }
  };
  const workers = Array.from({ length: jobs }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return { done, left: items.slice(started) };
}
