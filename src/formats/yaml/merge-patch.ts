import type { Traced, TracedEntry } from './traced.js';

/**
 * A value with another merged over it: maps field by field, `null` takes a field away, anything else is put in its place, lists too.
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
