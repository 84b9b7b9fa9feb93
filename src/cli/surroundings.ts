import { standardInput } from '../disk/external-files/standard-input.js';
import type { Surroundings } from '../run/effects/surroundings.js';

/** The environment, clock and stdin of this process. */
export function processSurroundings(stdin = standardInput()): Surroundings {
  return { variables: process.env, stdin, present: () => new Date(), randomNumber: Math.random };
}
