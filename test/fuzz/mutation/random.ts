/** A deterministic random source. */
export interface Random {
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** A random element of a non-empty list. */
  pick<T>(list: readonly T[]): T;
}

/** The generator mulberry32 has 32 bits of state, which is enough for one run. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    pick: <T>(list: readonly T[]): T => {
      const index = below(list.length);
      const [picked] = list.slice(index, index + 1);
      if (list.length === 0) throw new Error('internal error: nothing to pick from');
      return picked as T;
    },
  };
}
