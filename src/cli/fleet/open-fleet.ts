import { openRequestedFleet, type FleetRequest } from '../../fleet/build/index.js';
import { secretAccess, withSecrets, type LoadedFleet } from '../../fleet/table/index.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import type { Result } from '../../core/result.js';
import type { GlobalOptions } from '../options.js';
import { siteProgress } from '../progress.js';
import { processSurroundings } from '../surroundings.js';

/** Opens the fleet with the environment of this process. Problems: those of `openRequestedFleet`. */
export function openFleetOf(options: FleetRequest, stdin = standardInput()): Result<LoadedFleet> {
  return openRequestedFleet(options, processSurroundings(stdin));
}

/** Runs the commands of the secrets, which may take seconds for each site, and shows the progress. */
export async function withFetchedSecrets(
  options: GlobalOptions,
  opened: LoadedFleet,
  limits: { readonly jobs: number; readonly stop: AbortSignal },
): Promise<LoadedFleet> {
  if (opened.fleet.secrets.size === 0) return opened;
  const screen = siteProgress(options, opened.rows.length, process.stderr, 'reading secrets of sites');
  try {
    return await withSecrets(opened, { ...secretAccess(options), ...limits, onSite: screen.onSite });
  } finally {
    screen.done();
  }
}
