import { availableParallelism } from 'node:os';

import { quoted } from '../../core/quoted.js';
import type { GlobalOptions } from '../options.js';
import { usageError } from '../usage-error.js';

export interface JobsOption {
  /** The unparsed text; default: one thread per core. */
  readonly jobs?: string;
}

/** The option of commands that process sites in parallel. */
export const jobs = [
  '--jobs <number>',
  'number of sites to process in parallel (default: number of cores)',
] as const;

/** Returns the number of threads. Reports an invalid number and returns undefined. */
export function parseJobs(options: GlobalOptions & JobsOption): number | undefined {
  if (options.jobs === undefined) return availableParallelism();
  if (/^[1-9]\d{0,3}$/.test(options.jobs)) return Number(options.jobs);
  const message = `--jobs is ${quoted(options.jobs)}, expected a number of parallel sites`;
  usageError(options, message, 'try 4, or omit the option to use all cores');
  return undefined;
}
