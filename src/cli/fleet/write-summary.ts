import { success, type Result } from '../../core/result.js';
import { commit } from '../../disk/commit.js';
import { areAsWritten } from '../../disk/outputs.js';
import { sha256 } from '../../formats/sha256.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { fleetSummary, summaryFile, type SummarySite } from '../../fleet/making/fleet-summary.js';
import type { EndedSite } from '../../fleet/making/make-fleet.js';
import { readSummary } from '../../fleet/making/read-summary.js';
import type { SiteOrder } from '../../fleet/making/site-order.js';

/** Writes fleet.json if its content changed. Problems: those of `commit`. */
export function writeSummary(
  dir: string,
  { opened, order }: { readonly opened: ReadFleet; readonly order: Pick<SiteOrder, 'target' | 'program'> },
  now: readonly SummarySite[],
): Result<void> {
  const names = opened.table.rows.map(({ name }) => name);
  const file = summaryFile(fleetSummary(order, names, { now, before: readSummary(dir) }));
  return areAsWritten(dir, [file], { [file.path]: sha256(file.contents) })
    ? success(undefined)
    : commit(dir, { writes: [file], removals: [] });
}

/** Returns the fleet.json entry of a site; none if the run did not reach it. */
export function summarySite({ name, outcome, facts, codes }: EndedSite): readonly SummarySite[] {
  if (outcome === 'not-begun') return [];
  const isMade = outcome !== 'failed';
  return [{ name, result: isMade ? 'made' : 'failed', ...facts, ...(!isMade && { problems: codes }) }];
}
