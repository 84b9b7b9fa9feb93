import type { Problem } from '../core/problem.js';
import { problemsOf, type Result } from '../core/result.js';
import type { Inputs } from '../graph/context.js';
import type { TargetName } from '../run/targets.js';
import { withCommon, type ReadFleet } from './judge-fleet.js';
import { siteFiles, type FleetFiles, type SiteFiles } from './site-files.js';
import { knownNames, problemsOfSite, type KnownNames } from './site-problems.js';
import type { SiteRow } from './site-table.js';

/** What the sites of a fleet are made of, and made into. */
export interface SitesOrigin extends FleetFiles {
  readonly target: TargetName;
  readonly known: KnownNames;
}

/** What judges the files of one site. */
export type JudgeSite<T = unknown> = (inputs: Inputs) => Promise<Result<T>>;

/** What came of one site, and its problems, each where its value stands. */
export interface JudgedSite<T> {
  readonly judged: Result<T>;
  readonly problems: readonly Problem[];
}

/** That of a fleet that was read here. */
export function originOf({ fleet, table, baseInputs, overrideInputs }: ReadFleet): SitesOrigin {
  const { base, overrides, target } = fleet;
  return { base, overrides, target, baseInputs, overrideInputs, known: knownNames(fleet, table) };
}

/** The files of a site of a fleet. */
export function filesOf({ fleet, baseInputs, overrideInputs }: ReadFleet, row: SiteRow): SiteFiles {
  const { base, overrides } = fleet;
  return siteFiles({ base, overrides, baseInputs, overrideInputs }, withCommon(row, fleet));
}

/**
 * Makes something of one site, whose row has the variables that all share; its problems are all but those that it has only among
 * others. Problems: fleet/variable, fleet/override, and those of `judge`.
 */
export async function judgeSite<T>(
  origin: SitesOrigin,
  row: SiteRow,
  judge: JudgeSite<T>,
): Promise<JudgedSite<T>> {
  const files = siteFiles(origin, row);
  const judged = await judge(files.inputs);
  return { judged, problems: problemsOfSite(files, problemsOf(judged), origin.known) };
}

/** What is wrong with one site after the other. */
export function siteJudge(
  origin: SitesOrigin,
  judge: JudgeSite,
): (row: SiteRow) => Promise<readonly Problem[]> {
  return async (row) => (await judgeSite(origin, row, judge)).problems;
}
