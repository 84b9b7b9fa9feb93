import { isError } from '../../core/problem.js';
import type { FleetProblem } from '../../fleet/grouped-problems.js';
import type { CollectedAs, CollectedSite } from '../../fleet-store/collect-site.js';
import { firstSites } from '../../fleet-review/named-sites.js';
import type { GlobalOptions } from '../../command-line/options.js';
import { exitCodeOf, shows } from '../../command-line/output/report.js';
import type { StopSignals } from '../../command-line/stop-signals.js';
import { fleetProblemsForPrograms, tellFleetProblems } from '../../fleet-command-line/tell-fleet.js';

/** What was collected. */
export interface Collected {
  readonly problems: readonly FleetProblem[];
  /** In the order of the table, of those that the run came to. */
  readonly sites: readonly CollectedSite[];
}

/** What stands in the table for each, in its order. */
const words: Readonly<Record<CollectedAs, string>> = {
  collected: 'collected',
  unchanged: 'unchanged since they were collected',
  stale: 'collected, and to be made again',
  missing: 'not in the store',
  failed: 'cannot be collected',
};

/** Tells what was collected, and sets the exit code. */
export function tellCollected(
  options: GlobalOptions,
  { problems, sites }: Collected,
  signals?: StopSignals,
): void {
  const isStopped = signals?.stop.aborted === true;
  if (options.output === 'json') {
    const result = {
      ok: !isStopped && !problems.some(({ problem }) => isError(problem)),
      problems: fleetProblemsForPrograms(options, problems),
      sites: sites.map(({ name, is, facts }) => ({ name, result: is, ...facts })),
    };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    tellFleetProblems(options, problems, sites.length);
    if (shows(options, 'info') && sites.length > 0) process.stdout.write(tableOf(sites));
    if (isStopped) process.stderr.write('interrupted: the same command goes on from here\n');
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
