import type { Problem } from '../core/problem.js';
import { problemsOf, type Result } from '../core/result.js';
import type { Inputs } from '../graph/context.js';
import type { Fleet } from './fleet-file.js';
import { GroupedProblems, type FleetProblem } from './grouped-problems.js';
import { InstanceNotes } from './instance-table/instance-notes.js';
import { SharedValues } from './shared-values.js';
import { siteFiles } from './site-files.js';
import { knownNames, problemsOfSite } from './site-problems.js';
import type { SiteRow, SiteTable } from './site-table.js';
import type { SiteVariables } from './variables.js';

/** What judges the files of one site. */
export type JudgeSite = (inputs: Inputs) => Promise<Result<unknown>>;

/** A fleet that could be read. */
export interface ReadFleet {
  readonly fleet: Fleet;
  readonly table: SiteTable;
  /** Those of the table that are to be judged. */
  readonly rows: readonly SiteRow[];
  readonly baseInputs: Inputs;
  readonly overrideInputs: Inputs;
}

/**
 * Every problem of every site, each where its value stands: in the table, in the base or in an override. What sites have from one
 * place of the base is told once. Problems: fleet/…, and those of `judge`.
 */
export async function judgeFleet(
  { fleet, table, rows, baseInputs, overrideInputs }: ReadFleet,
  judge: JudgeSite,
  onSite: (done: number) => void = () => undefined,
): Promise<readonly FleetProblem[]> {
  const { base, overrides } = fleet;
  const shared = new SharedValues();
  const found = new GroupedProblems();
  const notes = new InstanceNotes(fleet);
  const known = knownNames(fleet, table);
  for (const [index, row] of rows.entries()) {
    const own = withCommon(row, fleet);
    const files = siteFiles({ base, overrides, baseInputs, overrideInputs }, own);
    const judged: readonly Problem[] = problemsOf(await judge(files.inputs));
    found.add(row.name, problemsOfSite(files, judged, known));
    found.add(row.name, shared.add(row.name, files));
    notes.add(own, files);
    onSite(index + 1);
  }
  return [...found.list(), ...notes.list()];
}

/** A site with the variables that are the same for all where its own line says nothing. */
export function withCommon(row: SiteRow, { variables }: Pick<Fleet, 'variables'>): SiteRow {
  const own: SiteVariables = row.variables;
  return { ...row, variables: { ...own, known: new Map([...variables, ...own.known]) } };
}
