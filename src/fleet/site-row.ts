import { problem, type Place } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { domainNameFault } from '../formats/hostname.js';
import type { SiteLayer } from './site-layer.js';
import type { SiteVariables, Variable } from './variables.js';

/** A site as the table has it. */
export interface SiteRow {
  /** A label of a domain name: folders and files are called so. */
  readonly name: string;
  readonly at: Place;
  readonly variables: SiteVariables;
  /** Of a table that holds files, too. */
  readonly layer?: SiteLayer;
}

/** A line of a table, before anything is known of its name. */
export interface DraftRow {
  readonly at: Place;
  readonly known: ReadonlyMap<string, Variable>;
  readonly empty: ReadonlyMap<string, Place>;
}

/** A row by its name. Problems: fleet/site-name. */
export function namedRow(draft: DraftRow, file: string): Result<SiteRow> {
  const variable = draft.known.get('name');
  const hint = 'every site has a name of its own, such as site-1: its folder is called so';
  if (variable?.value.kind !== 'scalar') {
    return failure(
      problem('fleet/site-name', 'this site has no name', { at: draft.empty.get('name') ?? draft.at, hint }),
    );
  }
  const name = variable.value.text;
  const fault = name.includes('.') ? 'it has a dot' : domainNameFault(name);
  if (fault !== undefined) {
    const message = `${quoted(name)} cannot be the name of a site: ${fault}`;
    return failure(problem('fleet/site-name', message, { at: variable.at, hint }));
  }
  return success({ name, at: { ...variable.at, file }, variables: draft });
}
