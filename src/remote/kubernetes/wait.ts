import type { Problem } from '../../core/problem.js';
import type { Clock } from './waiting-clock.js';
import type { Fault } from './question-fault.js';
import { faultHint, faultNews, faultProblem, isHopeless } from './fault-problem.js';
import type { ClusterReader } from './reader.js';

/** What one look at the cluster showed. */
export type Sight =
  | { readonly kind: 'reached'; readonly facts: Facts; readonly warnings: readonly Problem[] }
  | { readonly kind: 'waiting'; readonly message: string }
  /** It will never be reached. */
  | { readonly kind: 'hopeless'; readonly problems: readonly Problem[] }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** What is known of a cluster that got where it was waited for. */
export interface Facts {
  readonly version?: string;
  readonly consoleUrl?: string;
  readonly nodes?: readonly string[];
  /** The certificates that sign what the router serves, PEM. */
  readonly routerAuthorityPem?: string;
}

/** Something to wait for. */
export interface Goal {
  /** `present` is the time of the calendar. */
  look(reader: ClusterReader, present: Date): Promise<Sight>;
  /** Why the API may be away though it has answered before. */
  readonly outage: string;
  /** What to say when time has run out, after the last look showed `message`. */
  overdue(message: string, reader: ClusterReader): Promise<readonly Problem[]>;
}

/** How a wait went on; `onMoment` gets one after every look. */
export interface Moment {
  /** The same text as long as nothing changes that is worth a line. */
  readonly topic: string;
  /** The state of things, in a few words. */
  readonly message: string;
  /** What exactly it is. */
  readonly detail?: string;
  /** What to think or do about it. */
  readonly note?: string;
  /** For how long the API has not answered. */
  readonly awayMs?: number;
  /** The API answers again, after having been away for so long. */
  readonly recoveredAfterMs?: number;
  readonly waitedMs: number;
}

/** Whom a wait asks, for how long, and whom it tells. */
export interface WaitConditions {
  readonly reader: ClusterReader;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Between two looks; five seconds when absent. */
  readonly pauseMs?: number;
  readonly stop: AbortSignal;
  readonly onMoment: (moment: Moment) => void;
}

/** How a wait ended: its goal reached, out of reach or overdue, or stopped by the user. */
export type Ending =
  | {
      readonly kind: 'reached';
      readonly facts: Facts;
      readonly warnings: readonly Problem[];
      readonly waitedMs: number;
    }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[]; readonly waitedMs: number }
  | { readonly kind: 'stopped'; readonly waitedMs: number };

/** A small API server on one node is asked often enough to be told of a change soon, and no more. */
export const pollMs = 5_000;

/** Looks until the goal is reached, cannot be reached, or time is over; the last look is at the end of that time. */
export async function waitFor(goal: Goal, conditions: WaitConditions): Promise<Ending> {
  const { reader, clock, timeoutMs, pauseMs = pollMs, stop, onMoment } = conditions;
  const startMs = clock.nowMs();
  let past: Past = { hasAnswered: false };
  for (;;) {
    const sight = await goal.look(reader, clock.present());
    const nowMs = clock.nowMs();
    const waitedMs = nowMs - startMs;
    if (stop.aborted) return { kind: 'stopped', waitedMs };
    if (sight.kind === 'reached') return { ...sight, waitedMs };
    if (sight.kind === 'hopeless') return { kind: 'failed', problems: sight.problems, waitedMs };
    const before = past;
    past = pastAfter(sight, before, nowMs);
    if (sight.kind === 'fault' && isHopeless(sight.fault, nowMs - (past.fault?.sinceMs ?? nowMs)))
      return { kind: 'failed', problems: [faultProblem(sight.fault, reader)], waitedMs };
    onMoment({ ...momentOf(sight, { past, before, nowMs, goal, reader }), waitedMs });
    if (waitedMs >= timeoutMs)
      return { kind: 'failed', problems: await overdue(sight, goal, reader), waitedMs };
    await clock.sleep(Math.min(pauseMs, timeoutMs - waitedMs), stop);
  }
}

type OpenSight = Extract<Sight, { readonly kind: 'waiting' | 'fault' }>;

/** What earlier looks showed. */
interface Past {
  readonly hasAnswered: boolean;
  /** Since when there has been no usable answer. */
  readonly awaySinceMs?: number;
  /** The fault of the last look, and since when it has been of this kind. */
  readonly fault?: { readonly kind: Fault['kind']; readonly sinceMs: number };
}

function pastAfter(sight: OpenSight, past: Past, nowMs: number): Past {
  if (sight.kind === 'waiting') return { hasAnswered: true };
  const { kind } = sight.fault;
  return {
    hasAnswered: past.hasAnswered,
    awaySinceMs: past.awaySinceMs ?? nowMs,
    fault: { kind, sinceMs: past.fault?.kind === kind ? past.fault.sinceMs : nowMs },
  };
}

interface View {
  readonly past: Past;
  readonly before: Past;
  readonly nowMs: number;
  readonly goal: Goal;
  readonly reader: ClusterReader;
}

function momentOf(sight: OpenSight, { past, before, nowMs, goal, reader }: View): Omit<Moment, 'waitedMs'> {
  if (sight.kind === 'waiting') {
    const { hasAnswered, awaySinceMs } = before;
    const isBack = hasAnswered && awaySinceMs !== undefined;
    return {
      topic: sight.message,
      message: sight.message,
      ...(isBack && { recoveredAfterMs: nowMs - awaySinceMs }),
    };
  }
  const { fault } = sight;
  const awayMs = nowMs - (past.awaySinceMs ?? nowMs);
  return {
    topic: fault.kind,
    message: faultNews(fault, reader),
    detail: fault.detail,
    note: noteOn(fault),
    awayMs,
  };

  function noteOn({ kind }: Fault): string {
    if (kind !== 'no-answer' && kind !== 'error-answer') return faultHint(fault, reader);
    return past.hasAnswered ? goal.outage : notUpYet;
  }
}

const notUpYet = 'expected until its control plane runs';

function overdue(sight: OpenSight, goal: Goal, reader: ClusterReader): Promise<readonly Problem[]> {
  if (sight.kind === 'waiting') return goal.overdue(sight.message, reader);
  return Promise.resolve([faultProblem(sight.fault, reader)]);
}
