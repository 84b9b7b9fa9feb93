import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { isError, type Problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { standardInput } from '../../../disk/external-files/standard-input.js';
import { requireInside } from '../../../disk/record-file.js';
import { siteObjects, siteTask, type SiteTaskOptions } from '../../../fleet/running/index.js';
import {
  filesOf,
  siteProblems,
  siteSourcesOf,
  type LoadedFleet,
  type SiteRow,
} from '../../../fleet/table/index.js';
import type { WantedObjects } from '../../../remote/kubernetes/apply/chosen-objects.js';
import {
  waitForSites,
  type AwaitedSite,
  type SiteProgress,
} from '../../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import { wantedObjects } from '../../apply/wanted-objects.js';
import type { ApplyOptions, GlobalOptions } from '../../options.js';
import { realClock } from '../../real-clock.js';
import type { StopSignals } from '../../stop-signals.js';
import { processSurroundings } from '../../surroundings.js';
import { progressForm, stderrScreen } from '../../wait/progress-form.js';
import { apiAccess } from '../api-access.js';
import { checkedSites } from '../checked-sites.js';
import type { FleetOptions } from '../fleet-options.js';
import { openFleetOf, withFetchedSecrets } from '../open-fleet.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { fleetWaitLimits } from '../wait/fleet-wait-options.js';
import type { RolloutOptions } from '../rollout/rollout-options.js';
import type { WebhookOptions } from '../webhook-options.js';
import { fleetWaitProgress } from '../wait/fleet-wait-progress.js';

export interface RunningSitesOptions
  extends
    FleetOptions,
    Pick<
      ApplyOptions,
      'wave' | 'dryRun' | 'diff' | 'prune' | 'forceConflicts' | 'timeout' | 'trustKubeconfig'
    > {
  readonly jobs: string;
  readonly allowCommands?: true;
}

export interface FleetApplyOptions
  extends RunningSitesOptions, WebhookOptions, Pick<RolloutOptions, 'plan' | 'retryFailed'> {}

type Options = GlobalOptions & RunningSitesOptions;

/** A fleet whose sites are valid. */
export interface RunningSites {
  readonly opened: LoadedFleet;
  readonly wanted: WantedObjects;
  readonly outputs: string;
  readonly jobs: number;
}

/** Checks all sites and fetches their secrets. Problems: those of `checkedSites`, `wantedObjects` and of the fleet. */
export async function openRunningSites(options: Options, stop: AbortSignal): Promise<Result<RunningSites>> {
  const limits = fleetWaitLimits({ timeout: options.timeout ?? '60m', jobs: options.jobs });
  if (!limits.ok) return limits;
  const wanted = wantedObjects(options);
  if (!wanted.ok) return wanted;
  const stdin = standardInput();
  const opened = openFleetOf(options, stdin);
  if (!opened.ok) return opened;
  const outputs = join(options.dir, opened.value.fleet.outputs);
  const inside = requireInside(outputs, options.dir);
  if (!inside.ok) return inside;
  const jobs = availableParallelism();
  const found = await checkedSites(options, { opened: opened.value, jobs }, processSurroundings(stdin));
  const errors = found.filter(({ problem }) => isError(problem));
  if (errors.length > 0) return failure(...fleetProblemsShown(options, errors, opened.value.rows.length));
  const complete = await withFetchedSecrets(options, opened.value, { jobs, stop });
  return success({ opened: complete, wanted: wanted.value, outputs, jobs: limits.value.jobs });
}

/** Generates the configuration of a site. */
export function configurationOf(options: Options, opened: LoadedFleet): SiteTaskOptions['objects'] {
  const { access } = apiAccess(options);
  return siteObjects({ dir: options.dir, surroundings: processSurroundings(), access }, opened);
}

/** Returns a function that prepares the visit of a site. */
export function siteTasks(
  options: Options,
  { opened, wanted, outputs }: RunningSites,
  { stop, ...task }: Pick<SiteTaskOptions, 'goalOf' | 'onUnknownWave'> & { readonly stop: AbortSignal },
): (row: SiteRow) => AwaitedSite<ClusterClient> {
  const { known } = siteSourcesOf(opened);
  const all: SiteTaskOptions = {
    ...{ wanted, outputs, ...task },
    objects: configurationOf(options, opened),
    located: (row, problems) => siteProblems(filesOf(opened, row), problems, known),
    api: { ...apiAccess(options), stop },
  };
  return (row) => siteTask(row, all);
}

export interface SiteRun extends Pick<SiteTaskOptions, 'goalOf'> {
  readonly timeoutMs: number;
  readonly signals: StopSignals;
  /** Shown before the first request, such as `applying 3 sites`. */
  readonly title: string;
}

export interface SiteRunResult {
  readonly sites: readonly SiteProgress[];
  readonly waitedMs: number;
  /** The wave is unknown in every site, so nothing was sent. */
  readonly unknownWave?: Problem;
}

/** Visits all sites, with progress on stderr. */
export async function visitSites(
  options: Options,
  running: RunningSites,
  { goalOf, timeoutMs, signals, title }: SiteRun,
): Promise<SiteRunResult> {
  const { opened, jobs } = running;
  const screen = stderrScreen();
  const form = progressForm(options);
  if (form === 'line' || form === 'lines') screen.write(`${title}\n`);
  const progress = fleetWaitProgress(form, screen);
  const unknown: Problem[] = [];
  const tasks = opened.rows.map(
    siteTasks(options, running, {
      goalOf,
      stop: signals.stop,
      onUnknownWave: (problem) => unknown.push(problem),
    }),
  );
  let waitedMs = 0;
  const sites = await waitForSites(tasks, {
    ...{ clock: realClock, timeoutMs, jobs, stop: signals.stop },
    onProgress: (progressOf, nowMs) => {
      waitedMs = nowMs;
      progress.onProgress(progressOf, new Map(), nowMs);
    },
  });
  progress.done();
  const [first] = unknown.length === tasks.length ? unknown : [];
  return { sites, waitedMs, ...(first !== undefined && { unknownWave: first }) };
}
