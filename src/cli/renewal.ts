import { problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import type { Renewal } from '../run/effects/clock.js';
import { parseDuration } from '../formats/duration.js';
import type { RenewOptions } from './options.js';

/** Parses the renewal options. Problems: usage/unknown-argument. */
export function parseRenewal({
  renew,
  renewBefore,
}: Pick<RenewOptions, 'renew' | 'renewBefore'>): Result<{ readonly renewal?: Renewal }> {
  if (renew === true) return success({ renewal: 'always' });
  if (renewBefore === undefined) return success({});
  const beforeSeconds = parseDuration(renewBefore);
  if (beforeSeconds !== undefined) return success({ renewal: { beforeSeconds } });
  const message = `--renew-before is ${quoted(renewBefore)}, expected a duration`;
  return failure(problem('usage/unknown-argument', message, { hint: 'try 10d, or 36h' }));
}
