import { success, type Result } from '../../core/result.js';
import { commit } from '../../disk/commit.js';
import { areUnmodified } from '../../disk/outputs.js';
import { sha256 } from '../../formats/sha256.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { fleetSummary, summaryFile, type SummarySite } from './fleet-summary.js';
import type { FinishedSite } from './build-fleet.js';
import { readSummary } from './read-summary.js';
import type { SiteOptions } from './site-options.js';

/** Writes fleet.json if its content changed. Problems: those of `commit`. */
export function writeSummary(
  dir: string,
  {
    opened,
    order,
  }: { readonly opened: LoadedFleet; readonly order: Pick<SiteOptions, 'target' | 'program'> },
  now: readonly SummarySite[],
): Result<void> {
  const names = opened.table.rows.map(({ name }) => name);
  const file = summaryFile(fleetSummary(order, names, { now, before: readSummary(dir) }));
  return areUnmodified(dir, [file], { [file.path]: sha256(file.contents) })
    ? success(undefined)
    : commit(dir, { writes: [file], removals: [] });
}

/** Returns the fleet.json entry of a site; none if the run did not reach it. */
export function summarySite({ name, outcome, facts, codes }: FinishedSite): readonly SummarySite[] {
  if (outcome === 'not-started') return [];
  const isMade = outcome !== 'failed';
  return [{ name, result: isMade ? 'created' : 'failed', ...facts, ...(!isMade && { problems: codes }) }];
}
