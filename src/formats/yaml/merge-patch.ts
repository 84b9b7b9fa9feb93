import type { Traced, TracedEntry } from './traced.js';

/**
 * Merges a patch into a value: maps field by field, `null` removes a field, anything else replaces it, including lists.
 * Source: RFC 7396 §2.
 */
export function mergePatch(base: Traced | undefined, patch: Traced): Traced {
  if (patch.kind !== 'map') return patch;
  const kept = base?.kind === 'map' ? base.entries : [];
  const patches = new Map(patch.entries.map((entry) => [entry.key, entry]));
  const merged = kept.flatMap((entry) => mergedEntry(entry, patches.get(entry.key)));
  const known = new Set(kept.map(({ key }) => key));
  const added = patch.entries.flatMap((entry) => (known.has(entry.key) ? [] : mergedEntry(undefined, entry)));
  return { kind: 'map', entries: [...merged, ...added], origin: patch.origin };
}

function mergedEntry(base: TracedEntry | undefined, patch: TracedEntry | undefined): readonly TracedEntry[] {
  if (patch === undefined) return base ? [base] : [];
  if (patch.value.kind === 'scalar' && patch.value.yaml === 'null') return [];
  return [{ ...patch, value: mergePatch(base?.value, patch.value) }];
}
