import { isError, type Problem } from '../core/problem.js';
import { problemsOf } from '../core/result.js';
import { standardInput } from '../disk/outside/standard-input.js';
import { templatesFolder } from '../disk/package.js';
import { judgeFleet, type FleetProblem } from '../fleet/judge-fleet.js';
import { openFleet } from '../fleet/read-fleet.js';
import { rehearsedOutputs } from '../rehearsed-outputs.js';
import type { AioOptions, GlobalOptions } from '../command-line/options.js';
import { count } from '../telling/problem-text.js';
import { exitCodeOf, forPrograms, shows, tellProblems } from '../command-line/output/report.js';
import { siteProgress } from '../command-line/progress.js';
import { urlOrPath } from '../command-line/request.js';
import type { FleetOptions } from './fleet-options.js';

/** How many sites text names of those that have a problem, and how many cells with the same fault; JSON has all of them. */
const namedSites = 5;
const shownCells = 5;

/** Judges every site of a fleet as `create` would, and tells what sites have in common once. */
export async function validateFleet(options: GlobalOptions & AioOptions & FleetOptions): Promise<void> {
  const opened = openFleet(options.dir, {
    only: options.only,
    outside: { variables: process.env, stdin: standardInput() },
  });
  const ofFleet = problemsOf(opened).map((problem) => ({ problem, sites: [] }));
  if (!opened.ok) {
    tell(options, ofFleet, []);
    return;
  }
  const { fleet, rows } = opened.value;
  const offline = options.offlineFiles;
  const surroundings = { now: new Date(), variables: process.env };
  const screen = siteProgress(options, rows.length);
  const found = await judgeFleet(
    opened.value,
    (inputs) =>
      rehearsedOutputs(
        {
          target: fleet.target,
          inputs,
          templatesFolder: templatesFolder(),
          ...(offline !== undefined && { offlineFiles: urlOrPath(offline) }),
        },
        surroundings,
      ),
    screen.onSite,
  );
  screen.done();
  tell(
    options,
    [...ofFleet, ...found],
    rows.map(({ name }) => name),
  );
}

function tell(options: GlobalOptions, found: readonly FleetProblem[], sites: readonly string[]): void {
  const problems = found.map(({ problem }) => problem);
  const errors = found.filter(({ problem }) => isError(problem));
  const faulty = new Set(errors.flatMap((each) => each.sites));
  if (options.output === 'json') {
    const shown = found.map(({ problem, sites }) => ({ ...forPrograms(options.dir, problem), sites }));
    const all = sites.map((name) => ({ name, ok: !faulty.has(name) }));
    const result = { ok: errors.length === 0, problems: shown, sites: all };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    tellProblems(
      options,
      firstCells(found).map((each) => withSites(each, sites.length)),
    );
    if (errors.length > 0) process.stderr.write(`\n${count(errors.length, 'problem')}\n`);
    if (shows(options, 'info') && sites.length > 0)
      process.stdout.write(`${verdict(sites.length, faulty.size, problems.length)}\n`);
  }
  process.exitCode = exitCodeOf(problems);
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
  const named = sites.slice(0, namedSites).join(', ');
  const rest = sites.length > namedSites ? `${named} and ${sites.length - namedSites} more` : named;
  const whose =
    sites.length === all && all > 1 ? `all ${all} sites` : `${count(sites.length, 'site')}: ${rest}`;
  return { ...problem, message: `${problem.message} (${whose})` };
}

function verdict(sites: number, faulty: number, problems: number): string {
  const all = count(sites, 'site');
  if (faulty > 0) return `${faulty} of ${all} cannot be made`;
  return problems === 0 ? `${all}: no problems found` : `${all}: no errors found`;
}
