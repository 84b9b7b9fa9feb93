import { constants } from 'node:os';

/** What the user, or the system, sends to end a long command. */
export interface StopSignals {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** The exit code of who was ended by the signal, as shells count: 128 and its number. */
  exitCode(): number;
  /** Signals end the process at once again. */
  release(): void;
}

/** Turns the first SIGINT or SIGTERM into an abort of `stop`; a second one ends the process at once. */
export function onStopSignals(): StopSignals {
  const controller = new AbortController();
  let code = 0;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    code = 128 + constants.signals[signal];
    release();
    controller.abort();
  };
  const release = (): void => {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { stop: controller.signal, exitCode: () => code, release };
}
