import type { SiteOutcome, FleetResult } from '../../fleet/build/index.js';
import { isError } from '../../core/problem.js';
import type { GlobalOptions } from '../options.js';
import { exitCodes } from '../output/exit-codes.js';
import { exitCodeOf, isLogged } from '../output/report.js';
import type { StopSignals } from '../stop-signals.js';
import { count } from '../../run/problem-text.js';
import { fleetProblemsForPrograms, reportFleetProblems } from './print-fleet-problems.js';
import { isData, printData } from '../output/data.js';

/** Label per outcome, in the order of the printed table. */
const words: readonly (readonly [SiteOutcome | 'updated', string])[] = [
  ['created', 'created'],
  ['updated', 'updated (same keys)'],
  ['unchanged', 'unchanged'],
  ['failed', 'failed'],
  ['not-started', 'not started'],
];

/** Prints the results of a fleet and sets the exit code. */
export async function printFleetResult(
  options: GlobalOptions,
  { problems, sites, bugs }: FleetResult,
  signals?: StopSignals,
): Promise<void> {
  const isStopped = signals !== undefined && signals.stop.aborted;
  const isWhole = sites.every(({ outcome }) => outcome === 'created' || outcome === 'unchanged');
  if (isData(options)) {
    const shown = sites.map(({ name, outcome, facts, iso, isUpdate = false }) => ({
      name,
      result: outcome,
      ...(outcome === 'created' && { keptKeys: isUpdate }),
      ...facts,
      ...(iso && { iso }),
    }));
    const result = {
      ok: isWhole && !problems.some(({ problem }) => isError(problem)),
      problems: fleetProblemsForPrograms(options, problems),
      sites: shown,
    };
    printData(options, result);
  } else {
    reportFleetProblems(options, problems, sites.length);
    if (isLogged(options, 'info') && sites.length > 0) process.stdout.write(tableOf(sites));
    if (isStopped || !isWhole) process.stderr.write(nextStep(sites, isStopped));
  }
  const [bug] = bugs;
  if (bug !== undefined) {
    const { reportBug } = await import('../output/report-bug.js');
    reportBug(bug);
  }
  process.exitCode = exitCode();

  function exitCode(): number {
    if (bug !== undefined) return exitCodes.bug;
    if (isStopped && !isWhole) return signals.exitCode();
    return exitCodeOf(problems.map(({ problem }) => problem));
  }
}

type Sites = FleetResult['sites'];

function tableOf(sites: Sites): string {
  const rows = words.flatMap(([outcome, word]) => {
    const number = sites.filter((site) => labelOf(site) === outcome).length;
    return number === 0 ? [] : [`${String(number).padStart(5)}  ${word}`];
  });
  const [first] = sites.flatMap(({ facts }) => facts.bootableUntil ?? []).sort();
  const until = first === undefined ? [] : [`Boot them before ${first}: the first certificates expire then.`];
  return `${['SITES  RESULT', ...rows, ...isoLines(sites), ...until].join('\n')}\n`;
}

function labelOf({ outcome, isUpdate }: Sites[number]): SiteOutcome | 'updated' {
  return isUpdate === true ? 'updated' : outcome;
}

function isoLines(sites: Sites): readonly string[] {
  const isos = sites.flatMap(({ iso }) => iso ?? []);
  if (isos.length === 0) return [];
  const written = isos.filter(({ writtenBytes }) => writtenBytes > 0);
  const bytes = written.reduce((sum, { writtenBytes }) => sum + writtenBytes, 0);
  const others = isos.length - written.length;
  return [
    ...(written.length === 0
      ? []
      : [`Wrote ${count(written.length, 'ISO')} (${megabytes(bytes)}), such as ${written[0]?.path ?? ''}.`]),
    ...(others === 0 ? [] : [`${count(others, 'ISO')} up to date.`]),
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function nextStep(sites: Sites, isStopped: boolean): string {
  const left = sites.filter(({ outcome }) => outcome === 'not-started').length;
  if (isStopped)
    return `interrupted, ${count(left, 'site')} not started; run the same command again to continue\n`;
  return left === 0
    ? ''
    : `${count(left, 'site')} not started because --fail-fast stopped at the first failure\n`;
}
