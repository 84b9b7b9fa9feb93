import { join } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { inParallel } from '../../core/in-parallel.js';
import { isError } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { openDirectory } from '../../disk/directory.js';
import type { ObjectStore } from '../../remote/object-store/object-store.js';
import { commandLine } from '../../run/effects/command-line.js';
import type { SummarySite } from '../build/fleet-summary.js';
import { filesOf } from '../build/site-file-options.js';
import type { SiteOptions } from '../build/site-options.js';
import { writeSummary } from '../build/write-summary.js';
import { type LoadedFleet, withFleetVariables } from '../table/check-fleet.js';
import { type FleetProblem, GroupedProblems, fleetWide } from '../problems/grouped-problems.js';
import { asMarked } from '../table/secret-marks.js';
import { siteFiles } from '../table/site-files.js';
import { type CollectedSite, collectSite } from './collect-site.js';
import { findFleetKey } from './fleet-key.js';
import { sitesAtOnce } from './open-store.js';
import { siteStore, type SiteStore } from './site-store.js';
import { storeProblem } from './store-problem.js';

export interface Collecting {
  readonly opened: LoadedFleet;
  readonly store: ObjectStore;
  readonly order: Omit<SiteOptions, 'recordKey'>;
  readonly stop: AbortSignal;
}

/** Downloads the sites into the output folder and holds its lock. Writes fleet.json. */
export async function collectSites({ opened, store, order, stop }: Collecting): Promise<Collected> {
  const dir = join(order.dir, opened.fleet.outputs);
  const lock = await openDirectory(dir, commandLine(), order.dir);
  if (!lock.ok) return { problems: lock.problems.map(fleetWide), sites: [] };
  try {
    const key = await findFleetKey(store, { outputs: dir, keys: order.keys });
    if (!key.ok) return { problems: key.problems.map(fleetWide), sites: [] };
    // A store without a key is empty, so there is nothing to compare.
    const recordKey = key.value ?? '';
    const sites = await collectAll(siteStore(store, recordKey), {
      opened,
      order: { ...order, recordKey },
      stop,
    });
    const summed = writeSummary(dir, { opened, order }, sites.flatMap(collectedSummary));
    const found = new GroupedProblems();
    for (const { name, problems } of sites) found.add(name, problems);
    return { problems: [...found.list(), ...problemsOf(summed).map(fleetWide)], sites };
  } catch (error) {
    return { problems: [fleetWide(storeProblem(error))], sites: [] };
  } finally {
    lock.value.release();
  }
}

async function collectAll(
  store: SiteStore,
  by: { readonly opened: LoadedFleet; readonly order: SiteOptions; readonly stop: AbortSignal },
): Promise<readonly CollectedSite[]> {
  const { opened, order, stop } = by;
  const files = filesOf(order);
  const rows = opened.rows.map((row) => asMarked(withFleetVariables(row, opened.fleet), order));
  let isToEnd = false;
  const collected = await inParallel(rows, sitesAtOnce, async ({ row, secretsIn }) => {
    if (stop.aborted || isToEnd) return [];
    const site = await collectSite({ order, store, secretsIn }, row.name, siteFiles(files, row));
    // The store client has already retried for minutes, so other sites would fail too.
    isToEnd ||= site.problems.some(({ code }) => isOfStore(code));
    return [site];
  });
  return collected.flat();
}

export interface Collected {
  readonly problems: readonly FleetProblem[];
  /** The sites that the run reached, in the order of the table. */
  readonly sites: readonly CollectedSite[];
}

/**
 * Returns the fleet.json entry of a collected site. A missing or damaged site counts as failed, regardless of earlier runs.
 * Returns no entry if the store did not answer.
 */
export function collectedSummary({ name, is, facts, problems }: CollectedSite): readonly SummarySite[] {
  if (is !== 'missing' && is !== 'failed') return [{ name, result: 'created', ...facts }];
  const codes = [...new Set(problems.filter(isError).map(({ code }) => code))].sort(byCodeUnit);
  const isUnknown = codes.some(isOfStore);
  return isUnknown ? [] : [{ name, result: 'failed', ...facts, problems: codes }];
}

/** Whether a problem concerns all sites of a store. */
function isOfStore(code: string): boolean {
  return ['store/unreachable', 'store/refused', 'store/credentials'].includes(code);
}
