import type { Problem } from '../../core/problem.js';
import type { Clock } from './clock.js';
import type { Fault } from './request-fault.js';
import { faultHint, faultSummary, faultProblem, isPermanent } from './fault-problem.js';
import type { ClusterReader } from './reader.js';

/** Result of one check of the cluster. */
export type CheckResult =
  | { readonly kind: 'reached'; readonly facts: ClusterFacts; readonly warnings: readonly Problem[] }
  | { readonly kind: 'waiting'; readonly message: string }
  /** The goal can no longer be reached. */
  | { readonly kind: 'hopeless'; readonly problems: readonly Problem[] }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Facts about a cluster that reached the goal. */
export interface ClusterFacts {
  readonly version?: string;
  readonly consoleUrl?: string;
  readonly nodes?: readonly string[];
  /** Number of applied objects by change, such as `2 created, 1 unchanged`. */
  readonly changes?: string;
  /** CA of the router's certificates, PEM. */
  readonly routerAuthorityPem?: string;
}

/** A condition to wait for. */
export interface Goal<Client extends ClusterReader = ClusterReader> {
  /** `present` is the wall-clock time. */
  look(reader: Client, present: Date): Promise<CheckResult>;
  /** Expected reason if the API stops answering after it has answered before. */
  readonly outage: string;
  /** Problems to report after the timeout; `message` is the result of the last check. */
  overdue(message: string, reader: Client): Promise<readonly Problem[]>;
}

/** Progress of a wait, reported after every check. */
export interface WaitStatus {
  /** Key that changes only when the progress is worth a new line. */
  readonly topic: string;
  /** Status in a few words. */
  readonly message: string;
  readonly detail?: string;
  /** Explanation or advice. */
  readonly note?: string;
  /** Time since the API last answered. */
  readonly awayMs?: number;
  /** Length of the outage, in the first check after it. */
  readonly recoveredAfterMs?: number;
  readonly waitedMs: number;
}

/** Parameters of `waitFor`. */
export interface WaitOptions<Client extends ClusterReader = ClusterReader> {
  readonly reader: Client;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Pause between two checks. Default: five seconds. */
  readonly pauseMs?: number;
  readonly stop: AbortSignal;
  readonly onMoment: (moment: WaitStatus) => void;
}

/** Result of a wait: goal reached, failed or timed out, or stopped by the user. */
export type WaitResult =
  | {
      readonly kind: 'reached';
      readonly facts: ClusterFacts;
      readonly warnings: readonly Problem[];
      readonly waitedMs: number;
    }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[]; readonly waitedMs: number }
  | { readonly kind: 'stopped'; readonly waitedMs: number };

/** Often enough to report changes soon without loading the small API server of one node. */
export const pollMs = 5_000;

/** Checks the goal until it is reached, cannot be reached, or the timeout has passed. The last check is at the timeout. */
export async function waitFor<Client extends ClusterReader>(
  goal: Goal<Client>,
  conditions: WaitOptions<Client>,
): Promise<WaitResult> {
  const { reader, clock, timeoutMs, pauseMs = pollMs, stop, onMoment } = conditions;
  const startMs = clock.nowMs();
  let past: EarlierChecks = { hasAnswered: false };
  for (;;) {
    const sight = await goal.look(reader, clock.present());
    const nowMs = clock.nowMs();
    const waitedMs = nowMs - startMs;
    if (stop.aborted) return { kind: 'stopped', waitedMs };
    if (sight.kind === 'reached') return { ...sight, waitedMs };
    if (sight.kind === 'hopeless') return { kind: 'failed', problems: sight.problems, waitedMs };
    const before = past;
    past = pastAfter(sight, before, nowMs);
    if (sight.kind === 'fault' && isPermanent(sight.fault, nowMs - (past.fault?.sinceMs ?? nowMs)))
      return { kind: 'failed', problems: [faultProblem(sight.fault, reader)], waitedMs };
    onMoment({ ...progressOf(sight, { past, before, nowMs, goal, reader }), waitedMs });
    if (waitedMs >= timeoutMs)
      return { kind: 'failed', problems: await overdue(sight, goal, reader), waitedMs };
    await clock.sleep(Math.min(pauseMs, timeoutMs - waitedMs), stop);
  }
}

type PendingResult = Extract<CheckResult, { readonly kind: 'waiting' | 'fault' }>;

/** Results of earlier checks. */
interface EarlierChecks {
  readonly hasAnswered: boolean;
  /** Start of the current outage. */
  readonly awaySinceMs?: number;
  /** Fault of the last check, and the first time of an uninterrupted series of this kind. */
  readonly fault?: { readonly kind: Fault['kind']; readonly sinceMs: number };
}

function pastAfter(sight: PendingResult, past: EarlierChecks, nowMs: number): EarlierChecks {
  if (sight.kind === 'waiting') return { hasAnswered: true };
  const { kind } = sight.fault;
  return {
    hasAnswered: past.hasAnswered,
    awaySinceMs: past.awaySinceMs ?? nowMs,
    fault: { kind, sinceMs: past.fault?.kind === kind ? past.fault.sinceMs : nowMs },
  };
}

interface View {
  readonly past: EarlierChecks;
  readonly before: EarlierChecks;
  readonly nowMs: number;
  readonly goal: Pick<Goal, 'outage'>;
  readonly reader: ClusterReader;
}

function progressOf(
  sight: PendingResult,
  { past, before, nowMs, goal, reader }: View,
): Omit<WaitStatus, 'waitedMs'> {
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
    message: faultSummary(fault, reader),
    detail: fault.detail,
    note: noteOn(fault),
    awayMs,
  };

  function noteOn({ kind }: Fault): string {
    if (kind !== 'no-answer' && kind !== 'error-answer') return faultHint(fault, reader);
    return past.hasAnswered ? goal.outage : notUpYet;
  }
}

const notUpYet = 'expected until the control plane is up';

function overdue<Client extends ClusterReader>(
  sight: PendingResult,
  goal: Goal<Client>,
  reader: Client,
): Promise<readonly Problem[]> {
  if (sight.kind === 'waiting') return goal.overdue(sight.message, reader);
  return Promise.resolve([faultProblem(sight.fault, reader)]);
}
