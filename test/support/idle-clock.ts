import type { Clock } from '../../src/core/clock.js';

/** A clock that jumps to the next sleeper once the event loop is idle. */
export function idleClock(startAt: string): Clock {
  let [nowMs, isGoing] = [Date.parse(startAt), false];
  const sleepers: { atMs: number; wake: () => void }[] = [];
  const goOn = (): void => {
    sleepers.sort((left, right) => left.atMs - right.atMs);
    const next = sleepers.shift();
    isGoing = next !== undefined;
    if (next === undefined) return;
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    setImmediate(goOn);
  };
  return {
    nowMs: () => nowMs,
    present: () => new Date(nowMs),
    sleep: (durationMs, stop) =>
      new Promise<void>((end) => {
        const sleeper = {
          atMs: nowMs + durationMs,
          wake: () => {
            stop.removeEventListener('abort', early);
            end();
          },
        };
        const early = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          end();
        };
        if (stop.aborted) {
          end();
          return;
        }
        stop.addEventListener('abort', early);
        sleepers.push(sleeper);
        if (!isGoing) setImmediate(goOn);
        isGoing = true;
      }),
  };
}
