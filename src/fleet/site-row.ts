import { problem, type Place, type Problem } from '../core/problem.js';
import { isName, quoted } from '../core/quoted.js';
import { domainNameFault } from '../formats/hostname.js';
import type { SiteLayer } from './site-layer.js';
import type { SiteVariables, Variable } from '../config/variables.js';

/** A site as the table has it. */
export interface SiteRow {
  /** A label of a domain name: folders and files are called so. */
  readonly name: string;
  readonly at: Place;
  readonly variables: SiteVariables;
  /** Of a table that holds files, too. */
  readonly layer?: SiteLayer;
  /** The address of its BMC in a ClusterInstance. Kept, since those of all sites are compared whichever are meant. */
  readonly bmc?: { readonly text: string; readonly at: Place };
  /** Its name is refused: the rest of the row is checked, and nothing is made of it. `name` is then what messages call it. */
  readonly isMisnamed?: true;
}

/** A line of a table, before anything is known of its name. */
export interface DraftRow {
  readonly at: Place;
  readonly known: ReadonlyMap<string, Variable>;
  readonly empty: ReadonlyMap<string, Place>;
}

/** A row, and what is wrong with its name. */
export interface NamedRow {
  readonly row: SiteRow;
  readonly problems: readonly Problem[];
}

/** A row by its name. Problems: fleet/site-name. */
export function namedRow(draft: DraftRow, file: string): NamedRow {
  const variable = draft.known.get('name');
  const hint = 'every site has a name of its own, such as site-1: its folder is called so';
  if (variable?.value.kind !== 'scalar') {
    const at = draft.empty.get('name') ?? draft.at;
    const empty = new Map([...draft.empty, ['name', at] as const]);
    const row = misnamed('', { at, variables: { known: draft.known, empty } });
    return { row, problems: [problem('fleet/site-name', 'this site has no name', { at, hint })] };
  }
  const name = variable.value.text;
  const at = { ...variable.at, file };
  const fault = name.includes('.') ? 'it has a dot' : domainNameFault(name);
  if (fault === undefined) return { row: { name, at, variables: draft }, problems: [] };
  const message = `${quoted(name)} cannot be the name of a site: ${fault}`;
  return {
    row: misnamed(name, { at, variables: draft }),
    problems: [problem('fleet/site-name', message, { at: variable.at, hint })],
  };
}

/** Called by its name where that is a harmless name of a folder, else by its place. */
function misnamed(name: string, { at, variables }: Pick<SiteRow, 'at' | 'variables'>): SiteRow {
  const place = `in ${at.file}:${at.line ?? 1}`;
  return { name: /^[\w-]+$/.test(name) && isName(name) ? name : place, at, variables, isMisnamed: true };
}

/** Problems of a row without those that follow from its refused name. */
export function withoutNameFaults(row: SiteRow, problems: readonly Problem[]): readonly Problem[] {
  if (row.isMisnamed === undefined) return problems;
  const { at, variables } = row;
  const hasName = variables.known.has('name');
  return problems.filter((each) => {
    const isAtName = each.at?.file === at.file && each.at.line === at.line && each.at.col === at.col;
    return !isAtName || (!hasName && each.code !== 'fleet/variable');
  });
}
