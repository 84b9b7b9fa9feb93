/** Time as a wait sees it; a test gives one of its own, which passes when it is slept. */
export interface Clock {
  /** Milliseconds since some moment, of a clock that is never set. */
  nowMs(): number;
  /** The time of the calendar. */
  present(): Date;
  /** Ends when the time has passed, or early when `stop` says so. */
  sleep(durationMs: number, stop: AbortSignal): Promise<void>;
}
