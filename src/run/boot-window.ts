import { problem, type Problem } from '../core/problem.js';
import { rfc3339 } from '../core/rfc3339.js';
import type { Facts } from './target.js';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Warns if a machine that boots now would find certificates that are not valid yet, expired, or expire within a week (for a short
 * validity: after half of it).
 * Warnings: dir/certificates-outside, dir/certificates-ending.
 */
export function windowWarnings({ bootableFrom, bootableUntil }: Facts, present: Date): readonly Problem[] {
  if (bootableFrom === undefined || bootableUntil === undefined) return [];
  const now = `it is ${rfc3339(present)} now`;
  if (present < bootableFrom)
    return [outside(`the certificates are not valid before ${rfc3339(bootableFrom)}, and ${now}`)];
  if (present >= bootableUntil)
    return [outside(`the certificates expired at ${rfc3339(bootableUntil)}, and ${now}`)];
  const leftMs = bootableUntil.getTime() - present.getTime();
  const halfMs = (bootableUntil.getTime() - bootableFrom.getTime()) / 2;
  if (leftMs >= Math.min(weekMs, halfMs)) return [];
  const message = `the certificates expire at ${rfc3339(bootableUntil)}: the machine must boot before then`;
  const hint = '`--renew` issues them again with the same keys';
  return [problem('dir/certificates-ending', message, { hint })];
}

function outside(message: string): Problem {
  return problem('dir/certificates-outside', message, {
    hint: 'a machine cannot boot now: correct the clock or SOURCE_DATE_EPOCH, and run the command again with --renew',
  });
}
