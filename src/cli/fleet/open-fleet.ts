import { openRequestedFleet, type FleetRequest } from '../../fleet/build/index.js';
import type { LoadedFleet } from '../../fleet/table/index.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import type { Result } from '../../core/result.js';
import { processSurroundings } from '../surroundings.js';

/** Opens the fleet with the environment of this process. Problems: those of `openRequestedFleet`. */
export function openFleetOf(options: FleetRequest, stdin = standardInput()): Result<LoadedFleet> {
  return openRequestedFleet(options, processSurroundings(stdin));
}
