import { problem, type Place, type Problem } from '../core/problem.js';
import { quotedName } from '../core/quoted.js';
import { problemsOf, type Result } from '../core/result.js';
import { closest } from '../core/suggest.js';
import type { Inputs } from '../graph/context.js';
import type { ExpandFault } from './expand.js';
import type { Fleet } from './fleet-file.js';
import { SharedValues } from './shared-values.js';
import { siteFiles, type SiteFiles } from './site-files.js';
import type { SiteRow, SiteTable } from './site-table.js';
import type { SiteVariables } from './variables.js';

/** What judges the files of one site. */
export type JudgeSite = (inputs: Inputs) => Promise<Result<unknown>>;

/** A problem of sites: one for all that have it from one place. */
export interface FleetProblem {
  readonly problem: Problem;
  /** In the order of the table; empty for what is no matter of one site. */
  readonly sites: readonly string[];
}

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
  const found = new Map<string, { readonly problem: Problem; readonly sites: string[] }>();
  for (const [index, row] of rows.entries()) {
    const files = siteFiles({ base, overrides, baseInputs, overrideInputs }, withCommon(row, fleet));
    const judged = await judge(files.inputs);
    const ofFiles = [...files.problems, ...files.faults.map((fault) => faultProblem(fault, table, fleet))];
    const failed = new Set(files.faults.map(({ at }) => lineKey(at)));
    const ofSite = problemsOf(judged)
      .map((each) => traced(each, files))
      .filter(({ at, from }) => !failed.has(lineKey(from ?? at)));
    for (const each of [...ofFiles, ...ofSite, ...shared.add(row.name, files)]) {
      const key = JSON.stringify([each.code, each.message, each.at, each.from]);
      const known = found.get(key) ?? { problem: each, sites: [] };
      if (known.sites.at(-1) !== row.name) known.sites.push(row.name);
      found.set(key, known);
    }
    onSite(index + 1);
  }
  return [...found.values()].map(({ problem, sites }) => ({ problem, sites }));
}

/** A site with the variables that are the same for all where its own line says nothing. */
function withCommon(row: SiteRow, { variables }: Fleet): SiteRow {
  const own: SiteVariables = row.variables;
  return { ...row, variables: { ...own, known: new Map([...variables, ...own.known]) } };
}

/** A problem at the place where its value was written. */
function traced(found: Problem, files: SiteFiles): Problem {
  if (found.at === undefined) return found;
  const { at, cell } = files.originOf(found.at);
  return cell === undefined ? { ...found, at } : { ...found, at: cell, from: at };
}

function lineKey(at: Place | undefined): string {
  return at?.line === undefined ? '' : `${at.file}:${at.line}`;
}

function faultProblem(fault: ExpandFault, table: SiteTable, { sites, variables }: Fleet): Problem {
  const { at } = fault;
  switch (fault.kind) {
    case 'unknown': {
      const near = closest(fault.name, [...table.columns.keys(), ...variables.keys()]);
      const hint =
        near === undefined
          ? `add a column to ${sites}, or a value below variables in fleet.yaml`
          : `did you mean "\${${near}}"?`;
      return problem('fleet/variable', `there is no variable ${quotedName(fault.name)}`, { at, hint });
    }
    case 'empty': {
      const hint = `fill it in, or write "\${…:-…}" where it stands for what most sites have`;
      const message = `this site has no ${quotedName(fault.name)}, and its files need it`;
      return { ...problem('fleet/variable', message, { at: fault.cell, hint }), from: at };
    }
    case 'misplaced':
      return problem(
        'fleet/variable',
        `${quotedName(fault.name)} is a map or a list, and cannot stand within a text`,
        {
          at,
        },
      );
    case 'malformed':
      return problem(
        'fleet/variable',
        'this is no variable: one is written "${name}" or "${name:-otherwise}"',
        {
          at,
          hint: 'write "$${" for "${" that is to stay as it is',
        },
      );
  }
}
