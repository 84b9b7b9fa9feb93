import type { CertifiedKey } from './certified-key.js';
import type { RotatorName } from './rotators.js';

/** Issued pairs by rotator. */
export type RotatorPairs = Readonly<Partial<Record<RotatorName, CertifiedKey>>>;

/** Throws an internal error if the pair was not issued. */
export function pairOf(pairs: Readonly<Partial<Record<string, CertifiedKey>>>, name: string): CertifiedKey {
  const pair = pairs[name];
  if (pair === undefined) throw new Error(`internal error: ${name} is needed but was not issued`);
  return pair;
}
