import { setMaxListeners } from 'node:events';

import type { Result } from '../../../core/result.js';
import { questionTimeoutMs } from '../question-fault.js';
import type { ClusterReader } from '../reader.js';
import { type Ending, type Goal, type Moment, type Sight, pollMs, waitFor } from '../wait.js';
import type { Clock } from '../waiting-clock.js';

export interface AwaitedSite {
  readonly name: string;
  /** Opens the site's kubeconfig. Sends no request. */
  readonly connect: () => Promise<Result<ClusterReader>>;
}

/** Progress of one site. */
export interface SiteWait {
  readonly name: string;
  /** Last status from its API; absent before the first check. */
  readonly word?: string;
  /** Time of the last status, or of the end of the wait. */
  readonly heardAt?: Date;
  /** Absent while the wait goes on. */
  readonly ending?: Ending;
}

/** Parameters of `waitForSites`. */
export interface SitesWait {
  readonly goal: Goal;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Number of concurrent checks. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  /** Receives the progress of all sites every `tellMs`, and once more when all have ended. */
  readonly onStanding: (sites: readonly SiteWait[], waitedMs: number) => void;
}

/** Interval between progress reports. */
const tellMs = 2_000;

/**
 * A check opens a TLS connection with a client certificate, which costs five to ten milliseconds of CPU. Up to 250 sites are checked every
 * five seconds, more sites less often, so that half a core suffices.
 */
const sitesASecond = 50;

/** Waits for all sites concurrently, each as `waitFor` does. Returns them in the order of `sites`. */
export async function waitForSites(
  sites: readonly AwaitedSite[],
  wait: SitesWait,
): Promise<readonly SiteWait[]> {
  const { clock, stop, onStanding } = wait;
  // One signal has a listener per site, so more than ten are not a leak.
  setMaxListeners(0, stop);
  const startMs = clock.nowMs();
  const standing: SiteWait[] = sites.map(({ name }) => ({ name }));
  const turns = lookTurns(wait.jobs);
  const rest = new AbortController();
  const told = tellStanding(() => standing, { clock, startMs, onStanding, ended: rest.signal });
  const pauseMs = Math.max(pollMs, (sites.length / sitesASecond) * 1000);
  await Promise.all(
    sites.map(async (site, index) => {
      const onMoment = (moment: Moment): void => {
        standing[index] = { name: site.name, word: wordOf(moment), heardAt: clock.present() };
      };
      const ending = await waitForSite(site, wait, { turns, startMs, pauseMs, onMoment });
      standing[index] = {
        ...standing[index],
        name: site.name,
        ...(ending.kind !== 'stopped' && { heardAt: clock.present() }),
        ending: { ...ending, waitedMs: clock.nowMs() - startMs },
      };
    }),
  );
  rest.abort();
  await told;
  onStanding(standing, clock.nowMs() - startMs);
  return standing;
}

interface Shared {
  readonly turns: LookTurns;
  readonly startMs: number;
  readonly pauseMs: number;
  readonly onMoment: (moment: Moment) => void;
}

async function waitForSite(
  { connect }: AwaitedSite,
  { goal, clock, timeoutMs, stop }: SitesWait,
  { turns, startMs, pauseMs, onMoment }: Shared,
): Promise<Ending> {
  const reader = await turns.take('answering', connect);
  if (!reader.ok) return { kind: 'failed', problems: reader.problems, waitedMs: clock.nowMs() - startMs };
  const lastLookMs = startMs + timeoutMs + questionTimeoutMs;
  return waitFor(
    inTurns(goal, turns, () => stop.aborted || clock.nowMs() > lastLookMs),
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
function inTurns(goal: Goal, turns: LookTurns, isOver: () => boolean): Goal {
  let seen: Sight | undefined;
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

function wordOf({ message, detail }: Moment): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}

async function tellStanding(
  standing: () => readonly SiteWait[],
  {
    clock,
    startMs,
    onStanding,
    ended,
  }: Pick<SitesWait, 'clock' | 'onStanding'> & { readonly startMs: number; readonly ended: AbortSignal },
): Promise<void> {
  for (;;) {
    await clock.sleep(tellMs, ended);
    if (ended.aborted) return;
    onStanding(standing(), clock.nowMs() - startMs);
  }
}

/** Whether the last check of a site got an answer; a site that was not checked yet counts as silent. */
type LookLane = 'answering' | 'silent';

/** Limits the number of concurrent checks. */
interface LookTurns {
  /** Runs `work` when a slot is free, in order of arrival within a lane. */
  take<T>(lane: LookLane, work: () => Promise<T>): Promise<T>;
}

/**
 * Provides `jobs` slots. A quarter is for answering sites: their checks cost CPU, and more at once would exceed the request timeout.
 * The rest is for silent sites, which hold a slot until the timeout but cost no CPU, so they never delay answering sites.
 * With one job both lanes share it.
 */
function lookTurns(jobs: number): LookTurns {
  const answering = Math.max(1, Math.floor(jobs / 4));
  const most = { answering, silent: Math.max(1, jobs - answering) };
  const held = { answering: 0, silent: 0 };
  const queues: Readonly<Record<LookLane, (() => void)[]>> = { answering: [], silent: [] };
  const isFree = (lane: LookLane): boolean => held.answering + held.silent < jobs && held[lane] < most[lane];
  const next = (): void => {
    for (const lane of ['answering', 'silent'] as const)
      while (isFree(lane)) {
        const begin = queues[lane].shift();
        if (begin === undefined) break;
        held[lane] += 1;
        begin();
      }
  };
  return {
    take: async (lane, work) => {
      await new Promise<void>((begin) => {
        queues[lane].push(begin);
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
