/** Clock of a wait. Tests use a fake one that advances in `sleep`. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  nowMs(): number;
  /** Wall-clock time. */
  present(): Date;
  /** Returns early when `stop` is aborted. */
  sleep(durationMs: number, stop: AbortSignal): Promise<void>;
}
