import { chosenKeys, type TemplateFiller } from './variant-keys.js';

/** A text that several sites share, with placeholders for the values that differ. */
export interface Variant {
  readonly template: string;
  /** Indexes of the sites, ascending. */
  readonly sites: readonly number[];
}

interface Collected {
  readonly sites: number[];
  /** The same text with placeholders for all varying values; undefined if it differs among the sites. */
  every: string | undefined;
}

/** Number of largest variants that a smaller one is compared with. */
const mostCompared = 3;

/** A text with a site's unique values replaced (`own`), and with all values replaced that differ among sites (`every`). */
export interface Named {
  readonly own: string;
  readonly every: string;
}

interface CollectedKey {
  readonly key: Named;
  readonly variants: Map<string, Collected>;
}

/**
 * Merges the texts of many sites that differ only in values of the sites. One template is kept for each distinct text. Inserting a site's
 * values into its template gives exactly the text of that site; the same holds for the keys.
 */
export class VariantGroups {
  readonly #byKey = new Map<string, CollectedKey>();

  /** Adds a site's text under a key. */
  add(key: Named, site: number, { own, every }: Named): void {
    const id = key.own === key.every ? key.own : `${key.own}\n${key.every}`;
    const { variants } = this.#byKey.get(id) ?? { variants: new Map<string, Collected>() };
    this.#byKey.set(id, { key, variants });
    const known = variants.get(own);
    if (known === undefined) {
      variants.set(own, { sites: [site], every });
      return;
    }
    known.sites.push(site);
    if (known.every !== every) known.every = undefined;
  }

  /** Variants of each key by descending number of sites; keys are in the order of insertion. `keyOf` inserts values into keys. */
  resolved(textOf: TemplateFiller, keyOf: TemplateFiller): ReadonlyMap<string, readonly Variant[]> {
    return new Map([...this.#merged(keyOf)].map(([key, variants]) => [key, resolvedOf(variants, textOf)]));
  }

  #merged(keyOf: TemplateFiller): ReadonlyMap<string, ReadonlyMap<string, Collected>> {
    const all = [...this.#byKey.values()];
    const keys = chosenKeys(
      all.map(({ key, variants }) => ({
        ...key,
        sites: [...variants.values()].flatMap(({ sites }) => sites),
      })),
      keyOf,
    );
    const merged = new Map<string, Map<string, Collected>>();
    for (const [index, { variants }] of all.entries()) {
      const key = keys[index] ?? '';
      merged.set(key, withVariants(merged.get(key), variants));
    }
    return merged;
  }
}

function withVariants(
  merged: Map<string, Collected> | undefined,
  variants: Map<string, Collected>,
): Map<string, Collected> {
  if (merged === undefined) return variants;
  for (const [own, { sites, every }] of variants) {
    const known = merged.get(own);
    if (known === undefined) merged.set(own, { sites: [...sites], every });
    else {
      known.sites.push(...sites);
      if (known.every !== every) known.every = undefined;
    }
  }
  return merged;
}

function resolvedOf(collected: ReadonlyMap<string, Collected>, textOf: TemplateFiller): readonly Variant[] {
  const open: { template: string; readonly sites: number[] }[] = [];
  for (const { template, sites } of bySize(together(collected))) {
    // A value can match a text of its site by chance. Use the template of a larger variant if it gives the same text.
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

/** Merges variants that are equal after numbers and words are replaced too. */
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
