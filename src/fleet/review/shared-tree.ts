import { byCodeUnit } from '../../core/compare.js';
import type { Tree } from '../../review/review-tree.js';
import { namesUsed } from './placeholders.js';
import { placeholdersBySite, type SitePlaceholders, type SiteValues } from '../table/site-placeholders.js';
import { VariantGroups, type Variant } from './variants.js';

/** Trees of many sites: the texts of most sites once, and the texts that differ. */
export interface SharedTree {
  /** All sites in the order of the table, with the values that their templates use. */
  readonly sites: ReadonlyMap<string, SiteValues>;
  /** Templates of most sites by path; paths can contain placeholders too. */
  readonly common: Tree;
  /** Texts that differ; each part has a different set of sites. */
  readonly parts: readonly SharedPart[];
  /** Constant files of sno-install that the sites use, by name. */
  readonly constants: Tree;
}

/** Texts that differ from the common ones in some sites. */
export interface SharedPart {
  /** Folder: `sites/NAME` for a single site, `groups/NAME` for several, named after the first. */
  readonly name: string;
  readonly sites: readonly string[];
  readonly texts: Tree;
  /** Common paths that these sites do not have. */
  readonly without: readonly string[];
}

/** A site with the values that may differ from other sites. */
export interface NamedSite {
  readonly name: string;
  readonly values: SiteValues;
}

/** Merges the trees of sites one by one; texts that are the same in all sites are kept once. */
export class SharedTreeBuilder {
  readonly #texts = new VariantGroups();
  readonly #sites: readonly NamedSite[];
  readonly #namingOf: (site: number) => SitePlaceholders;
  readonly #added = new Set<number>();

  constructor(sites: readonly NamedSite[]) {
    this.#sites = sites;
    this.#namingOf = placeholdersBySite(sites.map(({ values }) => values));
  }

  /** Adds the tree of a site; `site` is its index. */
  add(site: number, tree: Tree): void {
    const { own, every } = this.#namingOf(site);
    this.#added.add(site);
    for (const [path, text] of Object.entries(tree)) {
      const shown = withoutSizes(path, text);
      this.#texts.add({ own: own.named(path), every: every.named(path) }, site, {
        own: own.named(shown),
        every: every.named(shown),
      });
    }
  }

  /** Returns the merged tree of the added sites. */
  shared(constants: Tree): SharedTree {
    const textOf = (site: number, template: string): string => this.#namingOf(site).every.filled(template);
    const laid = laidOut(this.#texts.resolved(textOf, textOf), this.#sites, this.#added);
    const tree = { sites: new Map<string, SiteValues>(), ...laid, constants };
    const added = this.#sites.filter((_site, number) => this.#added.has(number));
    return { ...tree, sites: new Map(valuesIn(tree, added)) };
  }
}

/** Removes file sizes: they follow from the text, and differ with the length of inserted values. */
function withoutSizes(path: string, text: string): string {
  if (!/(?:^|\/)index\.txt$/.test(path)) return text;
  return text.replaceAll(/^(\d{4}(?: \S+)?) \d+ /gm, '$1 - ');
}

interface Differing {
  readonly sites: readonly number[];
  readonly texts: [string, string][];
  readonly without: string[];
}

function laidOut(
  resolved: ReadonlyMap<string, readonly Variant[]>,
  sites: readonly NamedSite[],
  added: ReadonlySet<number>,
): Pick<SharedTree, 'common' | 'parts'> {
  const common: [string, string][] = [];
  const differing = new Map<string, Differing>();
  const partOf = (numbers: readonly number[]): Differing => {
    const key = numbers.join();
    const part = differing.get(key) ?? { sites: numbers, texts: [], without: [] };
    differing.set(key, part);
    return part;
  };
  for (const path of [...resolved.keys()].toSorted(byCodeUnit)) {
    const variants = resolved.get(path) ?? [];
    const having = new Set(variants.flatMap((variant) => variant.sites));
    const sitesWithout = [...added].filter((number) => !having.has(number));
    const [first, ...others] = variants;
    if (first === undefined) continue;
    const isCommon = first.sites.length >= sitesWithout.length;
    if (isCommon) common.push([path, first.template]);
    if (isCommon && sitesWithout.length > 0) partOf(sitesWithout).without.push(path);
    for (const each of isCommon ? others : variants) partOf(each.sites).texts.push([path, each.template]);
  }
  return { common: Object.fromEntries(common), parts: named([...differing.values()], sites) };
}

function named(differing: readonly Differing[], sites: readonly NamedSite[]): readonly SharedPart[] {
  const usedNames = new Set<string>();
  const nameOf = (numbers: readonly number[]): string => {
    const [first = 0] = numbers;
    const name = sites[first]?.name ?? '';
    const base = numbers.length === 1 ? `sites/${name}` : `groups/${name}`;
    let chosen = base;
    for (let next = 2; usedNames.has(chosen); next += 1) chosen = `${base}-${next}`;
    usedNames.add(chosen);
    return chosen;
  };
  return differing
    .toSorted(
      (left, right) =>
        right.sites.length - left.sites.length || byCodeUnit(left.sites.join(), right.sites.join()),
    )
    .map(({ sites: numbers, texts, without }) => ({
      name: nameOf(numbers),
      sites: numbers.map((number) => sites[number]?.name ?? ''),
      texts: Object.fromEntries(texts),
      without,
    }));
}

/** Values of each site that its texts use. Other values are omitted, since they may be secrets. */
function valuesIn(tree: SharedTree, sites: readonly NamedSite[]): readonly (readonly [string, SiteValues])[] {
  const names = [...new Set(sites.flatMap(({ values }) => [...values.keys()]))];
  const known = new Map<string, ReadonlySet<string>>();
  const usedIn = (text: string): ReadonlySet<string> => {
    const used = known.get(text) ?? namesUsed(text, names);
    known.set(text, used);
    return used;
  };
  const templates = templatesOf(tree);
  return sites.map(({ name, values }) => {
    const used = new Set([...templates(name)].flatMap(([path, text]) => [...usedIn(path), ...usedIn(text)]));
    return [name, new Map([...values].filter(([each]) => used.has(each)))];
  });
}

/** Returns a function that lists the templates of a site by path. */
export function templatesOf(tree: SharedTree): (site: string) => ReadonlyMap<string, string> {
  const bySite = new Map<string, SharedPart[]>();
  for (const part of tree.parts)
    for (const site of part.sites) bySite.set(site, [...(bySite.get(site) ?? []), part]);
  const common = Object.entries(tree.common);
  return (site) => {
    const found = new Map(common);
    for (const { texts, without } of bySite.get(site) ?? []) {
      for (const path of without) found.delete(path);
      for (const [path, text] of Object.entries(texts)) found.set(path, text);
    }
    return found;
  };
}
