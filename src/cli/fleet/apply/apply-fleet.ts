import { comparedSites, comparisonGoal, groupedSites } from '../../../fleet/running/index.js';
import { applyWaves } from '../../../remote/kubernetes/apply/apply-waves.js';
import type { ChosenObjects } from '../../../remote/kubernetes/apply/chosen-objects.js';
import { failuresOf } from '../../../remote/kubernetes/apply/cluster-differences.js';
import { dryRunGoal, type DryRunOrder, type DryRunResult } from '../../../remote/kubernetes/apply/dry-run.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import type { Goal } from '../../../remote/kubernetes/wait.js';
import type { Difference } from '../../../review/diff/difference.js';
import { count } from '../../../run/problem-text.js';
import { countedChanges, dryRunTimeoutMs } from '../../apply/print-apply.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { realClock } from '../../real-clock.js';
import { onStopSignals } from '../../stop-signals.js';
import { GroupedProblems } from '../../../fleet/problems/index.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { reportFleetDifferences } from '../review/report-fleet-differences.js';
import { printFleetWait } from '../wait/print-fleet-wait.js';
import {
  openRunningSites,
  visitSites,
  type RunningSites,
  type RunningSitesOptions,
  type SiteRunResult,
} from './open-running-sites.js';

type Options = GlobalOptions & RunningSitesOptions;

/** Applies the configuration of the sites of a fleet, and prints the result of each. */
export async function applyToFleet(options: Options): Promise<void> {
  const signals = onStopSignals();
  const opened = await openRunningSites(options, signals.stop);
  if (!opened.ok) {
    signals.release();
    report({ ...options, isReadOnly: true }, { problems: opened.problems });
    return;
  }
  const found = new Map<string, readonly Difference[]>();
  const isChecking = options.dryRun !== undefined || options.diff === true;
  const run = await visitSites(options, opened.value, {
    goalOf: (name, chosen) =>
      options.diff === true
        ? comparisonGoal({ ...chosen, isPruning: options.prune === true }, (differences) =>
            found.set(name, differences),
          )
        : goalOf(chosen, options),
    // Each wave has its own limit.
    timeoutMs: isChecking ? dryRunTimeoutMs : Infinity,
    signals,
    title: `${isChecking ? 'checking' : 'applying'} the configuration of ${count(opened.value.opened.rows.length, 'site')}`,
  });
  signals.release();
  if (run.unknownWave !== undefined) report(options, { problems: [run.unknownWave] });
  else if (options.diff === true) reportDifferences(options, opened.value, { run, found });
  else
    process.exitCode = printFleetWait(options, { waited: 'applied', ...run, nodes: new Map(), warnings: [] });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

function reportDifferences(
  options: Options,
  { opened }: RunningSites,
  { run, found }: { readonly run: SiteRunResult; readonly found: ReadonlyMap<string, readonly Difference[]> },
): void {
  const problems = new GroupedProblems();
  for (const { name, outcome } of run.sites) {
    if (outcome?.kind === 'reached') problems.add(name, outcome.warnings);
    else if (outcome?.kind === 'failed') problems.add(name, outcome.problems);
  }
  reportFleetDifferences(options, {
    problems: fleetProblemsShown(options, problems.list(), opened.rows.length),
    found: groupedSites(opened, comparedSites(run.sites, found)),
    what: 'the sites and their clusters',
    advice: 'Run the command without --diff to apply the configuration.',
  });
}

function goalOf(chosen: ChosenObjects, options: Options): Goal<ClusterClient> {
  const how = { isForced: options.forceConflicts === true, isPruning: options.prune === true };
  if (options.dryRun !== undefined) return dryRunOf({ ...chosen, ...how });
  const run = applyWaves({ ...chosen, ...how, clock: realClock });
  return {
    ...run.goal,
    look: async (client, present) => {
      const result = await run.goal.look(client, present);
      return result.kind === 'reached'
        ? {
            ...result,
            facts: { changes: countedChanges({ states: run.states(), removals: run.removals() }) },
          }
        : result;
    },
  };
}

function dryRunOf(order: DryRunOrder): Goal<ClusterClient> {
  let done: DryRunResult = { states: [], removals: [] };
  const goal = dryRunGoal(order, (result) => (done = result));
  return {
    ...goal,
    look: async (client, present) => {
      const result = await goal.look(client, present);
      if (result.kind !== 'reached') return result;
      const problems = failuresOf(done);
      if (problems.length > 0) return { kind: 'hopeless', problems: [...result.warnings, ...problems] };
      return { ...result, facts: { changes: `${countedChanges(done)} (server dry run)` } };
    },
  };
}
