import type { Clock } from '../../core/clock.js';
import type { PlannedWave } from './plan-waves.js';
import type { RolloutPlan } from './rollout-file.js';
import type { RolloutProgress } from './rollout-progress.js';
import { localTimeText, nextOpening } from './windows.js';

/** Plan and clock that decide when a site may start. */
export interface StartTimes {
  readonly plan: Pick<RolloutPlan, 'windows' | 'pauseMs'>;
  readonly progress: RolloutProgress;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly onWaiting: (message: string) => void;
}

/** Returns a function that waits for the next time window, and returns false if no site may start any more. */
export function startGate(times: StartTimes, isOverLimit: () => boolean): () => Promise<boolean> {
  const { stop, plan, clock } = times;
  const isOver = (): boolean => stop.aborted || isOverLimit();
  let opening: Promise<void> | undefined;
  return async () => {
    for (;;) {
      if (isOver()) return false;
      const next = nextOpening(plan.windows, clock.present());
      if (next === undefined) return true;
      const message = `the time window opens on ${localTimeText(next.at, next.zone)}`;
      opening ??= waitUntil(times, { at: next.at, message, isOver }).finally(() => {
        opening = undefined;
      });
      await opening;
    }
  };
}

/** Waits for the pause after the last wave that has ended. */
export async function pauseBefore(times: StartTimes, { name }: PlannedWave): Promise<void> {
  const { plan, progress, clock, stop } = times;
  const ends = progress.state.waves.flatMap(({ finishedAt }) =>
    finishedAt === undefined ? [] : [Date.parse(finishedAt)],
  );
  const at = new Date(Math.max(0, ...ends) + plan.pauseMs);
  if (plan.pauseMs === 0 || ends.length === 0 || at.getTime() <= clock.present().getTime()) return;
  const message = `wave ${name} starts on ${localTimeText(at, 'UTC')}`;
  await waitUntil(times, { at, message, isOver: () => stop.aborted });
}

/** Compares the time this often, since the clock can be set and a machine can be suspended. */
const clockCheckMs = 60_000;

interface Waiting {
  readonly at: Date;
  readonly message: string;
  readonly isOver: () => boolean;
}

async function waitUntil(times: StartTimes, { at, message, isOver }: Waiting): Promise<void> {
  const { progress, clock, stop, onWaiting } = times;
  await progress.change({ state: 'waiting', message });
  onWaiting(message);
  for (;;) {
    const leftMs = at.getTime() - clock.present().getTime();
    if (leftMs <= 0 || isOver()) break;
    await clock.sleep(Math.min(leftMs, clockCheckMs), stop);
  }
  if (!stop.aborted) await progress.continueRunning();
}
