import { join } from 'node:path';

import { foldersIn } from '../../disk/site-record/site-folder.js';
import { recordKeyIn } from '../../disk/site-record/record-key.js';
import { withCommon, type ReadFleet } from '../judge-fleet.js';
import { siteFiles } from '../site-files.js';
import type { EndedSite } from './make-fleet.js';
import { factsOf, filesOf, type SiteFacts } from './make-site.js';
import { readSummary } from './read-summary.js';
import type { SiteOrder } from './site-order.js';
import { siteStanding, type Staleness } from './site-standing.js';

/** How a site stands: with `why` it is not as its files ask. */
export interface StandingSite {
  readonly name: string;
  readonly is: 'current' | 'stale' | 'missing' | 'failed';
  readonly why?: Staleness['why'];
  /** The output that is gone or was changed. */
  readonly path?: string;
  readonly facts: SiteFacts;
  /** Codes of what the last run found, of a site that it could not make. */
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
  const sites = opened.rows.map((row): StandingSite => {
    const { name } = row;
    const { inputs } = siteFiles(files, withCommon(row, opened.fleet));
    const standing = siteStanding(known, { name, inputs }, { mayRenew: false });
    const record = standing.is === 'missing' ? undefined : standing.record;
    const facts = record ? factsOf(record) : {};
    if (standing.is === 'current') return { name, is: 'current', facts, codes: [] };
    const last = lastRun.get(name);
    const why = standing.is === 'stale' && {
      why: standing.why,
      ...('path' in standing && { path: standing.path }),
    };
    const is = last?.result === 'failed' ? 'failed' : standing.is;
    return { name, is, ...why, facts, codes: last?.problems ?? [] };
  });
  const names = new Set(opened.table.rows.map(({ name }) => name));
  const strange = foldersIn(outputs).filter((name) => !name.startsWith('.') && !names.has(name));
  return { sites, strange: strange.sort() };
}
