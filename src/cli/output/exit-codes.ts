/** A stable interface for scripts. 70 is EX_SOFTWARE of sysexits.h. */
export const exitCodes = {
  done: 0,
  /** The input has problems; nothing was written. */
  problems: 1,
  /** Invalid command line. */
  usage: 2,
  /** The output could not be written. */
  notWritten: 3,
  /** A bug in this program. */
  bug: 70,
} as const;
