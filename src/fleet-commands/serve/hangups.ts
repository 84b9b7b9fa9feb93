/** What is done at each SIGHUP. */
export interface Hangups {
  /** From now on; at once where one came before. */
  readonly take: (renew: () => void) => void;
  /** A SIGHUP ends the process again. */
  readonly release: () => void;
}

/** Takes SIGHUP, which ends a process that says nothing of it. */
export function hangups(): Hangups {
  let isAsked = false;
  let current = (): void => {
    isAsked = true;
  };
  const onHangup = (): void => {
    current();
  };
  process.on('SIGHUP', onHangup);
  return {
    take: (renew) => {
      current = renew;
      if (isAsked) renew();
    },
    release: () => {
      process.off('SIGHUP', onHangup);
    },
  };
}
