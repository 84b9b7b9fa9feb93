/** Returns whether a client may send another request, and counts the request. */
export type RateLimit = (client: string, nowMs: number) => boolean;

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

/** Above this number of clients, idle clients are dropped. */
const maxTrackedClients = 10_000;

/**
 * A token bucket per client: `perSecond` requests on average, with a burst of two seconds' worth after a pause. The size and
 * duration of responses do not count.
 */
export function rateLimit(perSecond: number): RateLimit {
  const burst = perSecond * 2;
  let buckets = new Map<string, Bucket>();
  const leftAt = ({ left, atMs }: Bucket, nowMs: number): number =>
    Math.min(burst, left + ((nowMs - atMs) / 1000) * perSecond);
  return (client, nowMs) => {
    if (buckets.size > maxTrackedClients) {
      buckets = new Map([...buckets].filter(([, bucket]) => leftAt(bucket, nowMs) < burst));
      // If most clients are active, drop all. Scanning the map at every request would be a denial of service in itself.
      if (buckets.size > maxTrackedClients / 2) buckets = new Map();
    }
    const left = leftAt(buckets.get(client) ?? { left: burst, atMs: nowMs }, nowMs);
    const isGranted = left >= 1;
    buckets.set(client, { left: isGranted ? left - 1 : left, atMs: nowMs });
    return isGranted;
  };
}
