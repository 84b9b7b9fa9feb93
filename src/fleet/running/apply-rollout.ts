import type { Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { sha256 } from '../../formats/sha256.js';
import type { RunningSite } from '../../manifests/running-site/running-site.js';
import { chosenObjects, type WantedObjects } from '../../remote/kubernetes/apply/chosen-objects.js';
import { siteWaiter, type AwaitedSite } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import type { WaitResult } from '../../remote/kubernetes/wait.js';
import { GroupedProblems, type ShownProblems } from '../problems/grouped-problems.js';
import { driveRollout, withProblems, type RolloutResult, type RolloutRun } from '../rollout/drive-rollout.js';
import type { OpenedRollout } from '../rollout/open-rollout.js';
import type { SiteOperation, SiteOutcome } from '../rollout/run-rollout.js';
import { apiWait } from '../rollout/wait-operation.js';
import type { SiteRow } from '../table/site-table.js';
import type { ApiAccess } from '../wait/site-api.js';

export interface ApplyRollout extends Pick<
  RolloutRun,
  'jobs' | 'stop' | 'clock' | 'sender' | 'retriesFailed' | 'onNotice'
> {
  readonly dir: string;
  readonly api: ApiAccess;
  /** Applies the configuration of a site. */
  readonly taskOf: (row: SiteRow) => AwaitedSite<ClusterClient>;
  readonly shown: ShownProblems;
}

/**
 * Applies the configuration of sites in the waves of a rollout. A site is done when it meets the criterion of the plan afterwards. The
 * caller holds the lock of the output folder. Problems: those of `driveRollout`.
 */
export async function runApplyRollout(
  rollout: OpenedRollout,
  { dir, api, taskOf, shown, ...run }: ApplyRollout,
): Promise<Result<RolloutResult>> {
  const found = new GroupedProblems();
  const largest = rollout.waves.waves.reduce((most, { sites }) => Math.max(most, sites.length), 1);
  const rows = new Map(rollout.fleet.rows.map((row) => [row.name, row]));
  const sites = applyOperation({
    taskOf: (name) => {
      const row = rows.get(name);
      if (row === undefined) throw new Error(`internal error: ${name} is not selected`);
      return taskOf(row);
    },
    waitTask: siteWaiter({ clock: run.clock, jobs: run.jobs, sites: largest }),
    waitUntil: apiWait(rollout, { until: rollout.plan.until, api, dir, clock: run.clock }),
    clock: run.clock,
    onWarnings: (site, warnings) => {
      found.add(site, warnings);
    },
  });
  const outcome = await driveRollout(rollout, { ...run, sites });
  const warnings = shown(found.list(), rollout.fleet.rows.length);
  return outcome.ok ? success(withProblems(outcome.value, warnings)) : outcome;
}

interface ApplyOperation {
  readonly taskOf: (site: string) => AwaitedSite<ClusterClient>;
  readonly waitTask: ReturnType<typeof siteWaiter<ClusterClient>>;
  readonly waitUntil: SiteOperation['wait'];
  readonly clock: RolloutRun['clock'];
  readonly onWarnings: (site: string, warnings: readonly Problem[]) => void;
}

/**
 * After a change that reboots the node, the machine config pool still reports the old state for some seconds. A minute is far more.
 * Source: openshift/machine-config-operator pkg/controller/render, renderDelay: 5 seconds
 */
const settleMs = 60_000;

/** Applying is idempotent, so a site that was interrupted is simply applied again: nothing needs to be started. */
function applyOperation({ taskOf, waitTask, waitUntil, clock, onWarnings }: ApplyOperation): SiteOperation {
  return {
    start: () => Promise.resolve({ ok: true }),
    wait: async (site, stop, timeoutMs, onStatus) => {
      const startMs = clock.nowMs();
      const applied = await waitTask(taskOf(site), { timeoutMs, stop, onStatus });
      if (applied.kind !== 'reached') return outcomeOf(applied);
      onWarnings(site, applied.warnings);
      if (applied.warnings.some(({ code }) => code === 'apply/reboot')) await clock.sleep(settleMs, stop);
      const leftMs = Math.max(0, startMs + timeoutMs - clock.nowMs());
      return waitUntil(site, stop, leftMs, onStatus);
    },
  };
}

function outcomeOf(result: Exclude<WaitResult, { readonly kind: 'reached' }>): SiteOutcome {
  return result.kind === 'stopped'
    ? { ok: false, cause: 'stopped', isStopped: true }
    : { ok: false, cause: result.problems.map(({ message }) => message).join('; ') };
}

/**
 * The hash of all objects of a rollout, so that the state of a rollout with other files does not count. Problems: those of `objects`,
 * usage/unknown-argument for a wave that no site has.
 */
export async function configurationDigest(
  rows: readonly SiteRow[],
  objects: (row: SiteRow) => Promise<Result<RunningSite>>,
  wanted: WantedObjects,
): Promise<Result<string>> {
  const hashes: string[] = [];
  let unknownWave: readonly Problem[] = [];
  for (const row of rows) {
    const site = await objects(row);
    if (!site.ok) return site;
    const chosen = chosenObjects(site.value, wanted);
    if (chosen.ok) {
      const { objects: all, removals = [] } = chosen.value;
      hashes.push(sha256(JSON.stringify([row.name, all.map(({ yaml }) => yaml), removals])));
    } else unknownWave = chosen.problems;
  }
  return hashes.length === 0 && unknownWave.length > 0
    ? failure(...unknownWave)
    : success(`sha256:${sha256(hashes.join('\n'))}`);
}
