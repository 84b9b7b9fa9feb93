import { firstSites, GroupedProblems, fleetWide, type FleetProblem } from '../../../fleet/problems/index.js';
import {
  type NodeReportText,
  groupedByStatus,
  lastStatus,
  describeNodeReport,
} from '../../../fleet/wait/index.js';
import { isError, type Problem } from '../../../core/problem.js';
import { elapsedText } from '../../../formats/elapsed.js';
import type { GlobalOptions } from '../../options.js';
import type { WaitCondition } from '../../../remote/kubernetes/goals/wait-goal.js';
import { exitCodeOf, isLogged } from '../../output/report.js';
import type { SiteProgress } from '../../../remote/kubernetes/many/wait-for-sites.js';
import { count } from '../../../run/problem-text.js';
import { fleetProblemsForPrograms, printFleetProblems } from '../print-fleet-problems.js';
import { isData, printData } from '../../output/data.js';

/** The result of a wait for a fleet. */
export interface FleetWaitResult {
  /** The condition; `applied` is that of `fleet apply`, `upgrade-ready` that of `fleet upgrade --preflight`. */
  readonly waited: WaitCondition | 'applied' | 'upgrade-ready';
  readonly sites: readonly SiteProgress[];
  readonly nodes: ReadonlyMap<string, NodeReportText>;
  readonly waitedMs: number;
  /** Warnings about the fleet itself. */
  readonly warnings: readonly Problem[];
}

/** Limits for printed lines, and for problems per code; JSON contains all. */
const [shownLines, shownOfKind] = [20, 5];

/** Prints the state of each site, grouped by equal state, and returns the exit code. */
export function printFleetWait(options: GlobalOptions, end: FleetWaitResult): number {
  const { sites, nodes, warnings } = end;
  const found = new GroupedProblems();
  for (const site of sites) found.add(site.name, problemsOf(site, nodes.get(site.name)));
  const problems = [...warnings.map(fleetWide), ...found.list()];
  if (isData(options)) printData(options, shownJson(options, end, problems));
  else {
    printFleetProblems(options, firstOfEach(problems), sites.length);
    if (isLogged(options, 'info')) process.stdout.write(`${textOf(end).join('\n')}\n`);
  }
  return exitCodeOf(problems.map(({ problem }) => problem));
}

function shownJson(options: GlobalOptions, end: FleetWaitResult, problems: readonly FleetProblem[]): object {
  const { waited, sites, nodes, waitedMs } = end;
  const isReached = sites.every(({ outcome }) => outcome?.kind === 'reached');
  const isStopped = sites.some(({ outcome }) => outcome?.kind === 'stopped');
  return {
    ok: isReached && !problems.some(({ problem }) => isError(problem)),
    problems: fleetProblemsForPrograms(options, problems),
    condition: waited,
    state: isStopped ? 'stopped' : isReached ? 'reached' : 'not-reached',
    seconds: Math.floor(waitedMs / 1000),
    sites: sites.map((site) => shownSite(site, nodes.get(site.name))),
  };
}

function shownSite({ name, word, outcome }: SiteProgress, node: NodeReportText | undefined): object {
  const facts = outcome?.kind === 'reached' ? outcome.facts : {};
  const { version, consoleUrl, nodes, changes } = facts;
  return {
    name,
    state: stateOf(outcome),
    seconds: Math.floor((outcome?.waitedMs ?? 0) / 1000),
    ...(word !== undefined && outcome?.kind !== 'reached' && { api: word }),
    ...(node && { report: node }),
    ...(version !== undefined && { version }),
    ...(consoleUrl !== undefined && { consoleUrl }),
    ...(nodes !== undefined && { nodes }),
    ...(changes !== undefined && { changes }),
  };
}

function stateOf(outcome: SiteProgress['outcome']): 'reached' | 'not-reached' | 'stopped' {
  if (outcome === undefined) return 'stopped';
  return outcome.kind === 'failed' ? 'not-reached' : outcome.kind;
}

/** Returns the problems of a site that did not reach the condition, with the last report of its node. */
function problemsOf({ outcome }: SiteProgress, node: NodeReportText | undefined): readonly Problem[] {
  if (outcome === undefined || outcome.kind === 'stopped') return [];
  if (outcome.kind === 'reached') return outcome.warnings;
  if (node === undefined) return outcome.problems;
  const [first, ...others] = outcome.problems;
  if (first === undefined) return [];
  const message = `${first.message}; ${describeNodeReport(node)}`;
  return [{ ...first, message, ...(node.isFailing && { hint: failureHint }) }, ...others];
}

const failureHint =
  'collect the logs with `sno-install gather` and run `sno-install analyze` on them; the node retries by itself';

function firstOfEach(problems: readonly FleetProblem[]): readonly FleetProblem[] {
  const seen = new Map<string, number>();
  return problems.filter(({ problem: { code } }) => {
    const number = (seen.get(code) ?? 0) + 1;
    seen.set(code, number);
    return number <= shownOfKind;
  });
}

const doneWords: Readonly<Record<FleetWaitResult['waited'], string>> = {
  applied: 'applied',
  'upgrade-ready': 'ready for the upgrade',
  'bootstrap-complete': 'bootstrap complete',
  'install-complete': 'install complete',
  'post-install-complete': 'post-install complete',
  'node-ready': 'ready',
};

function textOf({ waited, sites, nodes, waitedMs }: FleetWaitResult): readonly string[] {
  const groups = groupedByStatus(sites, (site) => {
    const { outcome } = site;
    if (outcome?.kind === 'reached')
      return [doneWords[waited], ...[outcome.facts.version, outcome.facts.changes].filter(Boolean)].join(
        ', ',
      );
    const state = outcome?.kind === 'failed' ? 'not reached' : 'pending';
    return `${state}: ${lastStatus(site, nodes.get(site.name))}`;
  });
  const rows = groups
    .slice(0, shownLines)
    .map(({ words, names }) => `${String(names.length).padStart(5)}  ${words} (${firstSites(names)})`);
  const left = groups.slice(shownLines).reduce((all, { names }) => all + names.length, 0);
  return [
    'SITES  LAST WORD',
    ...rows,
    ...(left === 0 ? [] : [`${String(left).padStart(5)}  others (use --output json to list them)`]),
    '',
    `${waited}: ${summaryOf(sites)} (after ${elapsedText(waitedMs)})`,
  ];
}

/** Summarizes the states: `3000 sites: 2998 reached, 2 not reached`. */
function summaryOf(sites: readonly SiteProgress[]): string {
  const parts = (['reached', 'not-reached', 'stopped'] as const).flatMap((state) => {
    const number = sites.filter(({ outcome }) => stateOf(outcome) === state).length;
    const words = { reached: 'reached', 'not-reached': 'not reached', stopped: 'pending' }[state];
    return number === 0 ? [] : [`${number} ${words}`];
  });
  return `${count(sites.length, 'site')}: ${parts.join(', ')}`;
}
