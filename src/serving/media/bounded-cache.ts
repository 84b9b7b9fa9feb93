/** What was made last, as much of it as fits. */
export interface BoundedCache {
  /** What is kept under a key, or what `make` gives, which is asked once for all who wait for it. One that fails is not kept. */
  get(key: string, make: () => Promise<Buffer>): Promise<Buffer>;
}

/** Keeps at most so many bytes: what was not asked for longest goes first. */
export function boundedCache(maxBytes: number): BoundedCache {
  const kept = new Map<string, Buffer>();
  const underWay = new Map<string, Promise<Buffer>>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  const keep = (key: string, made: Buffer): void => {
    drop(key);
    kept.set(key, made);
    bytes += made.length;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) return;
      drop(oldest);
    }
  };
  const making = async (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    try {
      const made = await make();
      keep(key, made);
      return made;
    } finally {
      underWay.delete(key);
    }
  };
  return {
    get: (key, make) => {
      const known = kept.get(key);
      if (known !== undefined) {
        // The order of a Map is that of entering.
        kept.delete(key);
        kept.set(key, known);
        return Promise.resolve(known);
      }
      const pending = underWay.get(key) ?? making(key, make);
      underWay.set(key, pending);
      return pending;
    },
  };
}
