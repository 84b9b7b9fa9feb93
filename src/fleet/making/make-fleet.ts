import { setImmediate as othersTurn } from 'node:timers/promises';

import { byCodeUnit } from '../../core/compare.js';
import { type Problem, type ProblemCode, isError } from '../../core/problem.js';
import { inOrder } from '../../run/threads/in-order.js';
import { type FleetProblem, GroupedProblems, ofNoSite } from '../grouped-problems.js';
import { type ReadFleet, withCommon } from '../judge-fleet.js';
import { SharedValues } from '../shared-values.js';
import { type SiteFiles, siteFiles } from '../site-files.js';
import type { SiteRow } from '../site-table.js';
import { filesOf } from './files-of-order.js';
import { type KnownSite, type SiteOutcome, knownBefore } from './known-before.js';
import type { SiteFacts } from './make-site.js';
import type { SiteOrder } from './site-order.js';
import type { SiteWorkers } from './site-workers.js';

/** A fleet that is to be made. */
export interface FleetMaking {
  readonly opened: ReadFleet;
  readonly order: SiteOrder;
  readonly pool: SiteWorkers;
  /** What is known of a site without making it; undefined where it is to be made. Without, its folder says it. */
  readonly knownBefore?: (row: SiteRow, site: SiteFiles) => Promise<KnownSite | undefined>;
  /** How many sites are looked at ahead; one without. */
  readonly looksAtOnce?: number;
  /** How many sites are made at a time. */
  readonly jobs: number;
  /** Whether none is begun after the first that failed. */
  readonly failFast: boolean;
  /** No site is begun after it. */
  readonly stop: AbortSignal;
  readonly onSite: (outcome: SiteOutcome) => void;
}

/** A site after a run. */
export interface EndedSite {
  readonly name: string;
  readonly outcome: SiteOutcome;
  readonly facts: SiteFacts;
  /** Codes of the errors that kept it from being made, sorted, each once. */
  readonly codes: readonly string[];
}

/** What became of a fleet. */
export interface MadeFleet {
  /** In the order of the table, of those that were meant. */
  readonly sites: readonly EndedSite[];
  readonly problems: readonly FleetProblem[];
  /** What nobody expected, of each site that met it. */
  readonly bugs: readonly unknown[];
}

/** Of a fleet of which no site was begun. */
export function nothingMade(problems: readonly Problem[]): MadeFleet {
  return { problems: problems.map(ofNoSite), sites: [], bugs: [] };
}

/**
 * Makes the sites of a fleet that are not as their files ask, several at a time. One that cannot be made stops no other. What two sites
 * share that only one can have is a problem of the later one, which is then not made. Problems: fleet/…, and those of `run`.
 */
export async function makeFleet(making: FleetMaking): Promise<MadeFleet> {
  const { opened, order, jobs, looksAtOnce = 1 } = making;
  const before = making.knownBefore ?? ((row, site) => knownBefore(order, row, site));
  const ended = new Endings(making);
  const running = new Set<Promise<void>>();
  const look = async ({ row, site, clashes }: SiteToLookAt): Promise<KnownSite | undefined> =>
    clashes.some(isError) ? { outcome: 'failed', problems: clashes } : await before(row, site);
  let met = 0;
  for await (const [{ row }, known] of inOrder(sitesToLookAt(making), looksAtOnce, look)) {
    if (ended.isToEnd()) break;
    const place = { name: row.name, order: (met += 1) };
    if (known !== undefined) ended.take(place, known);
    else {
      // Not one more at hand: that would be begun whatever became of the one before it.
      while (running.size >= jobs) await Promise.race(running);
      if (ended.isToEnd()) break;
      const made = comesOf(making, row, ended.bug)
        .then((known) => {
          ended.take(place, known);
        })
        .finally(() => running.delete(made));
      running.add(made);
    }
    // A signal is heard, and what threads have done is taken.
    await othersTurn();
  }
  await Promise.all(running);
  return ended.all(opened.rows.map(({ name }) => name));
}

/** A site that is meant, before anything is known of it. */
interface SiteToLookAt {
  /** With the variables that all share. */
  readonly row: SiteRow;
  readonly site: SiteFiles;
  /** What an earlier one has as well. */
  readonly clashes: readonly Problem[];
}

/** One after the other as they are asked for: ten thousand need not be there at once. */
function* sitesToLookAt({ opened, order }: FleetMaking): Generator<SiteToLookAt> {
  const files = filesOf(order);
  const meant = new Set(opened.rows);
  const shared = new SharedValues();
  for (const given of opened.table.rows) {
    // What a later one shares is a problem of that one.
    if (meant.size === 0) return;
    const row = withCommon(given, opened.fleet);
    const site = siteFiles(files, row);
    // Sites that are not meant may have an address, too.
    const clashes = shared.add(row.name, site);
    if (meant.delete(given)) yield { row, site, clashes };
  }
}

/** What comes of a site that is made now. Problems: what nobody expected, as `bug`. */
async function comesOf(
  { pool }: FleetMaking,
  row: SiteRow,
  bug: (error: unknown) => void,
): Promise<KnownSite> {
  try {
    const { isMade, problems, facts } = await pool.run(row);
    return { outcome: isMade ? 'made' : 'failed', problems, facts };
  } catch (error) {
    bug(error);
    return { outcome: 'failed', problems: [] };
  }
}

/** A site of those that were meant, which are counted as the table has them: which thread is done first is chance. */
interface TablePlace {
  readonly name: string;
  readonly order: number;
}

/** What has become of sites so far. */
class Endings {
  readonly #sites = new Map<string, EndedSite>();
  /** Grouped as they come: those of ten thousand sites are told in a few lines, and would fill the memory. */
  readonly #problems = new GroupedProblems();
  readonly #bugs: unknown[] = [];
  #hasFailed = false;

  constructor(readonly making: Pick<FleetMaking, 'onSite' | 'failFast' | 'stop'>) {}

  take({ name, order }: TablePlace, { outcome, problems, facts = {} }: KnownSite): void {
    const codes = new Set(outcome === 'failed' ? problems.filter(isError).map(({ code }) => code) : []);
    this.#sites.set(name, { name, outcome, facts, codes: [...codes].sort(byCodeUnit) });
    this.#problems.add(name, problems, order);
    this.#hasFailed ||= outcome === 'failed';
    this.making.onSite(outcome);
  }

  readonly bug = (error: unknown): void => {
    this.#bugs.push(error);
  };

  /** Whether no further site is to be begun. */
  isToEnd(): boolean {
    return this.making.stop.aborted || (this.making.failFast && this.#hasFailed);
  }

  all(names: readonly string[]): MadeFleet {
    const notBegun = { outcome: 'not-begun' as const, facts: {}, codes: [] };
    return {
      sites: names.map((name) => this.#sites.get(name) ?? { name, ...notBegun }),
      problems: timesTogether(this.#problems.list(), (name) => this.#sites.get(name)?.facts ?? {}),
      bugs: this.#bugs,
    };
  }
}

/**
 * Problems of a fleet in which warnings of one kind, each with the times of its site, are one warning of all these sites. `factsOf` has what
 * is known of each.
 */
export function timesTogether(
  found: readonly FleetProblem[],
  factsOf: (site: string) => SiteFacts,
): readonly FleetProblem[] {
  const ofCode = new Map<ProblemCode, FleetProblem[]>();
  for (const each of found) {
    const alike = ofCode.get(each.problem.code) ?? [];
    alike.push(each);
    ofCode.set(each.problem.code, alike);
  }
  return found.flatMap((each): readonly FleetProblem[] => {
    const { code } = each.problem;
    const words = wordsOf[code];
    const alike = ofCode.get(code) ?? [];
    if (words === undefined || alike.length === 1) return [each];
    if (alike[0] !== each) return [];
    const sites = alike.flatMap(({ sites: names }) => names);
    const [first = ''] = sites.flatMap((name) => factsOf(name).bootableUntil ?? []).sort();
    return [{ problem: { ...each.problem, message: words(first) }, sites }];
  });
}

const wordsOf: Readonly<Partial<Record<ProblemCode, (first: string) => string>>> = {
  'dir/certificates-ending': (first) =>
    `the certificates end soon, the first of them at ${first}: the machines have to boot before that`,
  'dir/certificates-outside': () => 'the certificates have ended, or begin only later',
  'dir/reissued': () =>
    'the certificates had ended, or were about to, so they are issued again from the same keys',
};
