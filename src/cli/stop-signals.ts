import { constants } from 'node:os';

export interface StopSignals {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** Exit code for the received signal, as in shells: 128 plus its number. */
  exitCode(): number;
  /** Restores the default action of the signals. */
  release(): void;
}

/** Converts the first SIGINT or SIGTERM into an abort of `stop`. A second one ends the process. */
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
