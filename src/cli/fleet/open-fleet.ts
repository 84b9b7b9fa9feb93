import { openRequestedFleet, type FleetRequest } from '../../fleet/build/index.js';
import { secretAccess, withSecrets, type LoadedFleet } from '../../fleet/table/index.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import type { Result } from '../../core/result.js';
import type { GlobalOptions } from '../options.js';
import { showSiteProgress } from '../progress.js';
import { processSurroundings } from '../surroundings.js';

/** Opens the fleet with the environment of this process. Problems: those of `openRequestedFleet`. */
export function openFleetOf(options: FleetRequest, stdin = standardInput()): Result<LoadedFleet> {
  return openRequestedFleet(options, processSurroundings(stdin));
}

/** Runs the commands of the secrets and shows the progress. */
export function withFetchedSecrets(
  options: GlobalOptions,
  opened: LoadedFleet,
  limits: { readonly jobs: number; readonly stop: AbortSignal },
): Promise<LoadedFleet> {
  return withSecrets(opened, { ...secretAccess(options, showSiteProgress(options)), ...limits });
}
