import { constants } from 'node:os';

/** The wish of the user, or of the system, that a long command ends. */
export interface StopSignals {
  readonly wish: AbortSignal;
  /** The exit code of who was ended by the signal, as shells count: 128 and its number. */
  exitCode(): number;
  /** Signals end the process at once again. */
  release(): void;
}

/** Turns the first SIGINT or SIGTERM into a wish to stop; a second one ends the process at once. */
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
  return { wish: controller.signal, exitCode: () => code, release };
}
