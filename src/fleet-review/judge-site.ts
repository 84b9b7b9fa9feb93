import type { Problem } from '../core/problem.js';
import { problemsOf, type Result } from '../core/result.js';
import type { Inputs } from '../graph/context.js';
import { withCommon, type ReadFleet } from '../fleet/judge-fleet.js';
import { siteFiles, type SiteFiles } from '../fleet/site-files.js';
import { knownNames, problemsOfSite } from '../fleet/site-problems.js';
import type { SiteRow } from '../fleet/site-table.js';

/** What came of one site, and its problems, each where its value stands. */
export interface JudgedSite<T> {
  readonly judged: Result<T>;
  readonly problems: readonly Problem[];
}

/** The files of a site of a fleet. */
export function filesOf({ fleet, baseInputs, overrideInputs }: ReadFleet, row: SiteRow): SiteFiles {
  const { base, overrides } = fleet;
  return siteFiles({ base, overrides, baseInputs, overrideInputs }, withCommon(row, fleet));
}

/** Makes something of one site; its problems are all but those that it has only among others. */
export async function judgeSite<T>(
  read: ReadFleet,
  row: SiteRow,
  judge: (inputs: Inputs) => Promise<Result<T>>,
): Promise<JudgedSite<T>> {
  const files = filesOf(read, row);
  const judged = await judge(files.inputs);
  const known = knownNames(read.fleet, read.table);
  return { judged, problems: problemsOfSite(files, problemsOf(judged), known) };
}
