import { apiAccess } from '../api-access.js';
import { siteApi } from '../../../fleet/wait/index.js';
import { type LoadedFleet, filesOf, siteSourcesOf, siteProblems } from '../../../fleet/table/index.js';
import { processSurroundings } from '../../surroundings.js';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { isError, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { requireInside } from '../../../disk/record-file.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { applyWaves } from '../../../remote/kubernetes/apply/apply-waves.js';
import { dryRunGoal, type DryRunState } from '../../../remote/kubernetes/apply/dry-run.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import type { Goal } from '../../../remote/kubernetes/wait.js';
import { waitForSites } from '../../../remote/kubernetes/many/wait-for-sites.js';
import { count } from '../../../run/problem-text.js';
import { chosenObjects, type ChosenObjects } from '../../../remote/kubernetes/apply/chosen-objects.js';
import { failuresOf } from '../../../remote/kubernetes/apply/cluster-differences.js';
import { wantedObjects } from '../../apply/wanted-objects.js';
import { countedStates, dryRunTimeoutMs } from '../../apply/print-apply.js';
import type { ApplyOptions, GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { onStopSignals } from '../../stop-signals.js';
import { realClock } from '../../real-clock.js';
import { checkedSites } from '../checked-sites.js';
import type { FleetOptions } from '../fleet-options.js';
import { openFleetOf } from '../open-fleet.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { fleetWaitLimits } from '../wait/fleet-wait-options.js';
import { progressForm, stderrScreen } from '../../wait/progress-form.js';
import { fleetWaitProgress } from '../wait/fleet-wait-progress.js';
import { printFleetWait } from '../wait/print-fleet-wait.js';

export interface FleetApplyOptions
  extends
    FleetOptions,
    Pick<ApplyOptions, 'wave' | 'dryRun' | 'forceConflicts' | 'timeout' | 'trustKubeconfig'> {
  readonly jobs: string;
}

type Options = GlobalOptions & FleetApplyOptions;

/** Applies the post-install manifests of the sites of a fleet, and prints the result of each. */
export async function applyToFleet(options: Options): Promise<void> {
  const opened = await openSites(options);
  if (!opened.ok) {
    report({ ...options, isReadOnly: true }, { problems: opened.problems });
    return;
  }
  const { sites, outputs, jobs } = opened.value;
  if (sites.length === 0) {
    report(options, { problems: [], text: 'no site has manifests in post-install/\n', json: noSites });
    return;
  }
  const screen = stderrScreen();
  const form = progressForm(options);
  if (form === 'line' || form === 'lines')
    screen.write(`applying the post-install manifests of ${count(sites.length, 'site')}\n`);
  const progress = fleetWaitProgress(form, screen);
  const signals = onStopSignals();
  const api = { ...apiAccess(options), stop: signals.stop };
  let waitedMs = 0;
  const finished = await waitForSites(
    sites.map(({ name, chosen, located }) => ({
      name,
      goal: locatedGoal(goalOf(chosen, options), located),
      connect: () => siteApi(join(outputs, name), api),
    })),
    {
      clock: realClock,
      // Each wave has its own limit.
      timeoutMs: options.dryRun === undefined ? Infinity : dryRunTimeoutMs,
      jobs,
      stop: signals.stop,
      onProgress: (progressOf, nowMs) => {
        waitedMs = nowMs;
        progress.onProgress(progressOf, new Map(), nowMs);
      },
    },
  );
  progress.done();
  signals.release();
  const end = { waited: 'applied', sites: finished, nodes: new Map(), waitedMs, warnings: [] } as const;
  const code = printFleetWait(options, end);
  process.exitCode = signals.stop.aborted ? signals.exitCode() : code;
}

const noSites = { condition: 'applied', state: 'reached', seconds: 0, sites: [] };

interface SiteToApply {
  readonly name: string;
  readonly chosen: ChosenObjects;
  /** Moves problems to the files of the fleet. */
  readonly located: (problems: readonly Problem[]) => readonly Problem[];
}

interface OpenedSites {
  /** Only sites that have something to apply. */
  readonly sites: readonly SiteToApply[];
  readonly outputs: string;
  readonly jobs: number;
}

/** Checks all sites. Problems: those of `checkedSites`, of `chosenObjects` and of the fleet. */
async function openSites(options: Options): Promise<Result<OpenedSites>> {
  const limits = fleetWaitLimits({ timeout: options.timeout ?? '60m', jobs: options.jobs });
  if (!limits.ok) return limits;
  const stdin = standardInput();
  const opened = openFleetOf(options, stdin);
  if (!opened.ok) return opened;
  const outputs = join(options.dir, opened.value.fleet.outputs);
  const inside = requireInside(outputs, options.dir);
  if (!inside.ok) return inside;
  const found = await checkedSites(
    options,
    { opened: opened.value, jobs: availableParallelism() },
    processSurroundings(stdin),
  );
  const errors = found.filter(({ problem }) => isError(problem));
  if (errors.length > 0) return failure(...fleetProblemsShown(options, errors, opened.value.rows.length));
  const sites = sitesToApply(opened.value, options);
  return sites.ok ? success({ sites: sites.value, outputs, jobs: limits.value.jobs }) : sites;
}

/** Skips sites without manifests. A wave that some sites do not have is skipped there. */
function sitesToApply(opened: LoadedFleet, options: Options): Result<readonly SiteToApply[]> {
  const wanted = wantedObjects(options);
  if (!wanted.ok) return wanted;
  const { known } = siteSourcesOf(opened);
  const read = opened.rows.map((row) => ({
    name: row.name,
    chosen: chosenObjects(filesOf(opened, row).inputs, wanted.value),
    located: (problems: readonly Problem[]) => siteProblems(filesOf(opened, row), problems, known),
  }));
  const sites = read.flatMap(({ name, chosen, located }) =>
    chosen.ok && chosen.value.objects.length > 0 ? [{ name, chosen: chosen.value, located }] : [],
  );
  if (sites.length > 0) return success(sites);
  const [first] = read.flatMap(({ chosen }) => problemsOf(chosen));
  return first === undefined ? success(sites) : failure(first);
}

function locatedGoal(goal: Goal<ClusterClient>, located: SiteToApply['located']): Goal<ClusterClient> {
  return {
    ...goal,
    look: async (client, present) => {
      const result = await goal.look(client, present);
      return result.kind === 'hopeless' ? { ...result, problems: located(result.problems) } : result;
    },
  };
}

function goalOf(chosen: ChosenObjects, options: Options): Goal<ClusterClient> {
  const isForced = options.forceConflicts === true;
  if (options.dryRun !== undefined) return dryRunOf(chosen, isForced);
  const run = applyWaves({ ...chosen, isForced, clock: realClock });
  return {
    ...run.goal,
    look: async (client, present) => {
      const result = await run.goal.look(client, present);
      return result.kind === 'reached'
        ? { ...result, facts: { changes: countedStates(run.states()) } }
        : result;
    },
  };
}

function dryRunOf({ objects }: ChosenObjects, isForced: boolean): Goal<ClusterClient> {
  let states: readonly DryRunState[] = [];
  const goal = dryRunGoal(objects, { isForced }, (done) => (states = done));
  return {
    ...goal,
    look: async (client, present) => {
      const result = await goal.look(client, present);
      if (result.kind !== 'reached') return result;
      const problems = failuresOf(states);
      if (problems.length > 0) return { kind: 'hopeless', problems };
      return { ...result, facts: { changes: `${countedStates(states)} (server dry run)` } };
    },
  };
}
