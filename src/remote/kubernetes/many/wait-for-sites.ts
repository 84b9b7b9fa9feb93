import { setMaxListeners } from 'node:events';

import type { Result } from '../../../core/result.js';
import { questionTimeoutMs } from '../question-fault.js';
import type { ClusterReader } from '../reader.js';
import { type Ending, type Goal, type Moment, type Sight, pollMs, waitFor } from '../wait.js';
import type { Clock } from '../waiting-clock.js';

/** A site that is waited for. */
export interface AwaitedSite {
  readonly name: string;
  /** Opens the way to its API, of which nothing is asked yet. */
  readonly connect: () => Promise<Result<ClusterReader>>;
}

/** How the wait for a site stands. */
export interface SiteWait {
  readonly name: string;
  /** What its API said last, in words; absent before the first look. */
  readonly word?: string;
  /** When that was, or when it ended. */
  readonly heardAt?: Date;
  /** Absent while it is waited for. */
  readonly ending?: Ending;
}

/** How sites are waited for. */
export interface SitesWait {
  readonly goal: Goal;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** How many are asked at a time. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  /** Gets all of them every few seconds, the last time when all have ended. */
  readonly onStanding: (sites: readonly SiteWait[], waitedMs: number) => void;
}

/** How often is told how it goes on. */
const tellMs = 2_000;

/**
 * A look is a TLS connection of its own with a client certificate, five to ten milliseconds of CPU: each site is asked every five seconds up to
 * 250 of them, and more rarely beyond, so that half a core is enough.
 */
const sitesASecond = 50;

/** Waits for sites as `waitFor` does for one, all of them at once and in turns; returns them in the order given. */
export async function waitForSites(
  sites: readonly AwaitedSite[],
  wait: SitesWait,
): Promise<readonly SiteWait[]> {
  const { clock, stop, onStanding } = wait;
  // One stop ends as many as there are: more than ten are no leak.
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
      // What it took until it had its first turn is a part of the wait.
      timeoutMs: Math.max(0, startMs + timeoutMs - clock.nowMs()),
      pauseMs,
      stop,
      onMoment,
    },
  );
}

/** A goal that is looked at when it is its turn; once time is over, what has been seen before stands. */
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

/** Whether what is looked at has answered the last time it was; what was not looked at yet has not. */
type LookLane = 'answering' | 'silent';

/** Turns of looks: so many are under way at a time. */
interface LookTurns {
  /** Does the work once it has its turn: first come, first served within a lane. */
  take<T>(lane: LookLane, work: () => Promise<T>): Promise<T>;
}

/**
 * So many turns at a time, a quarter of them for what answers: that costs CPU, and more of it at once would be late for the time of a question.
 * The others are for what is silent, which keeps its turn for long and costs nothing; it never keeps what answers waiting. One turn alone is everybody's.
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
