/** State of work that the threads of a run do once; they share it. Its value is one of `states`. */
export type SharedState = Int32Array;

const states = { idle: 0, underWay: 1, done: 2, failed: 3 } as const;

export function sharedState(): SharedState {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Does work in the first thread that calls it, and returns whether it was done. Another thread is blocked meanwhile, so it must hold no
 * lock, and a thread must not call it twice at the same time.
 */
export async function onceInThreads(state: SharedState, work: () => Promise<boolean>): Promise<boolean> {
  if (Atomics.compareExchange(state, 0, states.idle, states.underWay) === states.idle) {
    let isDone = false;
    try {
      isDone = await work();
    } finally {
      Atomics.store(state, 0, isDone ? states.done : states.failed);
      Atomics.notify(state, 0);
    }
    return isDone;
  }
  Atomics.wait(state, 0, states.underWay);
  return Atomics.load(state, 0) === states.done;
}
