import { join } from 'node:path';

import type { AioOptions, GlobalOptions } from '../../options.js';
import { exitCodeOf, isLogged } from '../../output/report.js';
import { commandLine, stateAccess } from '../../request.js';
import { type StopSignals, onStopSignals } from '../../stop-signals.js';
import { byCodeUnit } from '../../../core/compare.js';
import { isError } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { openDirectory } from '../../../disk/directory.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import type { CollectOptions } from '../fleet-options.js';
import { openRequestedFleet, siteOptions } from '../fleet-request.js';
import { fleetProblemsForPrograms, printFleetProblems } from '../print-fleet-problems.js';
import { firstSites } from '../../../fleet/review/named-sites.js';
import { type CollectResult, type CollectedSite, collectSite } from '../../../fleet/store/collect-site.js';
import { findFleetKey } from '../../../fleet/store/fleet-key.js';
import { siteStore, type SiteStore } from '../../../fleet/store/site-store.js';
import { storeProblem } from '../../../fleet/store/store-problem.js';
import { type FleetProblem, GroupedProblems, fleetWide } from '../../../fleet/grouped-problems.js';
import { type LoadedFleet, withFleetVariables } from '../../../fleet/check-fleet.js';
import { filesOf } from '../../../fleet/build/site-file-options.js';
import { neededStdin } from '../../../fleet/build/fleet-options.js';
import { asMarked } from '../../../fleet/secret-marks.js';
import type { SummarySite } from '../../../fleet/build/fleet-summary.js';
import type { SiteOptions } from '../../../fleet/build/site-options.js';
import { siteFiles } from '../../../fleet/site-files.js';
import { writeSummary } from '../write-summary.js';
import type { ObjectStore } from '../../../remote/object-store/object-store.js';
import { openRequestedStore, sitesAtOnce } from './open-store.js';
import { isData, printData } from '../../output/data.js';

type Options = GlobalOptions & AioOptions & CollectOptions;

/** Downloads the sites of a fleet from a store into their folders. Reports missing and outdated sites. */
export async function collectFleet(options: Options): Promise<void> {
  const stdin = standardInput();
  const signals = onStopSignals();
  try {
    const keys = await stateAccess(options, stdin).keys();
    const opened = openRequestedFleet(options, stdin);
    const store = openRequestedStore(options, signals.stop);
    const problems = [keys, opened, store].flatMap(problemsOf);
    if (!keys.ok || !opened.ok || !store.ok) {
      reportCollected(options, { problems: problems.map(fleetWide), sites: [] });
      return;
    }
    const access = { keys: keys.value, ...neededStdin(opened.value, stdin) };
    const order = siteOptions(options, opened.value, access);
    const collected = await intoOutputs(
      options,
      {
        opened: opened.value,
        store: store.value,
        order,
      },
      signals.stop,
    );
    store.value.close();
    reportCollected(
      options,
      { ...collected, problems: [...problems.map(fleetWide), ...collected.problems] },
      signals,
    );
  } finally {
    signals.release();
  }
}

interface Collecting {
  readonly opened: LoadedFleet;
  readonly store: ObjectStore;
  readonly order: Omit<SiteOptions, 'recordKey'>;
}

/** Holds the lock of the output folder. */
async function intoOutputs(options: Options, collecting: Collecting, stop: AbortSignal): Promise<Collected> {
  const { opened, store, order } = collecting;
  const dir = join(options.dir, opened.fleet.outputs);
  const lock = await openDirectory(dir, commandLine(), options.dir);
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
  const collected = new Map<string, CollectedSite>();
  const left = rows.values();
  let isToEnd = false;
  const collect = async (): Promise<void> => {
    for (const { row, secretsIn } of left) {
      if (stop.aborted || isToEnd) return;
      const site = await collectSite({ order, store, secretsIn }, row.name, siteFiles(files, row));
      collected.set(row.name, site);
      // The store client has already retried for minutes, so other sites would fail too.
      isToEnd ||= site.problems.some(({ code }) => isOfStore(code));
    }
  };
  await Promise.all(Array.from({ length: sitesAtOnce }, collect));
  return rows.flatMap(({ row: { name } }) => collected.get(name) ?? []);
}

interface Collected {
  readonly problems: readonly FleetProblem[];
  /** The sites that the run reached, in the order of the table. */
  readonly sites: readonly CollectedSite[];
}

/** Label per result, in the order of the printed table. */
const words: Readonly<Record<CollectResult, string>> = {
  collected: 'collected',
  unchanged: 'unchanged',
  stale: 'collected, but outdated',
  missing: 'not in the store',
  failed: 'failed',
};

/** Prints the collected sites and sets the exit code. */
function reportCollected(
  options: GlobalOptions,
  { problems, sites }: Collected,
  signals?: StopSignals,
): void {
  const isStopped = signals?.stop.aborted === true;
  if (isData(options)) {
    const result = {
      ok: !isStopped && !problems.some(({ problem }) => isError(problem)),
      problems: fleetProblemsForPrograms(options, problems),
      sites: sites.map(({ name, is, facts }) => ({ name, result: is, ...facts })),
    };
    printData(options, result);
  } else {
    printFleetProblems(options, problems, sites.length);
    if (isLogged(options, 'info') && sites.length > 0) process.stdout.write(tableOf(sites));
    if (isStopped) process.stderr.write('interrupted; run the same command again to continue\n');
  }
  process.exitCode = isStopped ? signals.exitCode() : exitCodeOf(problems.map(({ problem }) => problem));
}

function tableOf(sites: readonly CollectedSite[]): string {
  const rows = Object.entries(words).flatMap(([is, word]) => {
    const names = sites.filter((site) => site.is === is).map(({ name }) => name);
    if (names.length === 0) return [];
    const named = is === 'collected' || is === 'unchanged' ? '' : `: ${firstSites(names)}`;
    return [`${String(names.length).padStart(5)}  ${word}${named}`];
  });
  return `${['SITES  RESULT', ...rows].join('\n')}\n`;
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
