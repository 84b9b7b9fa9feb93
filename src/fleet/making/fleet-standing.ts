import { join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { isError, type Problem } from '../../core/problem.js';
import { foldersIn } from '../../disk/site-record/site-folder.js';
import { recordKeyIn } from '../../disk/site-record/record-key.js';
import { withCommon, type ReadFleet } from '../judge-fleet.js';
import { SharedValues } from '../shared-values.js';
import { siteFiles } from '../site-files.js';
import type { SummarySite } from './fleet-summary.js';
import type { EndedSite } from './make-fleet.js';
import { filesOf } from './files-of-order.js';
import { factsOf, type SiteFacts } from './make-site.js';
import { readSummary } from './read-summary.js';
import type { SiteOrder } from './site-order.js';
import { siteStanding, type SiteStanding, type Staleness } from './site-standing.js';

/** How a site stands: with `why` it is not as its files ask. */
export interface StandingSite {
  readonly name: string;
  readonly is: 'current' | 'stale' | 'missing' | 'failed';
  readonly why?: Staleness['why'];
  /** The output that is gone or was changed. */
  readonly path?: string;
  readonly facts: SiteFacts;
  /** Codes of what the last run found, of a site that it could not make, or of what none can. */
  readonly codes: EndedSite['codes'];
}

/** How a fleet stands. */
export interface FleetStanding {
  /** In the order of the table, of those that were meant. */
  readonly sites: readonly StandingSite[];
  /** Folders among the outputs that are those of no site, sorted. */
  readonly strange: readonly string[];
}

/** How the sites of a fleet stand to their files, by their records; opens no state and writes nothing. */
export function fleetStanding(opened: ReadFleet, order: Omit<SiteOrder, 'recordKey'>): FleetStanding {
  const outputs = join(order.dir, order.outputs);
  const lastRun = new Map((readSummary(outputs)?.sites ?? []).map((site) => [site.name, site]));
  // Without the key no record can be compared, and any other one says so.
  const known = { ...order, recordKey: recordKeyIn(outputs) ?? '' };
  const files = filesOf(known);
  const shared = new SharedValues();
  const meant = new Set(opened.rows);
  const sites = opened.table.rows.flatMap((given): readonly StandingSite[] => {
    const row = withCommon(given, opened.fleet);
    const site = siteFiles(files, row);
    // As a run would find it: sites that are not meant may have an address, too.
    const clashes = shared.add(row.name, site).filter(isError);
    if (!meant.has(given)) return [];
    const standing = siteStanding(known, { name: row.name, inputs: site.inputs }, { mayRenew: false });
    return [standingSite(row.name, standing, { clashes, last: lastRun.get(row.name) })];
  });
  const names = new Set(opened.table.rows.map(({ name }) => name));
  const strange = foldersIn(outputs).filter((name) => !name.startsWith('.') && !names.has(name));
  return { sites, strange: strange.sort() };
}

function standingSite(
  name: string,
  standing: SiteStanding,
  { clashes, last }: { readonly clashes: readonly Problem[]; readonly last: SummarySite | undefined },
): StandingSite {
  const record = standing.is === 'missing' ? undefined : standing.record;
  const facts = record ? factsOf(record) : {};
  if (clashes.length > 0) {
    const codes = [...new Set(clashes.map(({ code }) => code))].sort(byCodeUnit);
    return { name, is: 'failed', facts, codes };
  }
  if (standing.is === 'current') return { name, is: 'current', facts, codes: [] };
  const why = standing.is === 'stale' && {
    why: standing.why,
    ...('path' in standing && { path: standing.path }),
  };
  const is = last?.result === 'failed' ? 'failed' : standing.is;
  return { name, is, ...why, facts, codes: last?.problems ?? [] };
}
