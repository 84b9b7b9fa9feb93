import { firstSites, fleetWide, GroupedProblems, type FleetProblem } from '../../../fleet/problems/index.js';
import {
  countSites,
  type RolloutState,
  localTimeText,
  nextOpening,
  type RolloutResult,
  type OpenedRollout,
} from '../../../fleet/rollout/index.js';
import { alignColumns } from '../../../core/align-columns.js';
import { isError, problem } from '../../../core/problem.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { count } from '../../../run/problem-text.js';
import type { GlobalOptions } from '../../options.js';
import { isData, printData } from '../../output/data.js';
import { exitCodeOf, isLogged } from '../../output/report.js';
import { fleetProblemsForPrograms, printFleetProblems } from '../print-fleet-problems.js';
import type { StopSignals } from '../../stop-signals.js';
import { countsText } from './rollout-lines.js';

/** Prints the waves and the causes of failures, and sets the exit code. */
export function printRollout(
  options: GlobalOptions,
  { state, causes, problems: others }: RolloutResult,
  signals: StopSignals,
): void {
  const found = new GroupedProblems();
  const hint = 'fix the cause, and run the same command with --retry-failed';
  for (const [name, cause] of causes) found.add(name, [problem('rollout/site-failed', cause, { hint })]);
  const stopped =
    state.state === 'stopped'
      ? [fleetWide(problem('rollout/stopped', state.message ?? '', { hint: stopHint }))]
      : [];
  const problems: readonly FleetProblem[] = [...found.list(), ...stopped, ...others.map(fleetWide)];
  if (isData(options)) {
    const isDone = state.state === 'complete' && !problems.some(({ problem: each }) => isError(each));
    printData(options, {
      ok: isDone,
      problems: fleetProblemsForPrograms(options, problems),
      ...shownState(state, causes),
    });
  } else {
    printFleetProblems(options, problems, state.sites.size);
    if (isLogged(options, 'info')) process.stdout.write(textOf(state));
  }
  const isInterrupted = signals.stop.aborted && state.state === 'interrupted';
  process.exitCode = isInterrupted
    ? signals.exitCode()
    : exitCodeOf(problems.map(({ problem: each }) => each));
}

const stopHint =
  'fix the cause, and run the same command with --retry-failed; or put the failed sites on hold in the plan';

function shownState({ sites, ...state }: RolloutState, causes: ReadonlyMap<string, string>): object {
  return {
    ...state,
    sites: [...sites].map(([name, site]) => {
      const cause = causes.get(name);
      return { name, ...site, ...(cause !== undefined && { cause }) };
    }),
  };
}

function textOf(state: RolloutState): string {
  const { waves, sites } = state;
  const rows = waves.map(({ name, state: reached }) => [name, reached, countsText(state, name)]);
  const held = [...sites].filter(([, site]) => site.state === 'held').map(([name]) => name);
  const lines = [
    ...alignColumns([['WAVE', 'STATE', 'SITES'], ...rows]),
    ...(held.length > 0 ? [`on hold: ${firstSites(held)}`] : []),
    `${state.state}: ${countsText(state)}`,
    ...(state.state === 'interrupted' ? ['run the same command again to continue'] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Prints the plan of a run. */
export function printRolloutPlan(
  options: GlobalOptions,
  { waves: { waves, held }, plan, release: until = plan.until, earlier, operation }: OpenedRollout,
): void {
  const present = new Date();
  const next = nextOpening(plan.windows, present);
  const shown = waves.map(({ name, sites }) => {
    const known = sites.flatMap((site) => earlier?.sites.get(site) ?? []);
    const { done, failed, waiting } = countSites(known);
    return { name, sites, failureLimit: plan.failureLimit(sites.length), done, failed, waiting };
  });
  if (isData(options)) {
    const opens = next === undefined ? {} : { windowOpensAt: rfc3339(next.at) };
    printData(options, { ok: true, problems: [], operation, until, waves: shown, held, ...opens });
    return;
  }
  const rows = shown.map(({ name, sites, failureLimit, done, failed, waiting }) => [
    name,
    String(sites.length),
    String(failureLimit),
    [`${done} done`, `${failed} failed`, `${waiting} waiting`]
      .filter((each) => !each.startsWith('0'))
      .join(', '),
    firstSites(sites),
  ]);
  const window =
    plan.windows.length === 0
      ? 'any time'
      : next === undefined
        ? 'open now'
        : `opens on ${localTimeText(next.at, next.zone)}`;
  const lines = [
    ...alignColumns([['WAVE', 'SITES', 'LIMIT', 'STARTED', ''], ...rows]),
    ...(held.length > 0 ? [`on hold: ${count(held.length, 'site')}: ${firstSites(held)}`] : []),
    `until: ${until}`,
    `window: ${window}`,
  ];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
