import type { Traced, TracedEntry } from '../../formats/yaml/traced.js';

/** Returns the merge patch (RFC 7396) from `before` to `after`; undefined if they are equal. */
export function mergePatchOf(before: Traced, after: Traced): Traced | undefined {
  if (before.kind !== 'map' || after.kind !== 'map') return isSame(before, after) ? undefined : after;
  const known = new Map(before.entries.map(({ key, value }) => [key, value]));
  const kept = new Set(after.entries.map(({ key }) => key));
  const changed = after.entries.flatMap((entry): readonly TracedEntry[] => {
    const earlier = known.get(entry.key);
    const value = earlier === undefined ? ifAny(entry.value) : mergePatchOf(earlier, entry.value);
    return value === undefined ? [] : [{ ...entry, value }];
  });
  const removed = before.entries.filter(({ key, value }) => !kept.has(key) && ifAny(value) !== undefined);
  const entries = [...changed, ...removed.map((entry) => ({ ...entry, value: nothingAt(entry) }))];
  return entries.length === 0 ? undefined : { ...after, entries };
}

function nothingAt({ origin }: TracedEntry): Traced {
  return { kind: 'scalar', yaml: 'null', origin };
}

/** Treats a null field as absent. */
function ifAny(value: Traced): Traced | undefined {
  return value.kind === 'scalar' && value.yaml === 'null' ? undefined : value;
}

/** Compares values. Ignores origins and the order of fields. */
function isSame(left: Traced, right: Traced): boolean {
  return dataOf(left) === dataOf(right);
}

function dataOf(node: Traced): string {
  switch (node.kind) {
    case 'scalar':
      return node.yaml;
    case 'list':
      return `[${node.items.map(dataOf).join()}]`;
    case 'map':
      return `{${node.entries
        .filter(({ value }) => ifAny(value) !== undefined)
        .map(({ key, value }) => `${JSON.stringify(key)}:${dataOf(value)}`)
        .sort()
        .join()}}`;
  }
}

/** Escapes `${` in strings as `$${`, for files in which `${…}` is a variable. */
export function escapePlaceholders(node: Traced): Traced {
  switch (node.kind) {
    case 'scalar':
      return node.yaml.startsWith('"') ? { ...node, yaml: node.yaml.replaceAll('${', () => '$${') } : node;
    case 'list':
      return { ...node, items: node.items.map(escapePlaceholders) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map((entry) => ({ ...entry, value: escapePlaceholders(entry.value) })),
      };
  }
}
