import { setImmediate as othersTurn } from 'node:timers/promises';

import { byCodeUnit } from '../../core/compare.js';
import { type Problem, isError } from '../../core/problem.js';
import { inOrder } from '../threads/in-order.js';
import { type FleetProblem, GroupedProblems, fleetWide } from '../problems/grouped-problems.js';
import { type LoadedFleet, withFleetVariables } from '../table/check-fleet.js';
import { mergeSiteWarnings } from '../problems/merge-site-warnings.js';
import { UniqueValues } from '../table/unique-values.js';
import { type SiteFiles, siteFiles } from '../table/site-files.js';
import { namedValues } from '../table/site-placeholders.js';
import type { SiteRow } from '../table/site-table.js';
import { filesOf } from './site-file-options.js';
import { type PreviousSite, type SiteOutcome, previousSites } from './previous-sites.js';
import type { SiteFacts, SiteIso } from './build-site.js';
import type { SiteOptions } from './site-options.js';
import type { SiteWorkers } from './site-workers.js';

export interface FleetRun {
  readonly opened: LoadedFleet;
  readonly order: SiteOptions;
  readonly pool: SiteWorkers;
  /** Returns the result of a site that is up to date; undefined if it has to be created. Default: checks the record in the site's folder. */
  readonly knownBefore?: (row: SiteRow, site: SiteFiles) => Promise<PreviousSite | undefined>;
  /** Number of sites that are checked ahead; default 1. */
  readonly looksAtOnce?: number;
  /** Number of sites created concurrently. */
  readonly jobs: number;
  /** Start no further site after the first failure. */
  readonly failFast: boolean;
  /** Once aborted, no further site is started. */
  readonly stop: AbortSignal;
  readonly onSite: (outcome: SiteOutcome) => void;
}

/** Result of one site. */
export interface FinishedSite {
  readonly name: string;
  readonly outcome: SiteOutcome;
  readonly facts: SiteFacts;
  readonly iso?: SiteIso;
  /** Whether a created site existed before; its keys are kept. */
  readonly isUpdate?: true;
  /** Codes of the errors, sorted, each once. */
  readonly codes: readonly string[];
}

export interface FleetResult {
  /** Selected sites in the order of the table. */
  readonly sites: readonly FinishedSite[];
  readonly problems: readonly FleetProblem[];
  /** Unexpected exceptions, one for each affected site. */
  readonly bugs: readonly unknown[];
}

/** Result of a run that started no site. */
export function emptyResult(problems: readonly Problem[]): FleetResult {
  return { problems: problems.map(fleetWide), sites: [], bugs: [] };
}

/**
 * Creates all sites that are not up to date, several at a time. A failed site does not stop the others. If two sites share a value that must
 * be unique, the later one gets the problem and is not created. Problems: fleet/…, and those of `run`.
 */
export async function buildFleet(fleetRun: FleetRun): Promise<FleetResult> {
  const { opened, order, jobs, looksAtOnce = 1 } = fleetRun;
  const before = fleetRun.knownBefore ?? ((row, site) => previousSites(order, row, site));
  const results = new FinishedSites(fleetRun);
  const running = new Set<Promise<void>>();
  const look = async ({ row, site, clashes }: SiteToLookAt): Promise<PreviousSite | undefined> =>
    clashes.some(isError) ? { outcome: 'failed', problems: clashes } : await before(row, site);
  let position = 0;
  for await (const [{ row, clashes }, known] of inOrder(sitesToLookAt(fleetRun), looksAtOnce, look)) {
    if (results.isToEnd()) break;
    const place = { name: row.name, order: (position += 1), named: namedValues(row) };
    const warnings = clashes.filter((each) => !isError(each));
    const take = (site: PreviousSite): void => {
      results.take(place, { ...site, problems: [...warnings, ...site.problems] });
    };
    if (known !== undefined) take(known);
    else {
      // Wait before starting: a queued site could not be cancelled by failFast.
      while (running.size >= jobs) await Promise.race(running);
      if (results.isToEnd()) break;
      const made = comesOf(fleetRun, row, results.bug)
        .then(take)
        .finally(() => running.delete(made));
      running.add(made);
    }
    // Yield to the event loop, so that signals and results of worker threads are handled.
    await othersTurn();
  }
  await Promise.all(running);
  return results.all(opened.rows.map(({ name }) => name));
}

/** A selected site before its record is checked. */
interface SiteToLookAt {
  /** Includes the fleet-wide variables. */
  readonly row: SiteRow;
  readonly site: SiteFiles;
  /** Conflicts with earlier sites. */
  readonly clashes: readonly Problem[];
}

/** Yields sites on demand, so that ten thousand are not in memory at once. */
function* sitesToLookAt({ opened, order }: FleetRun): Generator<SiteToLookAt> {
  const files = filesOf(order);
  const selected = new Set(opened.rows);
  const shared = new UniqueValues();
  for (const given of opened.table.rows) {
    // Conflicts are reported at the later site, so sites after the last selected one do not matter.
    if (selected.size === 0) return;
    const row = withFleetVariables(given, opened.fleet);
    const site = siteFiles(files, row);
    // Unselected sites may have the same address.
    const clashes = shared.add(row.name, site);
    if (selected.delete(given)) yield { row, site, clashes };
  }
}

/** Creates a site. An exception is passed to `bug`, and the site counts as failed. */
async function comesOf(
  { pool }: FleetRun,
  row: SiteRow,
  bug: (error: unknown) => void,
): Promise<PreviousSite> {
  try {
    const { isMade, isUnchanged, ...made } = await pool.run(row);
    const outcome = isUnchanged ? 'unchanged' : 'created';
    return { ...made, outcome: isMade ? outcome : 'failed' };
  } catch (error) {
    bug(error);
    return { outcome: 'failed', problems: [] };
  }
}

/** Position of a selected site in the table. Threads finish in any order, so results are sorted by it. */
interface TablePlace {
  readonly name: string;
  readonly order: number;
  /** Replaces the values of the site by placeholders. */
  readonly named: (text: string) => string;
}

/** Collects the results of sites during a run. */
class FinishedSites {
  readonly #sites = new Map<string, FinishedSite>();
  /** Grouped on arrival, since the problems of ten thousand sites would fill the memory. */
  readonly #problems = new GroupedProblems();
  readonly #bugs: unknown[] = [];
  #hasFailed = false;

  constructor(readonly fleetRun: Pick<FleetRun, 'onSite' | 'failFast' | 'stop'>) {}

  take({ name, order, named }: TablePlace, { outcome, problems, facts = {}, ...more }: PreviousSite): void {
    const codes = new Set(outcome === 'failed' ? problems.filter(isError).map(({ code }) => code) : []);
    const { iso, isUpdate } = more;
    this.#sites.set(name, {
      ...{ name, outcome, facts },
      ...(iso && { iso }),
      ...(isUpdate && { isUpdate }),
      codes: [...codes].sort(byCodeUnit),
    });
    this.#problems.add(name, problems, { order, named });
    this.#hasFailed ||= outcome === 'failed';
    this.fleetRun.onSite(outcome);
  }

  readonly bug = (error: unknown): void => {
    this.#bugs.push(error);
  };

  /** Whether no further site may be started. */
  isToEnd(): boolean {
    return this.fleetRun.stop.aborted || (this.fleetRun.failFast && this.#hasFailed);
  }

  all(names: readonly string[]): FleetResult {
    const notStarted = { outcome: 'not-started' as const, facts: {}, codes: [] };
    return {
      sites: names.map((name) => this.#sites.get(name) ?? { name, ...notStarted }),
      problems: mergeSiteWarnings(this.#problems.list(), (name) => this.#sites.get(name)?.facts ?? {}),
      bugs: this.#bugs,
    };
  }
}
