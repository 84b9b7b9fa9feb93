import { smallBytes } from '../answers/served-file.js';

/** Whether small stretches of a file may be read while everything else waits: where the system holds them in memory, a thread takes longer to be woken. */
export interface QuickReads {
  isQuick(bytes: number, nowMs: number): boolean;
  /** How long such a read took. */
  took(fromMs: number, toMs: number): void;
}

/** What lies in memory is copied in a tenth of it; a disk takes longer. */
const quickMs = 1;

/** For so long after a read that was not quick, others are left to threads: a slow disk holds everybody up once a second. */
const pauseMs = 1000;

/** Takes the first for quick: an image that is served was read whole before. */
export function quickReads(): QuickReads {
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    isQuick: (bytes, nowMs) => bytes <= smallBytes && nowMs >= pausedUntilMs,
    took: (fromMs, toMs) => {
      if (toMs - fromMs > quickMs) pausedUntilMs = toMs + pauseMs;
    },
  };
}
