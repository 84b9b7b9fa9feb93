import type { Problem } from '../core/problem.js';
import type { Inputs } from '../graph/context.js';
import type { Fleet } from './fleet-file.js';
import { GroupedProblems, type FleetProblem } from './grouped-problems.js';
import { InstanceNotes } from './instance-table/instance-notes.js';
import { SharedValues } from './shared-values.js';
import { siteFiles } from './site-files.js';
import { withoutNameFaults } from './site-row.js';
import type { SiteRow, SiteTable } from './site-table.js';
import { inOrder } from '../run/threads/in-order.js';

/** A fleet that could be read. */
export interface ReadFleet {
  readonly fleet: Fleet;
  readonly table: SiteTable;
  /** Those of the table that are to be judged. */
  readonly rows: readonly SiteRow[];
  /** Errors of the table and of folders; with one, sites are checked and none is made. */
  readonly faults: readonly Problem[];
  readonly baseInputs: Inputs;
  readonly overrideInputs: Inputs;
}

/** How the sites of a fleet are judged. */
export interface FleetJudging {
  /** What is wrong with a site, whose row has the variables that all share. */
  readonly judge: (row: SiteRow) => Promise<readonly Problem[]>;
  /** How many are judged at a time; one without. */
  readonly atOnce?: number;
  readonly onSite?: (done: number) => void;
}

/**
 * Every problem of every site, each where its value stands: in the table, in the base or in an override. What sites have from one
 * place of the base is told once. Problems: fleet/…, and those of `judge`.
 */
export async function judgeFleet(
  { fleet, rows, baseInputs, overrideInputs }: Omit<ReadFleet, 'faults'>,
  { judge, atOnce = 1, onSite = () => undefined }: FleetJudging,
): Promise<readonly FleetProblem[]> {
  const { base, overrides } = fleet;
  const shared = new SharedValues();
  const found = new GroupedProblems();
  const notes = new InstanceNotes(fleet);
  let done = 0;
  for await (const [row, problems] of inOrder(wholeRows({ rows, fleet }), atOnce, judge)) {
    const files = siteFiles({ base, overrides, baseInputs, overrideInputs }, row);
    found.add(row.name, withoutNameFaults(row, [...problems, ...shared.add(row.name, files)]));
    notes.add(row, files);
    done += 1;
    onSite(done);
  }
  return [...found.list(), ...notes.list()];
}

/** Sites with the variables that all share, one after the other: those of ten thousand need not be there at once. */
export function* wholeRows({ rows, fleet }: Pick<ReadFleet, 'rows' | 'fleet'>): Generator<SiteRow> {
  for (const row of rows) yield withCommon(row, fleet);
}

/** A site with the variables that are the same for all where its own line says nothing. */
export function withCommon(row: SiteRow, { variables }: Pick<Fleet, 'variables'>): SiteRow {
  const { known, empty } = row.variables;
  return { ...row, variables: { known: new Map([...variables, ...known]), empty } };
}
