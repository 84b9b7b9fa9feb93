import type { Problem } from '../../core/problem.js';
import { expandText } from './expand-document.js';
import type { Fleet } from './fleet-file.js';
import { fleetWide, GroupedProblems, type FleetProblem } from '../problems/grouped-problems.js';
import { InstanceWarnings } from './instance-warnings.js';
import { mergeSiteWarnings } from '../problems/merge-site-warnings.js';
import { namedValues } from './site-placeholders.js';
import { UniqueValues } from './unique-values.js';
import { siteFiles, type FleetFiles } from './site-files.js';
import { withoutNameFaults } from './site-row.js';
import type { SiteRow, SiteTable } from './site-table.js';
import { inOrder } from '../threads/in-order.js';

/** A fleet that was read successfully. */
export interface LoadedFleet {
  readonly fleet: Fleet;
  readonly table: SiteTable;
  /** Selected rows of the table. */
  readonly rows: readonly SiteRow[];
  /** Errors of the table and of folders. With any of them, sites are checked but not created. */
  readonly faults: readonly Problem[];
  readonly files: FleetFiles;
  /** Files below the folder of fleet.yaml. */
  readonly fleetInputs: FleetFiles['baseInputs'];
}

export interface FleetCheckOptions {
  /** Returns the problems of a site; the row includes the fleet-wide variables. */
  readonly judge: (row: SiteRow) => Promise<readonly Problem[]>;
  /** Number of sites checked concurrently; default 1. */
  readonly atOnce?: number;
  readonly onSite?: (done: number) => void;
}

/**
 * Returns the problems of all sites, each at the place of its value: in the table, in the base or in an override. A problem of the base
 * is listed once for all its sites. Problems: fleet/…, those of `judge`, and for the whole
 * fleet import/left-out.
 */
export async function checkFleet(
  { fleet, table, rows, files: sources }: Omit<LoadedFleet, 'faults'>,
  { judge, atOnce = 1, onSite = () => undefined }: FleetCheckOptions,
): Promise<readonly FleetProblem[]> {
  const shared = new UniqueValues();
  const found = new GroupedProblems();
  const notes = new InstanceWarnings(fleet);
  let done = 0;
  for await (const [row, problems] of inOrder(completeRows({ rows, fleet }), atOnce, judge)) {
    const files = siteFiles(sources, row);
    const own = withoutNameFaults(row, [...problems, ...shared.add(row.name, files)]);
    found.add(row.name, own, { named: namedValues(row) });
    notes.add(row, files);
    done += 1;
    onSite(done);
  }
  const unused = rows.length === table.rows.length ? (table.unused?.() ?? []) : [];
  return [...mergeSiteWarnings(found.list()), ...notes.list(), ...unused.map(fleetWide)];
}

/** Yields rows with the fleet-wide variables one at a time, so that ten thousand are not in memory at once. */
export function* completeRows({ rows, fleet }: Pick<LoadedFleet, 'rows' | 'fleet'>): Generator<SiteRow> {
  for (const row of rows) yield withFleetVariables(row, fleet);
}

/** Adds the variables of the site's classes, a later class before an earlier one, and the fleet-wide variables that the row does not set. */
export function withFleetVariables(
  row: SiteRow,
  { variables, classes, classVariables }: Pick<Fleet, 'variables' | 'classes' | 'classVariables'>,
): SiteRow {
  const { known, empty } = row.variables;
  const own = { known: new Map([...variables, ...known]), empty };
  if (classVariables.size === 0) return { ...row, variables: own };
  const ofClasses = classes.flatMap(({ text, at }) => [
    ...(classVariables.get(expandText(text, at, own).text) ?? []),
  ]);
  return { ...row, variables: { known: new Map([...variables, ...ofClasses, ...known]), empty } };
}
