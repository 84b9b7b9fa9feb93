import type { Variables } from '../../disk/environment.js';
import type { Stdin } from '../../disk/external-files/standard-input.js';

/** The environment, stdin, clock and random numbers of a process. */
export interface Surroundings {
  readonly variables: Variables;
  readonly stdin: Stdin;
  readonly present: () => Date;
  /** From 0 to 1, for the jitter of retries. */
  readonly randomNumber: () => number;
}
