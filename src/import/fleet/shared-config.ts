import { isSecretPath } from '../../config/secret-fields.js';
import { tracedAt, type Traced, type TracedScalar } from '../../formats/yaml/traced.js';
import { cellToYaml } from '../../config/variables.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fitsTable, type Columns } from './columns.js';
import { mergePatchOf, escapePlaceholders } from './merge-patch-of.js';
import { inQuotes } from '../../formats/yaml/yaml-scalars.js';

/** A file of several sites, split into a shared base and a merge patch per site. */
export interface SharedConfig {
  /** Contains `${variables}` for values that differ. */
  readonly base: Traced;
  /** One per site; undefined if the base is complete for the site. */
  readonly overrides: readonly (Traced | undefined)[];
}

/** A scalar of the base: its text there, and its value for each site. */
interface Leaf {
  readonly written: TracedScalar;
  readonly of: (site: number) => TracedScalar;
}

interface Sharing {
  /** One per site. */
  readonly roots: readonly Traced[];
  readonly names: readonly string[];
  readonly columns: Columns;
}

/**
 * Splits a file of several sites. The most common structure becomes the base, differing values become table columns, and the remaining
 * differences become overrides.
 */
export function sharedConfig(sharing: Sharing): SharedConfig {
  const { roots } = sharing;
  const model = commonest(roots.map((root) => ({ key: shapeOf(root), item: root })));
  const leaves = new Map<string, Leaf>();
  const base = mapped(model, [], (leaf, path) => {
    const made = leafOf(leaf, path, sharing);
    leaves.set(JSON.stringify(path), made);
    return made.written;
  });
  const overrides = roots.map((root, site) => {
    const expanded = mapped(model, [], (leaf, path) => leaves.get(JSON.stringify(path))?.of(site) ?? leaf);
    const patch = mergePatchOf(expanded, root);
    return patch && escapePlaceholders(patch);
  });
  return { base, overrides };
}

function leafOf(leaf: TracedScalar, path: FieldPath, { roots, names, columns }: Sharing): Leaf {
  const found = roots
    .map((root) => tracedAt(root, path))
    .map((node) => (node?.kind === 'scalar' ? node : undefined));
  const cells = found.map((node) => node?.yaml);
  const known = cells.filter((yaml) => yaml !== undefined);
  const common = commonest(known.map((yaml) => ({ key: yaml, item: yaml })));
  const constant = (yaml: string): Leaf => ({
    written: escapedScalar({ ...leaf, yaml }),
    of: () => ({ ...leaf, yaml }),
  });
  const isHidden = (): boolean => roots.some((root) => isSecretPath(root, path)) || !known.every(fitsTable);
  if (new Set(known).size === 1 || isHidden()) return constant(common);
  const text = withName(cells, names);
  if (text !== undefined)
    return { written: { ...leaf, yaml: inQuotes(text) }, of: (site) => found[site] ?? leaf };
  const isEverywhere = known.length === cells.length;
  const fallback = fallbackOf(common);
  if (!isEverywhere && fallback === undefined) return constant(common);
  const name = columns.named(path, cells);
  return {
    written: { ...leaf, yaml: isEverywhere ? `\${${name}}` : `\${${name}:-${fallback ?? ''}}` },
    of: (site) => ({ ...leaf, yaml: cells[site] ?? common }),
  };
}

/** Returns one text with `${name}` if the values differ only in the site name; otherwise undefined. */
function withName(cells: readonly (string | undefined)[], names: readonly string[]): string | undefined {
  const texts = cells.map((yaml, site) => {
    if (yaml?.startsWith('"') !== true || yaml.includes('${')) return undefined;
    const parts = (JSON.parse(yaml) as string).split(names[site] ?? '');
    // After a `$` the variable would not be expanded: `$${name}` is the escaped form.
    const isVariable = parts.length > 1 && !parts.slice(0, -1).some((part) => part.endsWith('$'));
    return isVariable ? parts.join('${name}') : undefined;
  });
  const [first] = texts;
  return texts.every((text) => text === first) ? first : undefined;
}

/** Returns the value as the default of a variable (`${x:-value}`); undefined if it would be read differently there. */
function fallbackOf(yaml: string): string | undefined {
  const text = yaml.startsWith('"') ? (JSON.parse(yaml) as string) : yaml;
  return /^[\w./:@+=-]+$/.test(text) && cellToYaml(text) === yaml ? text : undefined;
}

function escapedScalar(node: TracedScalar): TracedScalar {
  const made = escapePlaceholders(node);
  return made.kind === 'scalar' ? made : node;
}

function mapped(
  node: Traced,
  path: FieldPath,
  make: (leaf: TracedScalar, path: FieldPath) => Traced,
): Traced {
  switch (node.kind) {
    case 'scalar':
      return make(node, path);
    case 'list':
      return { ...node, items: node.items.map((item, index) => mapped(item, [...path, index], make)) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map((entry) => ({
          ...entry,
          value: mapped(entry.value, [...path, entry.key], make),
        })),
      };
  }
}

/** Describes the structure of a document: its fields and lists without the values. */
function shapeOf(node: Traced): string {
  switch (node.kind) {
    case 'scalar':
      return 's';
    case 'list':
      return `[${node.items.map(shapeOf).join()}]`;
    case 'map':
      return `{${node.entries
        .map(({ key, value }) => `${JSON.stringify(key)}:${shapeOf(value)}`)
        .sort()
        .join()}}`;
  }
}

/** Returns the most frequent item; the first one if several are equally frequent. */
function commonest<T>(items: readonly { readonly key: string; readonly item: T }[]): T {
  const counts = new Map<string, { readonly item: T; count: number }>();
  for (const { key, item } of items) {
    const known = counts.get(key) ?? { item, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  const [first, ...rest] = counts.values();
  if (first === undefined) throw new Error('internal error: no values to choose from');
  return rest.reduce((most, each) => (each.count > most.count ? each : most), first).item;
}
