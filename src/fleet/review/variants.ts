import { chosenKeys, frequentOf, type TemplateFiller } from './variant-keys.js';

/** A text that several sites share, with placeholders for the values that differ. */
export interface Variant {
  readonly template: string;
  /** Indexes of the sites, ascending. */
  readonly sites: readonly number[];
}

/** Number of largest variants that a smaller one is compared with. */
const mostCompared = 8;

/** A text with a site's unique values replaced (`own`), and with all values replaced that differ among sites (`every`). */
export interface Named {
  readonly own: string;
  readonly every: string;
}

interface Collected extends Named {
  readonly sites: number[];
}

interface CollectedKey {
  readonly key: Named;
  /** By both texts. */
  readonly texts: Map<string, Collected>;
}

/**
 * Merges the texts of many sites that differ only in values of the sites. One template is kept for each distinct text. Inserting a site's
 * values into its template gives exactly the text of that site; the same holds for the keys.
 */
export class VariantGroups {
  readonly #byKey = new Map<string, CollectedKey>();

  /** Adds a site's text under a key. */
  add(key: Named, site: number, text: Named): void {
    const { texts } = this.#byKey.get(idOf(key)) ?? { texts: new Map<string, Collected>() };
    this.#byKey.set(idOf(key), { key, texts });
    const known = texts.get(idOf(text));
    if (known === undefined) texts.set(idOf(text), { ...text, sites: [site] });
    else known.sites.push(site);
  }

  /** Variants of each key by descending number of sites; keys are in the order of insertion. `keyOf` inserts values into keys. */
  resolved(textOf: TemplateFiller, keyOf: TemplateFiller): ReadonlyMap<string, readonly Variant[]> {
    const all = [...this.#byKey.values()];
    const keys = chosenKeys(
      all.map(({ key, texts }) => ({ ...key, sites: [...texts.values()].flatMap(({ sites }) => sites) })),
      keyOf,
    );
    const merged = new Map<string, Collected[]>();
    for (const [index, { texts }] of all.entries()) {
      const key = keys[index] ?? '';
      const others = merged.get(key) ?? [];
      for (const text of texts.values()) others.push(text);
      merged.set(key, others);
    }
    return new Map([...merged].map(([key, texts]) => [key, resolvedOf(texts, textOf)]));
  }
}

function idOf({ own, every }: Named): string {
  return own === every ? own : `${own.length}\n${own}${every}`;
}

function resolvedOf(collected: readonly Collected[], textOf: TemplateFiller): readonly Variant[] {
  const open: { template: string; readonly sites: number[] }[] = [];
  for (const { template, sites } of bySize(byTemplate(collected))) {
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

/** Groups sites by the template that more of them have. */
function byTemplate(collected: readonly Collected[]): readonly Variant[] {
  const groups = new Map<string, number[]>();
  for (const [index, template] of frequentOf(collected).entries()) {
    const sites = groups.get(template) ?? [];
    for (const site of collected[index]?.sites ?? []) sites.push(site);
    groups.set(template, sites);
  }
  return [...groups].map(([template, sites]) => ({ template, sites: ascending(sites) }));
}

function ascending(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((left, right) => left - right);
}

function bySize(variants: readonly Variant[]): readonly Variant[] {
  return variants.toSorted(
    (left, right) => right.sites.length - left.sites.length || (left.sites[0] ?? 0) - (right.sites[0] ?? 0),
  );
}
