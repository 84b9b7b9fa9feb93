import { setMaxListeners } from 'node:events';

import type { Result } from '../../../core/result.js';
import { requestTimeoutMs } from '../request-fault.js';
import type { ClusterReader } from '../reader.js';
import { type WaitResult, type Goal, type WaitStatus, type CheckResult, pollMs, waitFor } from '../wait.js';
import type { Clock } from '../clock.js';

export interface AwaitedSite<Client extends ClusterReader = ClusterReader> {
  readonly name: string;
  readonly goal: Goal<Client>;
  /** Opens the site's kubeconfig. Sends no request. */
  readonly connect: () => Promise<Result<Client>>;
}

/** Progress of one site. */
export interface SiteProgress {
  readonly name: string;
  /** Last status from its API; absent before the first check. */
  readonly word?: string;
  /** Time of the last status, or of the end of the wait. */
  readonly receivedAt?: Date;
  /** Absent while the wait goes on. */
  readonly outcome?: WaitResult;
}

/** Parameters of `waitForSites`. */
export interface SitesWaitOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Number of concurrent checks. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  /** Receives the progress of all sites every `reportIntervalMs`, and once more when all have ended. */
  readonly onProgress: (sites: readonly SiteProgress[], waitedMs: number) => void;
}

/** Interval between progress reports. */
const reportIntervalMs = 2_000;

/**
 * A check opens a TLS connection with a client certificate, which costs five to ten milliseconds of CPU. Up to 250 sites are checked every
 * five seconds, more sites less often, so that half a core suffices.
 */
const sitesPerSecond = 50;

/** Waits for all sites concurrently, each as `waitFor` does. Returns them in the order of `sites`. */
export async function waitForSites<Client extends ClusterReader>(
  sites: readonly AwaitedSite<Client>[],
  wait: SitesWaitOptions,
): Promise<readonly SiteProgress[]> {
  const { clock, stop, onProgress } = wait;
  // One signal has a listener per site, so more than ten are not a leak.
  setMaxListeners(0, stop);
  const startMs = clock.nowMs();
  const progress: SiteProgress[] = sites.map(({ name }) => ({ name }));
  const turns = checkQueue(wait.jobs);
  const rest = new AbortController();
  const reporting = reportProgress(() => progress, {
    clock,
    startMs,
    onProgress,
    finished: rest.signal,
  });
  const pauseMs = checkPauseMs(sites.length);
  await Promise.all(
    sites.map(async (site, index) => {
      const onMoment = (moment: WaitStatus): void => {
        progress[index] = { name: site.name, word: statusText(moment), receivedAt: clock.present() };
      };
      const outcome = await waitForSite(site, wait, { turns, startMs, pauseMs, onMoment });
      progress[index] = {
        ...progress[index],
        name: site.name,
        ...(outcome.kind !== 'stopped' && { receivedAt: clock.present() }),
        outcome: { ...outcome, waitedMs: clock.nowMs() - startMs },
      };
    }),
  );
  rest.abort();
  await reporting;
  onProgress(progress, clock.nowMs() - startMs);
  return progress;
}

/** Waits for one site until `timeoutMs` have passed. */
export type SiteWaiter<Client extends ClusterReader> = (
  site: AwaitedSite<Client>,
  wait: Pick<SitesWaitOptions, 'timeoutMs' | 'stop'> & { readonly onStatus: (text: string) => void },
) => Promise<WaitResult>;

/** Waits for sites that start at different times and share the queue of checks. `sites` is the largest number at a time. */
export function siteWaiter<Client extends ClusterReader>({
  clock,
  jobs,
  sites,
}: Pick<SitesWaitOptions, 'clock' | 'jobs'> & { readonly sites: number }): SiteWaiter<Client> {
  const turns = checkQueue(jobs);
  return (site, { timeoutMs, stop, onStatus }) =>
    waitForSite(
      site,
      { clock, timeoutMs, stop },
      {
        turns,
        startMs: clock.nowMs(),
        pauseMs: checkPauseMs(sites),
        onMoment: (moment) => {
          onStatus(statusText(moment));
        },
      },
    );
}

function checkPauseMs(sites: number): number {
  return Math.max(pollMs, (sites / sitesPerSecond) * 1000);
}

interface Shared {
  readonly turns: CheckQueue;
  readonly startMs: number;
  readonly pauseMs: number;
  readonly onMoment: (moment: WaitStatus) => void;
}

async function waitForSite<Client extends ClusterReader>(
  { goal, connect }: AwaitedSite<Client>,
  { clock, timeoutMs, stop }: Pick<SitesWaitOptions, 'clock' | 'timeoutMs' | 'stop'>,
  { turns, startMs, pauseMs, onMoment }: Shared,
): Promise<WaitResult> {
  const reader = await turns.take('answering', connect);
  if (!reader.ok) return { kind: 'failed', problems: reader.problems, waitedMs: clock.nowMs() - startMs };
  const lastLookMs = startMs + timeoutMs + requestTimeoutMs;
  return waitFor(
    queuedGoal(goal, turns, () => stop.aborted || clock.nowMs() > lastLookMs),
    {
      reader: reader.value,
      clock,
      // Time spent in the queue before the first check counts as waiting.
      timeoutMs: Math.max(0, startMs + timeoutMs - clock.nowMs()),
      pauseMs,
      stop,
      onMoment,
    },
  );
}

/** Queues each check of a goal. After the timeout it returns the last result instead of checking again. */
function queuedGoal<Client extends ClusterReader>(
  goal: Goal<Client>,
  turns: CheckQueue,
  isOver: () => boolean,
): Goal<Client> {
  let seen: CheckResult | undefined;
  return {
    outage: goal.outage,
    look: (reader, present) =>
      turns.take(seen === undefined || seen.kind === 'fault' ? 'silent' : 'answering', async () => {
        seen = isOver() && seen !== undefined ? seen : await goal.look(reader, present);
        return seen;
      }),
    overdue: (message, reader) => turns.take('answering', () => goal.overdue(message, reader)),
  };
}

function statusText({ message, detail }: WaitStatus): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}

async function reportProgress(
  progress: () => readonly SiteProgress[],
  {
    clock,
    startMs,
    onProgress,
    finished,
  }: Pick<SitesWaitOptions, 'clock' | 'onProgress'> & {
    readonly startMs: number;
    readonly finished: AbortSignal;
  },
): Promise<void> {
  for (;;) {
    await clock.sleep(reportIntervalMs, finished);
    if (finished.aborted) return;
    onProgress(progress(), clock.nowMs() - startMs);
  }
}

/** Whether the last check of a site got an answer; a site that was not checked yet counts as silent. */
type CheckLane = 'answering' | 'silent';

/** Limits the number of concurrent checks. */
interface CheckQueue {
  /** Runs `work` when a slot is free, in order of arrival within a lane. */
  take<T>(lane: CheckLane, work: () => Promise<T>): Promise<T>;
}

/**
 * Provides `jobs` slots. A quarter is for answering sites: their checks cost CPU, and more at once would exceed the request timeout.
 * The rest is for silent sites, which hold a slot until the timeout but cost no CPU, so they never delay answering sites.
 * With one job both lanes share it.
 */
function checkQueue(jobs: number): CheckQueue {
  const answering = Math.max(1, Math.floor(jobs / 4));
  const most = { answering, silent: Math.max(1, jobs - answering) };
  const held = { answering: 0, silent: 0 };
  const queues: Readonly<Record<CheckLane, (() => void)[]>> = { answering: [], silent: [] };
  const isFree = (lane: CheckLane): boolean => held.answering + held.silent < jobs && held[lane] < most[lane];
  const next = (): void => {
    for (const lane of ['answering', 'silent'] as const)
      while (isFree(lane)) {
        const start = queues[lane].shift();
        if (start === undefined) break;
        held[lane] += 1;
        start();
      }
  };
  return {
    take: async (lane, work) => {
      await new Promise<void>((start) => {
        queues[lane].push(start);
        next();
      });
      try {
        return await work();
      } finally {
        held[lane] -= 1;
        next();
      }
    },
  };
}
