import { setMaxListeners } from 'node:events';

/** A signal that ends by itself, and what frees it. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Lets go of the time and of what may stop it, once nobody needs the signal. */
  readonly release: () => void;
}

/**
 * A signal that ends with `stop`, or with a TimeoutError after so many milliseconds. `AbortSignal.any` with `AbortSignal.timeout` is not one:
 * Node.js 20 holds neither, and the garbage collector takes the limit away. As there, the time alone keeps no process.
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
    controller.abort(new DOMException('the time is over', 'TimeoutError'));
    release();
  }, ms).unref();
  // One stop ends as many as there are: more than ten are no leak.
  setMaxListeners(0, stop);
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  return { signal: controller.signal, release };
}
