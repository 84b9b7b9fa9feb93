import { byCodeUnit } from '../../core/compare.js';
import type { Tree } from '../../review/review-tree.js';
import { namesUsed } from './naming.js';
import { namingsOf, type SiteNaming, type SiteValues } from './own-values.js';
import { Variants, type Variant } from './variants.js';

/** The trees of many sites: what most have stands once, and beside it what is different in some. */
export interface SharedTree {
  /** Every site in the order of the table, with those of its values that stand in texts by their names. */
  readonly sites: ReadonlyMap<string, SiteValues>;
  /** Templates by path, of which values are named too. */
  readonly common: Tree;
  /** What is different; none of two has the same sites. */
  readonly parts: readonly SharedPart[];
  /** Constant files of sno-install that the sites use, by name. */
  readonly constants: Tree;
}

/** In what some sites are different from most. */
export interface SharedPart {
  /** Where it stands: `sites/NAME` of one site, `groups/NAME` of several after the first of them. */
  readonly name: string;
  readonly sites: readonly string[];
  readonly texts: Tree;
  /** Paths of what most have and these have not. */
  readonly without: readonly string[];
}

/** A site by its name and the values that tell it from others. */
export interface NamedSite {
  readonly name: string;
  readonly values: SiteValues;
}

/** Brings the trees of sites together, one after another; of what is the same for all one text is kept. */
export class SharedTrees {
  readonly #texts = new Variants();
  readonly #sites: readonly NamedSite[];
  readonly #namingOf: (site: number) => SiteNaming;

  constructor(sites: readonly NamedSite[]) {
    this.#sites = sites;
    this.#namingOf = namingsOf(sites.map(({ values }) => values));
  }

  /** Takes the tree of a site, by its place among the sites. */
  add(site: number, tree: Tree): void {
    const { own, every } = this.#namingOf(site);
    for (const [path, text] of Object.entries(tree)) {
      const shown = withoutSizes(path, text);
      this.#texts.add(own.named(path), site, { own: own.named(shown), every: every.named(shown) });
    }
  }

  /** All trees that came in; every site has brought one. */
  shared(constants: Tree): SharedTree {
    const textOf = (site: number, template: string): string => this.#namingOf(site).every.filled(template);
    const laid = laidOut(this.#texts.resolved(textOf), this.#sites);
    const tree = { sites: new Map<string, SiteValues>(), ...laid, constants };
    return { ...tree, sites: new Map(valuesIn(tree, this.#sites)) };
  }
}

/** The bytes of a file follow from its text, and differ with the length of a name. */
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
    const lacking = sites.flatMap((_site, number) => (having.has(number) ? [] : [number]));
    const [first, ...others] = variants;
    if (first === undefined) continue;
    const isCommon = first.sites.length >= lacking.length;
    if (isCommon) common.push([path, first.template]);
    if (isCommon && lacking.length > 0) partOf(lacking).without.push(path);
    for (const each of isCommon ? others : variants) partOf(each.sites).texts.push([path, each.template]);
  }
  return { common: Object.fromEntries(common), parts: named([...differing.values()], sites) };
}

function named(differing: readonly Differing[], sites: readonly NamedSite[]): readonly SharedPart[] {
  const taken = new Set<string>();
  const nameOf = (numbers: readonly number[]): string => {
    const [first = 0] = numbers;
    const name = sites[first]?.name ?? '';
    const base = numbers.length === 1 ? `sites/${name}` : `groups/${name}`;
    let chosen = base;
    for (let next = 2; taken.has(chosen); next += 1) chosen = `${base}-${next}`;
    taken.add(chosen);
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

/** Of each site the values that stand in its texts, and no others: what is in no text may be a secret. */
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

/** The templates of a site by path. */
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
