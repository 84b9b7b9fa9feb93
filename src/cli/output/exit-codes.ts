/** What the exit code says; scripts rely on it. 70 is EX_SOFTWARE of sysexits.h. */
export const exitCodes = {
  done: 0,
  /** The input has problems; nothing was written. */
  problems: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The output could not be written. */
  notWritten: 3,
  /** A bug of this program. */
  bug: 70,
} as const;
