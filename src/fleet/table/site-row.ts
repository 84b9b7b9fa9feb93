import { problem, type Place, type Problem } from '../../core/problem.js';
import { isName, quoted } from '../../core/quoted.js';
import { domainNameFault } from '../../formats/hostname.js';
import type { SiteLayer } from './site-layer.js';
import type { SiteVariables, Variable } from '../../config/variables.js';

/** A row of the table. */
export interface SiteRow {
  /** A DNS label; also the name of the site's folder. */
  readonly name: string;
  readonly at: Place;
  readonly variables: SiteVariables;
  /** Present if the table is a folder of ClusterInstances. */
  readonly layer?: SiteLayer;
  /** BMC address of a ClusterInstance. Kept in the row, because all sites are checked for a shared BMC, not only the selected ones. */
  readonly bmc?: { readonly text: string; readonly at: Place };
  /** holdInstallation of its ClusterInstance is true, so the site is not booted. */
  readonly isOnHold?: true;
  /** The name is invalid: the rest of the row is checked, but no outputs are created. `name` is then the label for messages. */
  readonly isMisnamed?: true;
}

/** Names of the sites on hold. */
export function sitesOnHold(rows: readonly SiteRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ name, isOnHold }) => (isOnHold === true ? [name] : [])));
}

/** A row before its name is checked. */
export interface DraftRow {
  readonly at: Place;
  readonly known: ReadonlyMap<string, Variable>;
  readonly empty: ReadonlyMap<string, Place>;
}

/** A row with the problems of its name. */
export interface NamedRow {
  readonly row: SiteRow;
  readonly problems: readonly Problem[];
}

/** Checks the name of a row. Problems: fleet/site-name. */
export function namedRow(draft: DraftRow, file: string): NamedRow {
  const variable = draft.known.get('name');
  const hint = 'give each site a unique name such as site-1; it is also the name of its output directory';
  if (variable?.value.kind !== 'scalar') {
    const at = draft.empty.get('name') ?? draft.at;
    const empty = new Map([...draft.empty, ['name', at] as const]);
    const row = misnamed('', { at, variables: { known: draft.known, empty } });
    return { row, problems: [problem('fleet/site-name', 'the site name is missing', { at, hint })] };
  }
  const name = variable.value.text;
  const at = { ...variable.at, file };
  const fault = name.includes('.') ? 'it contains a dot' : domainNameFault(name);
  if (fault === undefined) return { row: { name, at, variables: draft }, problems: [] };
  const message = `${quoted(name)} is not a valid site name: ${fault}`;
  return {
    row: misnamed(name, { at, variables: draft }),
    problems: [problem('fleet/site-name', message, { at: variable.at, hint })],
  };
}

/** The label is the name itself if it is safe to print and as a folder name; otherwise it is the place of the row. */
function misnamed(name: string, { at, variables }: Pick<SiteRow, 'at' | 'variables'>): SiteRow {
  const place = `in ${at.file}:${at.line ?? 1}`;
  return { name: /^[\w-]+$/.test(name) && isName(name) ? name : place, at, variables, isMisnamed: true };
}

/** Drops problems that only follow from an invalid name. */
export function withoutNameFaults(row: SiteRow, problems: readonly Problem[]): readonly Problem[] {
  if (row.isMisnamed === undefined) return problems;
  const { at, variables } = row;
  const hasName = variables.known.has('name');
  return problems.filter((each) => {
    const isAtName = each.at?.file === at.file && each.at.line === at.line && each.at.col === at.col;
    return !isAtName || (!hasName && each.code !== 'fleet/variable');
  });
}
