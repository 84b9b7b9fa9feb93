/** The handler of SIGHUP. */
export interface HangupHandler {
  /** Sets the handler. Calls it immediately if a signal has already arrived. */
  readonly take: (renew: () => void) => void;
  /** Restores the default action, which ends the process. */
  readonly release: () => void;
}

/** Handles SIGHUP, whose default action ends the process. */
export function handleHangups(): HangupHandler {
  let isRequested = false;
  let current = (): void => {
    isRequested = true;
  };
  const onHangup = (): void => {
    current();
  };
  process.on('SIGHUP', onHangup);
  return {
    take: (renew) => {
      current = renew;
      if (isRequested) renew();
    },
    release: () => {
      process.off('SIGHUP', onHangup);
    },
  };
}
