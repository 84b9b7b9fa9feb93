import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { ReviewSource } from './review-source.js';
import {
  isPartial,
  isSelected,
  selectableColumns,
  selectableSite,
  siteSelector,
  type SelectableSite,
  type SiteSelection,
} from '../table/site-selection.js';
import { fleetAround } from './fleet-around.js';

/** Tells by name whether a site is selected. */
export type SiteFilter = (name: string) => boolean;

/**
 * Selects the sites of a comparison. A site is selected if its values on either side match. Outputs have the values of the fleet
 * around them. Problems: usage/unknown-argument.
 */
export function selectedSites(
  places: readonly ReviewSource[],
  selection: SiteSelection,
  dir: string,
): Result<SiteFilter> {
  const { only, where } = selection;
  if (!isPartial(selection)) return success(() => true);
  const tables = tablesOf(places, dir);
  if (tables.length === 0) {
    if (where.length === 0) return success((name) => isSelected(name, only));
    const hint = 'set --dir to the directory with fleet.yaml, or use --only';
    const message = '--where needs the table of the fleet, which was not found';
    return failure(problem('usage/unknown-argument', message, { hint }));
  }
  const sites = tables.flatMap((table) => table.sites);
  const selects = siteSelector(selection, { columns: tables.flatMap(({ columns }) => columns), sites });
  if (!selects.ok) return selects;
  const names = new Set(sites.filter(selects.value).map(({ name }) => name));
  return success((name) => names.has(name));
}

interface TableOfPlace {
  readonly columns: readonly string[];
  readonly sites: readonly SelectableSite[];
}

function tablesOf(places: readonly ReviewSource[], dir: string): readonly TableOfPlace[] {
  const outputs = places.filter((place) => place.kind === 'outputs' || place.kind === 'fleet');
  const around = places.some(({ kind }) => kind === 'outputs') ? fleetAround(outputs, dir) : undefined;
  const fleets = [
    ...places.flatMap((place) => (place.kind === 'fleet' ? [place.read] : [])),
    ...(around ? [around] : []),
  ];
  return [
    ...fleets.map(({ fleet, table, rows }) => ({
      columns: selectableColumns(fleet, table),
      sites: rows.map((row) => selectableSite(row, fleet)),
    })),
    ...places.flatMap((place) => (place.kind === 'tree' ? [tableOfTree(place.tree.sites)] : [])),
  ];
}

function tableOfTree(sites: ReadonlyMap<string, ReadonlyMap<string, string>>): TableOfPlace {
  return {
    columns: [...sites.values()].flatMap((values) => [...values.keys()]),
    sites: [...sites].map(([name, values]) => ({ name, valueOf: (column) => values.get(column) })),
  };
}
