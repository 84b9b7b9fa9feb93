import { byCodeUnit } from '../core/compare.js';
import { isError } from '../core/problem.js';
import type { SummarySite } from '../fleet/making/fleet-summary.js';
import type { CollectedSite } from './collect-site.js';

/**
 * A site that was collected as fleet.json says it: one that is missing or damaged failed, whatever an earlier run said. Nothing of one
 * of which the store told nothing.
 */
export function collectedSummary({ name, is, facts, problems }: CollectedSite): readonly SummarySite[] {
  if (is !== 'missing' && is !== 'failed') return [{ name, result: 'made', ...facts }];
  const codes = [...new Set(problems.filter(isError).map(({ code }) => code))].sort(byCodeUnit);
  const isUnknown = codes.some((code) => code === 'store/unreachable' || code === 'store/refused');
  return isUnknown ? [] : [{ name, result: 'failed', ...facts, problems: codes }];
}
