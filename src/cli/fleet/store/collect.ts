import { firstSites, fleetWide } from '../../../fleet/problems/index.js';
import {
  type CollectedSite,
  type CollectResult,
  collectSites,
  type Collected,
  openRequestedStore,
} from '../../../fleet/store/index.js';
import { neededStdin, siteOptions } from '../../../fleet/build/index.js';
import { processSurroundings } from '../../surroundings.js';
import { isError } from '../../../core/problem.js';
import { problemsOf } from '../../../core/result.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { openFleetOf } from '../open-fleet.js';
import type { AioOptions, GlobalOptions } from '../../options.js';
import { isData, printData } from '../../output/data.js';
import { exitCodeOf, isLogged } from '../../output/report.js';
import { stateAccess } from '../../request.js';
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import type { CollectOptions } from '../fleet-options.js';
import { fleetProblemsForPrograms, printFleetProblems } from '../print-fleet-problems.js';
import { noteOf } from './store-note.js';

type Options = GlobalOptions & AioOptions & CollectOptions;

/** Downloads the sites of a fleet from a store into their folders. Reports missing and outdated sites. */
export async function collectFleet(options: Options): Promise<void> {
  const stdin = standardInput();
  const signals = onStopSignals();
  try {
    const keys = await stateAccess(options, stdin).keys();
    const opened = openFleetOf(options, stdin);
    const store = openRequestedStore(options, processSurroundings(), signals.stop, {
      onWait: noteOf(options),
    });
    const problems = [keys, opened, store].flatMap(problemsOf);
    if (!keys.ok || !opened.ok || !store.ok) {
      reportCollected(options, { problems: problems.map(fleetWide), sites: [] });
      return;
    }
    const access = { keys: keys.value, ...neededStdin(opened.value, stdin) };
    const order = siteOptions({ ...options, surroundings: processSurroundings(stdin) }, opened.value, access);
    const collected = await collectSites({
      opened: opened.value,
      store: store.value,
      order,
      stop: signals.stop,
    });
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
