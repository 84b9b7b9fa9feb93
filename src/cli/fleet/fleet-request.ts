import type { Result } from '../../core/result.js';
import { standardInput, type Stdin } from '../../disk/outside/standard-input.js';
import { buildId, templatesFolder } from '../../disk/own/package.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { orderOfFleet } from '../../fleet/making/fleet-order.js';
import type { SiteOrder } from '../../fleet/making/site-order.js';
import { openFleet, openFleetToCheck } from '../../fleet/read-fleet.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { commandLine, urlOrPath } from '../request.js';
import type { FleetOptions } from './fleet-options.js';

/** Opens the fleet in `dir` with the environment of this process. Problems: those of `openFleet`. */
export function openedFleet(
  { dir, only }: Pick<GlobalOptions, 'dir'> & FleetOptions,
  stdin: Stdin = standardInput(),
): Result<ReadFleet> {
  return openFleet(dir, { only, outside: { variables: process.env, stdin } });
}

/**
 * Like `openedFleet`, for validation only: also opens a fleet with faults in its table. Problems: those of `openFleetToCheck`.
 */
export function openedFleetToCheck(
  { dir, only }: Pick<GlobalOptions, 'dir'> & FleetOptions,
  stdin: Stdin,
): Result<ReadFleet> {
  return openFleetToCheck(dir, { only, outside: { variables: process.env, stdin } });
}

/**
 * Returns the site options that are equal for all sites of a fleet, with the clock, environment and command line of this process.
 */
export function orderOf(
  options: GlobalOptions & AioOptions,
  opened: ReadFleet,
  told: Pick<SiteOrder, 'keys' | 'stdin'>,
): Omit<SiteOrder, 'recordKey'> {
  const program = buildId();
  return {
    dir: options.dir,
    ...orderOfFleet(opened),
    ...told,
    // A copy, because `process.env` cannot be passed to a thread.
    variables: { ...process.env },
    ...(options.offlineFiles !== undefined && { offlineFiles: urlOrPath(options.offlineFiles) }),
    command: commandLine(),
    present: new Date(),
    templatesFolder: templatesFolder(),
    ...(program !== undefined && { program }),
  };
}
