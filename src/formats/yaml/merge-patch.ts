import type { Traced, TracedEntry, TracedList } from './traced.js';

/** Merges a list of a patch into the value below; undefined to replace it. */
export type MergeList = (base: Traced | undefined, patch: TracedList) => Traced | undefined;

/**
 * Merges a patch into a value: maps field by field, `null` removes a field, anything else replaces it, including lists for which
 * `mergeList` returns undefined.
 * Source: RFC 7396 §2.
 */
export function mergePatch(
  base: Traced | undefined,
  patch: Traced,
  mergeList: MergeList = () => undefined,
): Traced {
  if (patch.kind === 'list') return mergeList(base, patch) ?? patch;
  if (patch.kind === 'scalar') return patch;
  const mergedEntry = (
    below: TracedEntry | undefined,
    above: TracedEntry | undefined,
  ): readonly TracedEntry[] => {
    if (above === undefined) return below ? [below] : [];
    if (above.value.kind === 'scalar' && above.value.yaml === 'null') return [];
    return [{ ...above, value: mergePatch(below?.value, above.value, mergeList) }];
  };
  const kept = base?.kind === 'map' ? base.entries : [];
  const patches = new Map(patch.entries.map((entry) => [entry.key, entry]));
  const merged = kept.flatMap((entry) => mergedEntry(entry, patches.get(entry.key)));
  const known = new Set(kept.map(({ key }) => key));
  const added = patch.entries.flatMap((entry) => (known.has(entry.key) ? [] : mergedEntry(undefined, entry)));
  return { kind: 'map', entries: [...merged, ...added], origin: patch.origin };
}
