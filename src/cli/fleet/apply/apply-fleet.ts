import { problemsOf } from '../../../core/result.js';
import { whileLocked } from '../../../fleet/boot/index.js';
import { openRollout, withProblems } from '../../../fleet/rollout/index.js';
import {
  comparedSites,
  comparisonGoal,
  configurationDigest,
  groupedSites,
  runApplyRollout,
} from '../../../fleet/running/index.js';
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
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import { usageError } from '../../usage-error.js';
import { apiAccess } from '../api-access.js';
import { GroupedProblems } from '../../../fleet/problems/index.js';
import { fleetProblemsShown, shownProblems } from '../print-fleet-problems.js';
import { reportFleetDifferences } from '../review/report-fleet-differences.js';
import { printRollout } from '../rollout/print-rollout.js';
import { showingRollout } from '../rollout/rollout-lines.js';
import { requestedWebhook } from '../webhook-options.js';
import { printFleetWait } from '../wait/print-fleet-wait.js';
import {
  configurationOf,
  openRunningSites,
  siteTasks,
  visitSites,
  type FleetApplyOptions,
  type RunningSites,
  type SiteRunResult,
} from './open-running-sites.js';

type Options = GlobalOptions & FleetApplyOptions;

/** Applies the configuration of the sites of a fleet, and prints the result of each. */
export async function applyToFleet(options: Options): Promise<void> {
  const [lonely] = (['retryFailed', 'webhook'] as const).filter((name) => options[name] !== undefined);
  if (options.plan === undefined && lonely !== undefined) {
    const option = lonely === 'webhook' ? '--webhook' : '--retry-failed';
    usageError(options, `${option} needs --plan`, 'add --plan with a rollout plan, or remove the option');
    return;
  }
  const signals = onStopSignals();
  const opened = await openRunningSites(options, signals.stop);
  if (!opened.ok) {
    signals.release();
    report({ ...options, isReadOnly: true }, { problems: opened.problems });
    return;
  }
  if (options.plan !== undefined) {
    await applyInWaves(options, opened.value, signals);
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

/** Applies in the waves of a rollout plan. */
async function applyInWaves(options: Options, running: RunningSites, signals: StopSignals): Promise<void> {
  const { opened, wanted, outputs, jobs } = running;
  const sender = requestedWebhook(options, process.env);
  const digest = sender.ok
    ? await configurationDigest(opened.rows, configurationOf(options, opened), wanted)
    : sender;
  if (!sender.ok || !digest.ok) {
    signals.release();
    report(options, { problems: problemsOf(digest) });
    return;
  }
  const { stop } = signals;
  const outcome = await whileLocked({ dir: options.dir, outputs }, async () => {
    const rollout = openRollout(options, 'apply', opened, digest.value);
    if (!rollout.ok) return rollout;
    return showingRollout(options, (onNotice) =>
      runApplyRollout(rollout.value, {
        ...{ dir: options.dir, jobs, stop, clock: realClock, onNotice, sender: sender.value },
        api: { ...apiAccess(options), stop },
        taskOf: siteTasks(options, running, {
          goalOf: (_name, chosen) => goalOf(chosen, options),
          stop,
          onUnknownWave: () => undefined,
        }),
        shown: shownProblems(options),
        retriesFailed: options.retryFailed === true,
      }),
    );
  });
  signals.release();
  const lost = await sender.value.close();
  if (outcome.ok) printRollout(options, withProblems(outcome.value, [], lost), signals);
  else report(options, { problems: [...outcome.problems, ...lost] });
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
