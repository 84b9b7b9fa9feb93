import type { Detail, Difference } from '../../review/diff/difference.js';
import { sectionTitles, type Sheet } from '../../review/sheet/sheet.js';
import { placeholdersBySite, type SitePlaceholders } from '../table/site-placeholders.js';
import type { NamedSite } from './shared-tree.js';
import type { Placeholders } from './placeholders.js';
import { VariantGroups } from './variants.js';

/** Differences that a group of sites has in common. Values of sites appear as `${name}`. */
export interface DifferenceGroup {
  /** Site names in the order of the table. */
  readonly sites: readonly string[];
  readonly differences: readonly Difference[];
}

/** Sites that cannot be compared for the same reason. */
export interface UncomparedSites {
  readonly sites: readonly string[];
  /** Message of the first error. */
  readonly reason: string;
}

/** Collects the sites that cannot be compared, by reason. */
export class UnreadSites {
  readonly #byReason = new Map<string, string[]>();

  add(site: string, message = ''): void {
    this.#byReason.set(message, [...(this.#byReason.get(message) ?? []), site]);
  }

  get count(): number {
    return this.list().reduce((sum, { sites }) => sum + sites.length, 0);
  }

  list(): readonly UncomparedSites[] {
    return [...this.#byReason].map(([reason, sites]) => ({ sites, reason }));
  }
}

/** The sheet of an added site. */
export interface SiteSheet {
  readonly site: string;
  readonly sheet: Sheet;
}

/** Limit for the sheets of added sites in a report. */
export const mostAddedSheets = 20;

export interface FleetDifferences {
  /** Number of sites that exist and can be read on both sides. */
  readonly compared: number;
  /** Sites that cannot be read on one side. */
  readonly notCompared: readonly UncomparedSites[];
  /** Names of sites that exist on one side only. */
  readonly added: readonly string[];
  /** Sheets of the first added sites. */
  readonly addedSheets: readonly SiteSheet[];
  readonly removed: readonly string[];
  /** Differences in the constant files of sno-install, which all sites share. */
  readonly constants: readonly Difference[];
  readonly groups: readonly DifferenceGroup[];
}

/**
 * Groups the differences of many sites: each difference is listed once, and differences of the same sites are in one group. Inserting a
 * site's values into a listed difference gives exactly the difference of that site.
 */
export class GroupedDifferences {
  readonly #variants = new VariantGroups();
  /** With the values of both sides. */
  readonly #sites: readonly NamedSite[];
  readonly #namingOf: (site: number) => SitePlaceholders;

  constructor(sites: readonly NamedSite[]) {
    this.#sites = sites;
    this.#namingOf = placeholdersBySite(sites.map(({ values }) => values));
  }

  /** Adds the differences of a site; `site` is its index. */
  add(site: number, differences: readonly Difference[]): void {
    const { own, every } = this.#namingOf(site);
    for (const each of differences) {
      const { kind, name, change, from } = each;
      const key = ({ named }: Placeholders): string =>
        JSON.stringify([kind, named(name), change, ...(from === undefined ? [] : [named(from)])]);
      this.#variants.add({ own: key(own), every: key(every) }, site, {
        own: JSON.stringify(mapTexts(each, own.named)),
        every: JSON.stringify(mapTexts(each, every.named)),
      });
    }
  }

  /** Groups by descending number of sites. The sheet comes first in a group; other differences are in the order of its first site. */
  groups(): readonly DifferenceGroup[] {
    const keyOf = (site: number, key: string): string => this.#namingOf(site).every.filled(key);
    const textOf = (site: number, template: string): string =>
      JSON.stringify(mapTexts(JSON.parse(template) as Difference, this.#namingOf(site).every.filled));
    const groups = new Map<string, { readonly sites: readonly number[]; readonly found: Difference[] }>();
    for (const { template, sites } of [...this.#variants.resolved(textOf, keyOf).values()].flat()) {
      const group = groups.get(sites.join()) ?? { sites, found: [] };
      group.found.push(JSON.parse(template) as Difference);
      groups.set(sites.join(), group);
    }
    return [...groups.values()]
      .toSorted(
        (left, right) =>
          right.sites.length - left.sites.length || (left.sites[0] ?? 0) - (right.sites[0] ?? 0),
      )
      .map(({ sites, found }) => ({
        sites: sites.map((site) => this.#sites[site]?.name ?? ''),
        differences: sheetFirst(found).map((each) => this.#shown(each, sites)),
      }));
  }

  /** A difference of a single site is shown with the site's values instead of placeholders. */
  #shown(difference: Difference, [first = 0, ...others]: readonly number[]): Difference {
    return others.length > 0 ? difference : mapTexts(difference, this.#namingOf(first).every.filled);
  }
}

/** Leaves out all differences but those of the sheets. */
export function onlySheets(found: FleetDifferences): FleetDifferences {
  const groups = found.groups.map(({ sites, differences }) => ({
    sites,
    differences: differences.filter(({ kind }) => kind === 'sheet'),
  }));
  return { ...found, constants: [], groups: groups.filter(({ differences }) => differences.length > 0) };
}

function sheetFirst(differences: readonly Difference[]): readonly Difference[] {
  const order: readonly string[] = [...sectionTitles.values()];
  const rank = ({ kind, name }: Difference): number =>
    kind === 'sheet' ? order.indexOf(name) : order.length;
  return differences.toSorted((left, right) => rank(left) - rank(right));
}

/** Applies `change` to all texts of a difference, but not to its kind. */
export function mapTexts(difference: Difference, change: (text: string) => string): Difference {
  const { in: places, name, from, details, at } = difference;
  return {
    ...difference,
    in: places.map(change),
    name: change(name),
    ...(from !== undefined && { from: change(from) }),
    details: details.map((detail) => detailWith(detail, change)),
    ...(at && { at: at.map(change) }),
  };
}

function detailWith(detail: Detail, change: (text: string) => string): Detail {
  const { what, before, after, hunks, also, sameAs } = detail;
  return {
    ...detail,
    what: change(what),
    ...(before !== undefined && { before: change(before) }),
    ...(after !== undefined && { after: change(after) }),
    ...(hunks && { hunks: hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(change) })) }),
    ...(also && { also: also.map(change) }),
    ...(sameAs !== undefined && { sameAs: change(sameAs) }),
  };
}
