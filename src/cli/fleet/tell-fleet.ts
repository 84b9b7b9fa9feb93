import type { Problem } from '../../core/problem.js';
import type { GlobalOptions } from '../options.js';
import { forPrograms, tellProblems } from '../output/report.js';
import type { FleetProblem } from '../../fleet/grouped-problems.js';
import { namedSites } from '../../fleet/review/named-sites.js';
import { count } from '../../run/problem-text.js';

/** How many cells with the same fault text shows; JSON has all of them. */
const shownCells = 5;

/** Problems of a fleet of so many sites as text on stderr, those of many sites once. */
export function tellFleetProblems(
  options: GlobalOptions,
  found: readonly FleetProblem[],
  sites: number,
): void {
  tellProblems(options, fleetProblemsForPeople(found, sites));
}

/** Problems with the sites that have them in their messages; of many cells with one fault the first. */
function fleetProblemsForPeople(found: readonly FleetProblem[], sites: number): readonly Problem[] {
  return firstCells(found).map((each) => withSites(each, sites));
}

/** Problems as a command hands them on with others: for people as above, for programs all of them with their sites. */
export function fleetProblemsShown(
  { output }: { readonly output: string },
  found: readonly FleetProblem[],
  sites: number,
): readonly Problem[] {
  return output === 'json'
    ? found.map(({ problem, sites: names }) => ({ ...problem, sites: names }))
    : fleetProblemsForPeople(found, sites);
}

/** All of them, each with its sites. */
export function fleetProblemsForPrograms(
  options: GlobalOptions,
  found: readonly FleetProblem[],
): readonly (Problem & { readonly sites: readonly string[] })[] {
  return found.map(({ problem, sites }) => ({ ...forPrograms(options.dir, problem), sites }));
}

/** The problems without those of further cells in which one line of the base finds the same fault; the last one says how many. */
function firstCells(found: readonly FleetProblem[]): readonly FleetProblem[] {
  const keyOf = ({ code, from, hint }: Problem): string => JSON.stringify([code, from, hint]);
  const left = new Map<string, number>();
  for (const { problem } of found) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? -shownCells) + 1);
  const shown = new Map<string, number>();
  return found.flatMap((each) => {
    const { problem } = each;
    if (problem.from === undefined) return [each];
    const index = (shown.get(keyOf(problem)) ?? 0) + 1;
    shown.set(keyOf(problem), index);
    if (index > shownCells) return [];
    const more = left.get(keyOf(problem)) ?? 0;
    if (index < shownCells || more <= 0) return [each];
    const message = `${problem.message} (and ${count(more, 'cell')} more with the same fault)`;
    return [{ ...each, problem: { ...problem, message } }];
  });
}

/** Whose problem it is stands in the message, for what many have; a cell of the table says it by itself. */
function withSites({ problem, sites }: FleetProblem, all: number): Problem {
  if (problem.from !== undefined || sites.length === 0) return problem;
  const whose = namedSites(sites, all);
  return { ...problem, message: `${problem.message} (${whose})` };
}
