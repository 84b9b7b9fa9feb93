import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { ServeCommandLine, ServePlaces } from './serve-options.js';

/** Where the command line, or the fleet that it names, has its sites. Problems: usage/unknown-argument, those of `fleetPlaces`. */
export async function servePlaces(
  sites: readonly string[],
  options: ServeCommandLine,
): Promise<Result<ServePlaces>> {
  if (options.fleet === undefined)
    return success({ options, folders: sites.length > 0 ? sites : [options.dir] });
  if (sites.length > 0) return failure(twice());
  // Reads tables and configs.
  const { fleetPlaces } = await import('./fleet-places.js');
  return fleetPlaces(options.fleet, options);
}

function twice(): Problem {
  const hint = 'leave them out: fleet.yaml says where the outputs of its sites are';
  return problem('usage/unknown-argument', '--fleet stands beside folders of sites', { hint });
}
