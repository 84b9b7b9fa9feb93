import { standardInput } from '../../disk/external-files/standard-input.js';
import type { Result } from '../../core/result.js';
import { openRequestedFleet, type FleetRequest } from '../../fleet/fleet-request.js';
import type { LoadedFleet } from '../../fleet/check-fleet.js';
import { processSurroundings } from '../surroundings.js';

/** Opens the fleet with the environment of this process. Problems: those of `openRequestedFleet`. */
export function openFleetOf(options: FleetRequest, stdin = standardInput()): Result<LoadedFleet> {
  return openRequestedFleet(options, processSurroundings(stdin));
}
