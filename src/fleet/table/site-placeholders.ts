import { mayBeSecret, namesSecret } from '../../core/secrets.js';
import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { SiteRow } from './site-table.js';
import { placeholdersFor, type Placeholders } from '../review/placeholders.js';

/** Values of a site by variable name, as texts. Items of lists and maps have names such as `dns[0]` and `bmc.user`. */
export type SiteValues = ReadonlyMap<string, string>;

/** Placeholders for the values of a site. */
export interface SitePlaceholders {
  /** Placeholders for values that no other site has. They identify the site, so they are always replaced. */
  readonly own: Placeholders;
  /** Placeholders for all values that differ among sites, including numbers and words that may match by chance. */
  readonly every: Placeholders;
}

/** Values of a row without secrets. Values that may be secrets are omitted too, since trees mask them. */
export function valuesOf({ variables }: Pick<SiteRow, 'variables'>, secret: ReadonlySet<string>): SiteValues {
  const shown = [...variables.known].filter(([name]) => !secret.has(name));
  return new Map(shown.flatMap(([name, { value }]) => leavesOf(value, name)));
}

function leavesOf(node: YamlNode, name: string): readonly (readonly [string, string])[] {
  switch (node.kind) {
    case 'scalar': {
      const isShown = !namesSecret(name) && !mayBeSecret(node.text);
      return node.value === null || node.text === '' || !isShown ? [] : [[name, node.text]];
    }
    case 'list':
      return node.items.flatMap((item, index) => leavesOf(item, `${name}[${index}]`));
    case 'map':
      return node.entries.flatMap(({ key, value }) => leavesOf(value, `${name}.${key}`));
  }
}

/** Replaces the values of a row in a text by placeholders, except values that may match by chance. */
export function namedValues(row: Pick<SiteRow, 'variables'>): (text: string) => string {
  let made: Placeholders | undefined;
  return (text) =>
    (made ??= placeholdersFor(valuesOf(row, new Set()), (_name, value) => isTelling(value))).named(text);
}

/** Returns a function that creates the placeholders of a site from its index. */
export function placeholdersBySite(sites: readonly SiteValues[]): (site: number) => SitePlaceholders {
  const counts = new Map<string, Map<string, number>>();
  for (const values of sites) {
    for (const [name, value] of values) {
      const column = counts.get(name) ?? new Map<string, number>();
      counts.set(name, column.set(value, (column.get(value) ?? 0) + 1));
    }
  }
  const countOf = (name: string, value: string): number => counts.get(name)?.get(value) ?? 0;
  const isOwn = (name: string, value: string): boolean => countOf(name, value) <= 1 && isTelling(value);
  const isVarying = (name: string, value: string): boolean =>
    isOwn(name, value) || countOf(name, value) < sites.length;
  return lastKept((site) => {
    const values = sites[site] ?? new Map<string, string>();
    return { own: placeholdersFor(values, isOwn), every: placeholdersFor(values, isVarying) };
  });
}

/** Caches only the last result: callers request the same site several times in a row, and thousands of patterns would fill the memory. */
function lastKept<T>(make: (site: number) => T): (site: number) => T {
  let last: { readonly site: number; readonly made: T } | undefined;
  return (site) => {
    if (last?.site !== site) last = { site, made: make(site) };
    return last.made;
  };
}

/** Not a number, boolean or very short text, which would match by chance. */
function isTelling(value: string): boolean {
  return value.length >= 3 && !/^[\d.-]{1,7}$/.test(value) && !['true', 'false'].includes(value);
}

/**
 * Values of a site on both sides: the current values by name, and changed earlier values as `ip:before`. A difference that consists only of
 * a changed value is then the same for all sites.
 */
export function valuesOfBoth(before: SiteValues, after: SiteValues): SiteValues {
  const others = [...before].filter(([name, value]) => after.get(name) !== value);
  return new Map([...after, ...others.map(([name, value]) => [`${name}:before`, value] as const)]);
}
