/** A text that sites share, but for the values of each of them, which stand in it by their names. */
export interface Variant {
  readonly template: string;
  /** Numbers of the sites, ascending. */
  readonly sites: readonly number[];
}

interface Collected {
  readonly sites: number[];
  /** The same with every value named; undefined where that is not one text for all of the sites. */
  every: string | undefined;
}

/** With how many of the largest a smaller one is compared. */
const mostCompared = 3;

/**
 * Brings together the texts of many sites that are the same but for what each site has of its own. Of one text for all only the
 * template is kept. That sites share a template means that each of them has exactly the text which its values make of it.
 */
export class Variants {
  readonly #byKey = new Map<string, Map<string, Collected>>();

  /** Takes the text that a site has below a key, by both of its namings. */
  add(key: string, site: number, { own, every }: { readonly own: string; readonly every: string }): void {
    const variants = this.#byKey.get(key) ?? new Map<string, Collected>();
    this.#byKey.set(key, variants);
    const known = variants.get(own);
    if (known === undefined) {
      variants.set(own, { sites: [site], every });
      return;
    }
    known.sites.push(site);
    if (known.every !== every) known.every = undefined;
  }

  /** The variants of each key in the order that the keys came in, the one of most sites first. */
  resolved(textOf: TextOf): ReadonlyMap<string, readonly Variant[]> {
    return new Map([...this.#byKey].map(([key, variants]) => [key, resolvedOf(variants, textOf)]));
  }
}

/** What the values of a site make of a template. */
export type TextOf = (site: number, template: string) => string;

function resolvedOf(collected: ReadonlyMap<string, Collected>, textOf: TextOf): readonly Variant[] {
  const open: { template: string; readonly sites: number[] }[] = [];
  for (const { template, sites } of bySize(together(collected))) {
    // By chance a value stands in the text of one site and is none of it: what says the same there is taken.
    const larger = open.slice(0, mostCompared);
    const saysSame = (site: number, other: string): boolean => textOf(site, other) === textOf(site, template);
    const left = sites.filter((site) => {
      const same = larger.find((other) => saysSame(site, other.template));
      same?.sites.push(site);
      return same === undefined;
    });
    if (left.length === 0) continue;
    const wider = larger.find((other) => other.sites.every((site) => saysSame(site, other.template)));
    if (wider === undefined) open.push({ template, sites: left });
    else {
      wider.template = template;
      wider.sites.push(...left);
    }
  }
  return bySize(open.map(({ template, sites }) => ({ template, sites: ascending(sites) })));
}

/** Texts that are the same once numbers and words are named, too, are so named. */
function together(collected: ReadonlyMap<string, Collected>): readonly Variant[] {
  const groups = new Map<string, { template: string; readonly sites: number[] }>();
  for (const [own, { sites, every }] of collected) {
    const key = every === undefined ? `own\n${own}` : `every\n${every}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { template: own, sites: [...sites] });
    else {
      known.template = every ?? own;
      known.sites.push(...sites);
    }
  }
  return [...groups.values()].map(({ template, sites }) => ({ template, sites: ascending(sites) }));
}

function ascending(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((left, right) => left - right);
}

function bySize(variants: readonly Variant[]): readonly Variant[] {
  return variants.toSorted(
    (left, right) => right.sites.length - left.sites.length || (left.sites[0] ?? 0) - (right.sites[0] ?? 0),
  );
}
