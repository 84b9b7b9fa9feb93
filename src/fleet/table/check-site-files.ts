import type { Problem } from '../../core/problem.js';
import { failure, problemsOf, type Result } from '../../core/result.js';
import type { Inputs } from '../../graph/context.js';
import type { TargetName } from '../../run/targets.js';
import { withFleetVariables, type LoadedFleet } from './check-fleet.js';
import { siteFiles, type FleetFiles, type SiteFiles } from './site-files.js';
import { hasFaults, knownNames, siteProblems, type KnownNames } from './site-problems.js';
import type { SiteRow } from './site-table.js';

/** Input files and target of the sites of a fleet. */
export interface SiteInputSources extends FleetFiles {
  readonly target: TargetName;
  readonly known: KnownNames;
}

/** Processes the files of one site and returns its problems. */
export type SiteCheck<T = unknown> = (inputs: Inputs) => Promise<Result<T>>;

/** Result of one site; each problem has the place where its value was written. */
export interface CheckedSite<T> {
  readonly judged: Result<T>;
  readonly problems: readonly Problem[];
}

export function siteSourcesOf({ fleet, table, files }: LoadedFleet): SiteInputSources {
  return { ...files, target: fleet.target, known: knownNames(fleet, table) };
}

export function filesOf({ fleet, files }: LoadedFleet, row: SiteRow): SiteFiles {
  return siteFiles(files, withFleetVariables(row, fleet));
}

/**
 * Runs `judge` on the files of one site. The row includes the fleet-wide variables. Conflicts with other sites are not reported.
 * Problems: fleet/variable, fleet/override, and those of `judge`.
 */
export async function checkSiteFiles<T>(
  origin: SiteInputSources,
  row: SiteRow,
  judge: SiteCheck<T>,
): Promise<CheckedSite<T>> {
  const files = siteFiles(origin, row);
  const found = await judge(files.inputs);
  const judged = found.ok && hasFaults(files) ? failure(...found.warnings) : found;
  return { judged, problems: siteProblems(files, problemsOf(judged), origin.known) };
}

/** Returns a function that lists the problems of a site. */
export function siteChecker(
  origin: SiteInputSources,
  judge: SiteCheck,
): (row: SiteRow) => Promise<readonly Problem[]> {
  return async (row) => (await checkSiteFiles(origin, row, judge)).problems;
}
