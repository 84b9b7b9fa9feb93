import type { Detail, Difference } from '../../review/diff/difference.js';
import { namingsOf, type SiteNaming } from './own-values.js';
import type { NamedSite } from './shared-tree.js';
import { Variants } from './variants.js';

/** What differs in the same way in some sites, their values standing in it by name. */
export interface DifferenceGroup {
  /** By name, in the order of the table. */
  readonly sites: readonly string[];
  readonly differences: readonly Difference[];
}

/** What differs between two fleets. */
export interface FleetDifferences {
  /** How many sites are on both sides. */
  readonly compared: number;
  /** Names of the sites that one side alone has. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What differs in constant files of sno-install, which all sites share. */
  readonly constants: readonly Difference[];
  readonly groups: readonly DifferenceGroup[];
}

/**
 * Brings the differences of sites together: each is told once for all sites that have it, and those of the same sites together. A site
 * has exactly the difference that its own values make of the one that is told.
 */
export class GroupedDifferences {
  readonly #variants = new Variants();
  /** With their values on both sides. */
  readonly #sites: readonly NamedSite[];
  readonly #namingOf: (site: number) => SiteNaming;

  constructor(sites: readonly NamedSite[]) {
    this.#sites = sites;
    this.#namingOf = namingsOf(sites.map(({ values }) => values));
  }

  /** Takes what differs in a site, by its place among the sites. */
  add(site: number, differences: readonly Difference[]): void {
    const { own, every } = this.#namingOf(site);
    for (const each of differences) {
      const { kind, name, change } = each;
      this.#variants.add(JSON.stringify([kind, own.named(name), change]), site, {
        own: JSON.stringify(mapTexts(each, own.named)),
        every: JSON.stringify(mapTexts(each, every.named)),
      });
    }
  }

  /** The groups, that of most sites first; in each the differences in the order of the first site. */
  groups(): readonly DifferenceGroup[] {
    const textOf = (site: number, template: string): string =>
      JSON.stringify(mapTexts(JSON.parse(template) as Difference, this.#namingOf(site).every.filled));
    const groups = new Map<string, { readonly sites: readonly number[]; readonly found: Difference[] }>();
    for (const { template, sites } of [...this.#variants.resolved(textOf).values()].flat()) {
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
        differences: found.map((each) => this.#shown(each, sites)),
      }));
  }

  /** Of one site with its values, since no other reads it. */
  #shown(difference: Difference, [first = 0, ...others]: readonly number[]): Difference {
    return others.length > 0 ? difference : mapTexts(difference, this.#namingOf(first).every.filled);
  }
}

/** A difference with each of its texts changed; what says of what sort it is stays. */
export function mapTexts(difference: Difference, change: (text: string) => string): Difference {
  const { in: places, name, details, at } = difference;
  return {
    ...difference,
    in: places.map(change),
    name: change(name),
    details: details.map((detail) => detailWith(detail, change)),
    ...(at && { at: at.map(change) }),
  };
}

function detailWith(detail: Detail, change: (text: string) => string): Detail {
  const { what, before, after, hunks } = detail;
  return {
    ...detail,
    what: change(what),
    ...(before !== undefined && { before: change(before) }),
    ...(after !== undefined && { after: change(after) }),
    ...(hunks && { hunks: hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(change) })) }),
  };
}
