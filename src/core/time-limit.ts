import { setMaxListeners } from 'node:events';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Removes the timer and the listener on `stop`. Call it when the signal is no longer needed. */
  readonly release: () => void;
}

/**
 * A signal that aborts with `stop`, or with a TimeoutError after `ms` milliseconds. `AbortSignal.any` with `AbortSignal.timeout` does
 * not work in Node.js 20: nothing holds a reference to either, and the garbage collector removes the timeout. The timer does not keep the process alive.
 */
export function timeLimit(stop: AbortSignal, ms: number): TimeLimit {
  const controller = new AbortController();
  const release = (): void => {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  };
  const end = (): void => {
    controller.abort(stop.reason);
    release();
  };
  const timer = setTimeout(() => {
    controller.abort(new DOMException('timed out', 'TimeoutError'));
    release();
  }, ms).unref();
  // One stop signal may have many listeners; more than ten are not a leak.
  setMaxListeners(0, stop);
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  return { signal: controller.signal, release };
}
