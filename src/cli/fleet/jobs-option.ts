import { availableParallelism } from 'node:os';

import { quoted } from '../../core/quoted.js';
import type { GlobalOptions } from '../options.js';
import { usageError } from '../usage-error.js';

/** How many threads are asked for. */
export interface JobsOption {
  /** As it was written; one for each core without it. */
  readonly jobs?: string;
}

/** The option of commands that look at many sites at a time. */
export const jobs = [
  '--jobs <number>',
  'sites that are looked at at a time (default: one for each core)',
] as const;

/** How many threads are meant; undefined for what is no number of them, which then is told. */
export function jobsIn(options: GlobalOptions & JobsOption): number | undefined {
  if (options.jobs === undefined) return availableParallelism();
  if (/^[1-9]\d{0,3}$/.test(options.jobs)) return Number(options.jobs);
  const message = `--jobs is ${quoted(options.jobs)}, expected a number of sites that are worked on at a time`;
  usageError(options, message, 'try 4, or leave it out: one for each core');
  return undefined;
}
