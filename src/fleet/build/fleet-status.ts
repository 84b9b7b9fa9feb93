import { join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { isError, type Problem } from '../../core/problem.js';
import { subfolderNames } from '../../disk/site-record/site-folder.js';
import { readRecordKey } from '../../disk/site-record/record-key.js';
import { withFleetVariables, type LoadedFleet } from '../table/check-fleet.js';
import { asMarked } from '../table/secret-marks.js';
import { UniqueValues } from '../table/unique-values.js';
import { siteFiles } from '../table/site-files.js';
import type { SummarySite } from './fleet-summary.js';
import type { FinishedSite } from './build-fleet.js';
import { filesOf } from './site-file-options.js';
import { factsOf, type SiteFacts } from './build-site.js';
import { isoStatusReader, type IsoStatus } from './iso-status.js';
import { readSummary } from './read-summary.js';
import type { SiteOptions } from './site-options.js';
import { siteFreshness, type SiteFreshness, type Staleness } from './site-freshness.js';

/** Status of a site; `reason` is present if it is not current. */
export interface SiteStatus {
  readonly name: string;
  readonly status: 'current' | 'stale' | 'missing' | 'failed';
  readonly reason?: Staleness['reason'];
  /** Path of the output that is missing or was changed. */
  readonly path?: string;
  readonly facts: SiteFacts;
  /** Problem codes of the last run if it failed, or of a conflict with another site. */
  readonly codes: FinishedSite['codes'];
  /** The ISO in the folder of the site, if it has a payload or should have one. Does not change `status`. */
  readonly iso?: IsoStatus;
}

export interface FleetStatus {
  /** Selected sites in the order of the table. */
  readonly sites: readonly SiteStatus[];
  /** Folders in the outputs that belong to no site, sorted. */
  readonly unknownFolders: readonly string[];
}

/**
 * Compares the records of all sites with their input files. Opens no state, writes nothing and fetches no secrets: a changed value of a
 * secret is found by `fleet create`.
 */
export function fleetStatusOf(opened: LoadedFleet, order: Omit<SiteOptions, 'recordKey'>): FleetStatus {
  const outputs = join(order.dir, order.outputs);
  const lastRun = new Map((readSummary(outputs)?.sites ?? []).map((site) => [site.name, site]));
  // Without the record key no fingerprint matches, so every site with a record is reported as stale.
  const known = { ...order, recordKey: readRecordKey(outputs) ?? '' };
  const files = filesOf(known);
  const isoOf = isoStatusReader(order);
  const shared = new UniqueValues();
  const selected = new Set(opened.rows);
  const sites = opened.table.rows.flatMap((given): readonly SiteStatus[] => {
    const { row, secretsIn } = asMarked(withFleetVariables(given, opened.fleet), order);
    const site = siteFiles(files, row);
    // A run checks all sites for shared addresses, not only the selected ones.
    const clashes = shared.add(row.name, site).filter(isError);
    if (!selected.has(given)) return [];
    const freshness = siteFreshness({ ...known, secretsIn }, row.name, { site, mayRenew: false });
    const status = statusOf(row.name, freshness, { clashes, last: lastRun.get(row.name) });
    const iso = isoOf(row.name, site);
    return [{ ...status, ...(iso && { iso }) }];
  });
  const names = new Set(opened.table.rows.map(({ name }) => name));
  const unknownFolders = subfolderNames(outputs).filter((name) => !name.startsWith('.') && !names.has(name));
  return { sites, unknownFolders: unknownFolders.sort() };
}

function statusOf(
  name: string,
  freshness: SiteFreshness,
  { clashes, last }: { readonly clashes: readonly Problem[]; readonly last: SummarySite | undefined },
): SiteStatus {
  const record = freshness.status === 'missing' ? undefined : freshness.record;
  const facts = record ? factsOf(record) : {};
  if (clashes.length > 0) {
    const codes = [...new Set(clashes.map(({ code }) => code))].sort(byCodeUnit);
    return { name, status: 'failed', facts, codes };
  }
  // Its new value is not known here.
  const isSecretMissing = last?.result === 'failed' && (last.problems ?? []).includes('fleet/secret');
  if (freshness.status === 'current' && !isSecretMissing)
    return { name, status: 'current', facts, codes: [] };
  const stale = freshness.status === 'stale' && {
    reason: freshness.reason,
    ...('path' in freshness && { path: freshness.path }),
  };
  const status = last?.result === 'failed' ? 'failed' : freshness.status;
  return { name, status, ...stale, facts, codes: last?.problems ?? [] };
}
