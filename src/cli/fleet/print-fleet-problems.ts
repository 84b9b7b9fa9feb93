import { namedSites, type FleetProblem, type ShownProblems } from '../../fleet/problems/index.js';
import { isError, type Problem } from '../../core/problem.js';
import type { GlobalOptions } from '../options.js';
import { isLogged, machineReadable, printProblems } from '../output/report.js';
import { count, problemCounts } from '../../run/problem-text.js';
import { isData } from '../output/data.js';

/** Limit for printed table cells with the same fault; JSON contains all. */
const maxShownCells = 5;

/** Prints the problems of a fleet to stderr; problems shared by several sites once. */
export function printFleetProblems(
  options: GlobalOptions,
  found: readonly FleetProblem[],
  sites: number,
): void {
  printProblems(options, fleetProblemsForPeople(found, sites));
}

/** Like `printFleetProblems`, with a summary line if there are errors. */
export function reportFleetProblems(
  options: GlobalOptions,
  found: readonly FleetProblem[],
  sites: number,
): void {
  printFleetProblems(options, found, sites);
  const problems = found.map(({ problem }) => problem);
  if (!problems.some(isError)) return;
  const counted = isLogged(options, 'warn') ? problems : problems.filter(isError);
  process.stderr.write(`\n${problemCounts(counted)}\n`);
}

/** Adds site names to messages, and reduces many cells with the same fault to the first few. */
function fleetProblemsForPeople(found: readonly FleetProblem[], sites: number): readonly Problem[] {
  return firstCells(found).map((each) => withSites(each, sites));
}

/** Prepares fleet problems for `report`: condensed for text output, complete with their sites for JSON. */
export function fleetProblemsShown(
  options: Pick<GlobalOptions, 'output'>,
  found: readonly FleetProblem[],
  sites: number,
): readonly Problem[] {
  return isData(options)
    ? found.map(({ problem, sites: names }) => ({ ...problem, sites: names }))
    : fleetProblemsForPeople(found, sites);
}

/** `fleetProblemsShown` for the output of a command. */
export function shownProblems(options: Pick<GlobalOptions, 'output'>): ShownProblems {
  return (found, sites) => fleetProblemsShown(options, found, sites);
}

/** Returns all problems with their sites. */
export function fleetProblemsForPrograms(
  options: GlobalOptions,
  found: readonly FleetProblem[],
): readonly (Problem & { readonly sites: readonly string[] })[] {
  return found.map(({ problem, sites }) => ({ ...machineReadable(options.dir, problem), sites }));
}

/**
 * Omits further cells in which one line of the base causes the same fault. The last message contains the number of omitted cells.
 */
function firstCells(found: readonly FleetProblem[]): readonly FleetProblem[] {
  const keyOf = ({ code, from, hint }: Problem): string => JSON.stringify([code, from, hint]);
  const left = new Map<string, number>();
  for (const { problem } of found) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? -maxShownCells) + 1);
  const shown = new Map<string, number>();
  return found.flatMap((each) => {
    const { problem } = each;
    if (problem.from === undefined) return [each];
    const index = (shown.get(keyOf(problem)) ?? 0) + 1;
    shown.set(keyOf(problem), index);
    if (index > maxShownCells) return [];
    const more = left.get(keyOf(problem)) ?? 0;
    if (index < maxShownCells || more <= 0) return [each];
    const message = `${problem.message} (and ${count(more, 'cell')} more with the same fault)`;
    return [{ ...each, problem: { ...problem, message } }];
  });
}

/** Appends the affected sites to a message. Problems in a table cell already identify their site. */
function withSites({ problem, sites }: FleetProblem, all: number): Problem {
  if (problem.from !== undefined || sites.length === 0) return problem;
  const whose = namedSites(sites, all);
  return { ...problem, message: `${problem.message} (${whose})` };
}
