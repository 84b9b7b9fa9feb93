/** Inserts the values of a site into a template. */
export type TemplateFiller = (site: number, template: string) => string;

/** A text of several sites, with the sites' unique values replaced (`own`) and with all varying values replaced (`every`). */
export interface TextPair {
  readonly own: string;
  readonly every: string;
  /** Indexes of the sites. */
  readonly sites: readonly number[];
}

/** Number of most frequent keys that a rarer one is compared with. */
const mostCompared = 16;

/** Chooses one of the two texts for each pair: `every` if more sites have it than `own`. */
export function frequentOf(pairs: readonly TextPair[]): readonly string[] {
  const [own, every] = [countsOf(pairs, 'own'), countsOf(pairs, 'every')];
  return pairs.map((pair) =>
    (every.get(pair.every) ?? 0) > (own.get(pair.own) ?? 0) ? pair.every : pair.own,
  );
}

/**
 * Chooses the more frequent key of each pair. A value can also match a key by chance, or two columns have the same value, so a rare key
 * becomes a more frequent one that is the same text in all its sites. Inserting a site's values into its key gives the key of that site
 * in any case.
 */
export function chosenKeys(pairs: readonly TextPair[], keyOf: TemplateFiller): readonly string[] {
  const chosen = frequentOf(pairs);
  const counts = new Map<string, number>();
  for (const [index, { sites }] of pairs.entries())
    counts.set(chosen[index] ?? '', (counts.get(chosen[index] ?? '') ?? 0) + sites.length);
  const frequent = [...counts]
    .filter(([key]) => key.includes('${'))
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, mostCompared);
  return pairs.map(({ sites }, index) => {
    const key = chosen[index] ?? '';
    const isSame = (other: string): boolean => sites.every((site) => keyOf(site, other) === keyOf(site, key));
    return frequent.find(([other, count]) => count > (counts.get(key) ?? 0) && isSame(other))?.[0] ?? key;
  });
}

function countsOf(pairs: readonly TextPair[], kind: 'own' | 'every'): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const pair of pairs) counts.set(pair[kind], (counts.get(pair[kind]) ?? 0) + pair.sites.length);
  return counts;
}
