import { join } from 'node:path';

import { failure, type Result } from '../../core/result.js';
import { buildId, templatesFolder } from '../../disk/program-files/package.js';
import { recordKeyName } from '../../disk/site-record/record-key.js';
import { untrustedRecords } from '../../disk/trust.js';
import { bootRecordName } from '../boot/boot-record.js';
import { summaryName } from './fleet-summary.js';
import { rolloutStateNames } from '../rollout/rollout-state.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { fleetOptions, neededStdin } from './fleet-options.js';
import { fleetStatusOf, type FleetStatus } from './fleet-status.js';
import type { SiteOptions } from './site-options.js';
import { openFleet, openFleetToCheck } from '../table/read-fleet.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import { commandLine, urlOrPath } from '../../run/effects/command-line.js';
import type { SiteSelection } from '../table/site-selection.js';

/** A fleet and the selected sites, by default all. */
export interface FleetRequest extends Partial<SiteSelection> {
  /** The folder of fleet.yaml. */
  readonly dir: string;
}

/** A fleet, and the environment and clock for its sites. */
export interface FleetPlace {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly offlineFiles?: string;
  readonly surroundings: Pick<Surroundings, 'variables' | 'stdin' | 'present'>;
}

/** Opens the fleet in `dir`. Problems: dir/untrusted, those of `openFleet`. */
export function openRequestedFleet(
  { dir, only = [], where = [] }: FleetRequest,
  outside: Pick<Surroundings, 'variables' | 'stdin'>,
): Result<LoadedFleet> {
  const opened = openFleet(dir, { only, where, outside });
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
  { dir, only, where }: Required<FleetRequest>,
  outside: Pick<Surroundings, 'variables' | 'stdin'>,
): Result<LoadedFleet> {
  return openFleetToCheck(dir, { only, where, outside });
}

/** Returns the site options that are equal for all sites of a fleet. */
export function siteOptions(
  { dir, offlineFiles, surroundings: { variables, present } }: FleetPlace,
  opened: LoadedFleet,
  access: Pick<SiteOptions, 'keys' | 'stdin'>,
): Omit<SiteOptions, 'recordKey'> {
  const program = buildId();
  return {
    dir,
    ...fleetOptions(opened),
    ...access,
    // A copy, because `process.env` cannot be passed to a thread.
    variables: { ...variables },
    ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }),
    command: commandLine(),
    present: present(),
    templatesFolder: templatesFolder(),
    ...(program !== undefined && { program }),
  };
}

/** Compares the outputs of the selected sites with their inputs. Opens no encrypted file. */
export function fleetStatusNow(place: FleetPlace, opened: LoadedFleet): FleetStatus {
  const keys = { identities: [], passphrases: [] };
  const access = { keys, ...neededStdin(opened, place.surroundings.stdin) };
  return fleetStatusOf(opened, siteOptions(place, opened, access));
}
