import type { SiteWait } from '../../../remote/kubernetes/many/wait-for-sites.js';
import type { NodeWord } from './node-words.js';

/** Sites with the same state text. */
export interface WordGroup {
  readonly words: string;
  readonly names: readonly string[];
}

/** Groups sites by text, largest group first. Omits sites without a text. */
export function groupedByWords<T extends { readonly name: string }>(
  sites: readonly T[],
  wordsOf: (site: T) => string | undefined,
): readonly WordGroup[] {
  const groups = new Map<string, string[]>();
  for (const site of sites) {
    const words = wordsOf(site);
    if (words === undefined) continue;
    const names = groups.get(words);
    if (names === undefined) groups.set(words, [site.name]);
    else names.push(site.name);
  }
  return [...groups]
    .map(([words, names]) => ({ words, names }))
    .toSorted((left, right) => right.names.length - left.names.length);
}

/** Describes a pending site: the state of its API and the last report of its node. */
export function lastWord({ word, ending }: SiteWait, node: NodeWord | undefined): string {
  const own = ending?.kind === 'failed' ? ending.problems[0]?.message : undefined;
  const api = own ?? word ?? 'it was not asked yet';
  return node === undefined ? api : `${api}; ${reported(node)}`;
}

/** Marks the text as a claim of the node. */
export function reported({ word }: Pick<NodeWord, 'word'>): string {
  return `its node reported last: ${word}`;
}
