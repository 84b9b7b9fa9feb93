import { problem } from '../../../core/problem.js';
import { failure, success, type Result } from '../../../core/result.js';
import { waitTimeout } from '../../wait/wait-timeout.js';
import type { FleetOptions } from '../fleet-options.js';

export interface FleetWaitOptions extends FleetOptions {
  /** A duration such as `90m`. */
  readonly timeout: string;
  readonly jobs: string;
  /** The token file of `serve`. */
  readonly tokens?: string;
  readonly trustKubeconfig?: true;
}

/** Parses the options. Problems: usage/unknown-argument. */
export function fleetWaitLimits({ timeout, jobs }: Pick<FleetWaitOptions, 'timeout' | 'jobs'>): Result<{
  readonly timeoutMs: number;
  readonly jobs: number;
}> {
  const limit = waitTimeout(timeout);
  if (!limit.ok) return limit;
  if (/^[1-9]\d{0,3}$/.test(jobs)) return success({ timeoutMs: limit.value, jobs: Number(jobs) });
  const message = '--jobs is not a number from 1 to 9999';
  return failure(problem('usage/unknown-argument', message, { hint: 'for example --jobs 256' }));
}
