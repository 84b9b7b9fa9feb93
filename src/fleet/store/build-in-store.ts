import { join } from 'node:path';

import type { Problem } from '../../core/problem.js';
import { removeSiteFolder, writeSite, readSiteContents } from '../../disk/site-record/site-contents.js';
import type { SiteRecord } from '../../disk/site-record/site-record.js';
import type { PreviousSite } from '../build/previous-sites.js';
import type { FleetRun } from '../build/build-fleet.js';
import { factsOf, type SiteResult } from '../build/build-site.js';
import type { SiteOptions } from '../build/site-options.js';
import type { SiteWorkers } from '../build/site-workers.js';
import { stalenessOf } from '../build/site-freshness.js';
import type { SiteFiles } from '../table/site-files.js';
import { atOrigin } from '../table/site-problems.js';
import type { SiteRow } from '../table/site-table.js';
import type { Precondition } from '../../remote/object-store/object-store.js';
import { StoreFault } from '../../remote/object-store/store-fault.js';
import type { SiteStore } from './site-store.js';
import { storeProblem } from './store-problem.js';

/** Options to create sites in a store. */
export interface StoreRunOptions {
  /** Its `outputs` is a temporary folder. */
  readonly order: SiteOptions;
  readonly pool: SiteWorkers;
  readonly store: SiteStore;
  /** Called when the store fails for all sites; further sites could not be stored. */
  readonly onFault: () => void;
}

/**
 * Creates sites in a store. Sites that are up to date in the store are skipped. The others are created in a temporary folder, starting from
 * the stored state if there is one, and written to the store as one object, so that the store only contains complete sites. If two runs create
 * the same site, the first one wins and the second one discards its outputs. Problems: store/….
 */
export function buildInStore(run: StoreRunOptions): Required<Pick<FleetRun, 'pool' | 'knownBefore'>> {
  const { order, pool, store, onFault } = run;
  const before = new Map<string, Precondition>();
  const folderOf = (name: string): string => join(order.dir, order.outputs, name);
  return {
    knownBefore: async (row, site) => {
      try {
        const found = await storedStatus(run, row, site);
        if ('known' in found) return found.known;
        before.set(row.name, found.before);
        return undefined;
      } catch (error) {
        const problems = [storeProblem(error)];
        if (isOfAllSites(error)) onFault();
        return { outcome: 'failed', problems };
      }
    },
    pool: {
      close: pool.close,
      run: async (row) => {
        try {
          const made = await pool.run(row);
          const condition = before.get(row.name) ?? 'nothing';
          return made.isMade ? await kept(store, { made, folder: folderOf(row.name), condition }) : made;
        } catch (error) {
          const problems = [storeProblem(error)];
          if (isOfAllSites(error)) onFault();
          return { name: row.name, isMade: false, problems, facts: {} };
        } finally {
          removeSiteFolder(folderOf(row.name));
        }
      },
    },
  };
}

/** A damaged or foreign object affects one site. Other errors persist after minutes of retries, so they affect all sites. */
function isOfAllSites(error: unknown): boolean {
  return !(error instanceof StoreFault && (error.kind === 'damaged' || error.kind === 'key'));
}

type StoredStatus = { readonly known: PreviousSite } | { readonly before: Precondition };

/** Checks a site in the store. A stale site is unpacked into its folder, so that the run continues from its state. */
async function storedStatus(
  { order, store }: StoreRunOptions,
  { name }: SiteRow,
  site: SiteFiles,
): Promise<StoredStatus> {
  const found = await store.look(name);
  if (found === undefined) return { before: 'nothing' };
  if (stalenessOf(order, found.record, { name, site }) === undefined)
    return { known: unchanged(found.record, (each) => atOrigin(each, site)) };
  const stored = await store.fetch(name);
  if (stored === undefined) return { before: 'nothing' };
  const laid = await writeSite(join(order.dir, order.outputs, name), stored, {
    command: order.command,
    within: order.within ?? order.dir,
  });
  return laid.ok
    ? { before: { tag: stored.tag } }
    : { known: { outcome: 'failed', problems: laid.problems } };
}

function unchanged(record: SiteRecord, placed: (found: Problem) => Problem): PreviousSite {
  return { outcome: 'unchanged', problems: record.warnings.map(placed), facts: factsOf(record) };
}

async function kept(
  store: SiteStore,
  by: { readonly made: SiteResult; readonly folder: string; readonly condition: Precondition },
): Promise<SiteResult> {
  const { made, folder, condition } = by;
  const contents = readSiteContents(folder);
  if (!contents.ok) return { ...made, isMade: false, problems: [...made.problems, ...contents.problems] };
  const end = await store.keep(made.name, contents.value, condition);
  // Another run was first, and its keys are valid.
  return end === 'kept' ? made : { ...made, facts: factsOf(end.record) };
}
