import type { SiteProgress } from '../../remote/kubernetes/many/wait-for-sites.js';
import type { NodeReportText } from './node-report-texts.js';

/** Sites with the same state text. */
export interface StatusGroup {
  readonly words: string;
  readonly names: readonly string[];
}

/** Groups sites by text, largest group first. Omits sites without a text. */
export function groupedByStatus<T extends { readonly name: string }>(
  sites: readonly T[],
  wordsOf: (site: T) => string | undefined,
): readonly StatusGroup[] {
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
export function lastStatus({ word, outcome }: SiteProgress, node: NodeReportText | undefined): string {
  const own = outcome?.kind === 'failed' ? outcome.problems[0]?.message : undefined;
  const api = own ?? word ?? 'not contacted yet';
  return node === undefined ? api : `${api}; ${describeNodeReport(node)}`;
}

/** Marks the text as a claim of the node. */
export function describeNodeReport({ message }: Pick<NodeReportText, 'message'>): string {
  return `last node report: ${message}`;
}
