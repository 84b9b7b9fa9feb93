import { mayBeSecret, namesSecret } from '../../core/secrets.js';
import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { SiteRow } from '../site-table.js';
import { namingOf, type Naming } from './naming.js';

/** The values of a site in the table, as texts by the names of their variables; items of lists and maps as `dns[0]`, `bmc.user`. */
export type SiteValues = ReadonlyMap<string, string>;

/** How the values of a site are named in what is made of it. */
export interface SiteNaming {
  /** Of values that no other site has: they tell whose text it is, wherever they stand. */
  readonly own: Naming;
  /** Of all that differ among the sites, numbers and words too, which may stand in a text by chance. */
  readonly every: Naming;
}

/** The values of a row, but for those of variables that are secret. One that may be a secret has no name either: trees do not show it. */
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

/** Tells how the values of each of some sites are named, by the place of the site among them. */
export function namingsOf(sites: readonly SiteValues[]): (site: number) => SiteNaming {
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
    return { own: namingOf(values, isOwn), every: namingOf(values, isVarying) };
  });
}

/** Thousands of patterns would fill the memory, and one site is asked for several times in a row. */
function lastKept<T>(make: (site: number) => T): (site: number) => T {
  let last: { readonly site: number; readonly made: T } | undefined;
  return (site) => {
    if (last?.site !== site) last = { site, made: make(site) };
    return last.made;
  };
}

/** No number, and longer than what stands everywhere by chance. */
function isTelling(value: string): boolean {
  return value.length >= 3 && !/^[\d.-]{1,7}$/.test(value) && !['true', 'false'].includes(value);
}

/**
 * The values of a site that was and is: those of now by their names, and `ip:before` for one that was another. So a difference of which
 * nothing is left but values of the site is the same for all sites.
 */
export function valuesOfBoth(before: SiteValues, after: SiteValues): SiteValues {
  const others = [...before].filter(([name, value]) => after.get(name) !== value);
  return new Map([...after, ...others.map(([name, value]) => [`${name}:before`, value] as const)]);
}
