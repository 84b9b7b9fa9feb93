import { join } from 'node:path';

import { failure, type Result } from '../../core/result.js';
import { standardInput, type Stdin } from '../../disk/external-files/standard-input.js';
import { buildId, templatesFolder } from '../../disk/program-files/package.js';
import { recordKeyName } from '../../disk/site-record/record-key.js';
import { untrustedRecords } from '../../disk/trust.js';
import { bootRecordName } from '../../fleet/boot/boot-record.js';
import { summaryName } from '../../fleet/build/fleet-summary.js';
import { rolloutStateNames } from '../../fleet/rollout/rollout-state.js';
import type { LoadedFleet } from '../../fleet/check-fleet.js';
import { fleetOptions } from '../../fleet/build/fleet-options.js';
import type { SiteOptions } from '../../fleet/build/site-options.js';
import { openFleet, openFleetToCheck } from '../../fleet/read-fleet.js';
import type { AioOptions, GlobalOptions } from '../options.js';
import { commandLine, urlOrPath } from '../request.js';
import type { FleetOptions } from './fleet-options.js';

/** Opens the fleet in `dir` with the environment of this process. Problems: dir/untrusted, those of `openFleet`. */
export function openRequestedFleet(
  { dir, only = [], where = [] }: Pick<GlobalOptions, 'dir'> & Partial<FleetOptions>,
  stdin: Stdin = standardInput(),
): Result<LoadedFleet> {
  const opened = openFleet(dir, { only, where, outside: { variables: process.env, stdin } });
  if (!opened.ok) return opened;
  const untrusted = untrustedRecords(join(dir, opened.value.fleet.outputs), recordNames);
  return untrusted.length === 0 ? opened : failure(...opened.warnings, ...untrusted);
}

/** Records in the output folder that control machines and keys. */
const recordNames = [recordKeyName, summaryName, bootRecordName, ...Object.values(rolloutStateNames)];

/**
 * Like `openRequestedFleet`, for validation only: also opens a fleet with faults in its table. Problems: those of `openFleetToCheck`.
 */
export function openRequestedFleetToCheck(
  { dir, only, where }: Pick<GlobalOptions, 'dir'> & FleetOptions,
  stdin: Stdin,
): Result<LoadedFleet> {
  return openFleetToCheck(dir, { only, where, outside: { variables: process.env, stdin } });
}

/**
 * Returns the site options that are equal for all sites of a fleet, with the clock, environment and command line of this process.
 */
export function siteOptions(
  options: GlobalOptions & AioOptions,
  opened: LoadedFleet,
  access: Pick<SiteOptions, 'keys' | 'stdin'>,
): Omit<SiteOptions, 'recordKey'> {
  const program = buildId();
  return {
    dir: options.dir,
    ...fleetOptions(opened),
    ...access,
    // A copy, because `process.env` cannot be passed to a thread.
    variables: { ...process.env },
    ...(options.offlineFiles !== undefined && { offlineFiles: urlOrPath(options.offlineFiles) }),
    command: commandLine(),
    present: new Date(),
    templatesFolder: templatesFolder(),
    ...(program !== undefined && { program }),
  };
}
