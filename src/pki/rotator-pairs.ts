import type { CertifiedKey } from './certified-key.js';
import type { RotatorName } from './rotators.js';

/** Pairs by the rotator that owns them; those that were not wanted are left out. */
export type RotatorPairs = Readonly<Partial<Record<RotatorName, CertifiedKey>>>;

/** One of the pairs that were issued. */
export function pairOf(pairs: Readonly<Partial<Record<string, CertifiedKey>>>, name: string): CertifiedKey {
  const pair = pairs[name];
  if (pair === undefined) throw new Error(`internal error: ${name} is wanted and was not issued`);
  return pair;
}
