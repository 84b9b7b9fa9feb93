/** Says whether a client may have another answer, and counts it. */
export type RateLimit = (client: string, nowMs: number) => boolean;

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

/** How many clients are remembered before those that have been quiet are forgotten. */
const manyClients = 10_000;

/**
 * Answers each client so often a second on average, and, after a pause, as many at once as two seconds give. What an answer holds, and how
 * long it takes, does not count.
 */
export function rateLimit(perSecond: number): RateLimit {
  const burst = perSecond * 2;
  let buckets = new Map<string, Bucket>();
  const leftAt = ({ left, atMs }: Bucket, nowMs: number): number =>
    Math.min(burst, left + ((nowMs - atMs) / 1000) * perSecond);
  return (client, nowMs) => {
    if (buckets.size > manyClients) {
      buckets = new Map([...buckets].filter(([, bucket]) => leftAt(bucket, nowMs) < burst));
      // So many that none is quiet: to look through them at each request would do their work.
      if (buckets.size > manyClients / 2) buckets = new Map();
    }
    const left = leftAt(buckets.get(client) ?? { left: burst, atMs: nowMs }, nowMs);
    const isGranted = left >= 1;
    buckets.set(client, { left: isGranted ? left - 1 : left, atMs: nowMs });
    return isGranted;
  };
}
