import { isSecretPlace } from '../../config/secret-places.js';
import { tracedAt, type Traced, type TracedScalar } from '../../formats/yaml/traced.js';
import { scalarOf } from '../../config/variables.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { isTabular, type Columns } from './columns.js';
import { differenceOf, escaped } from './differences.js';
import { inQuotes } from '../../formats/yaml/yaml-scalars.js';

/** One file of many sites: what goes to the base, and what is merged over it for a site. */
export interface SharedConfig {
  /** With `${variables}` where sites differ. */
  readonly base: Traced;
  /** By site; undefined where the base says all. */
  readonly overrides: readonly (Traced | undefined)[];
}

/** What stands at a place of the base, and what it becomes for a site. */
interface Leaf {
  readonly written: TracedScalar;
  readonly of: (site: number) => TracedScalar;
}

interface Sharing {
  /** By site. */
  readonly roots: readonly Traced[];
  readonly names: readonly string[];
  readonly columns: Columns;
}

/**
 * Takes a file apart: the form that most sites have is the base, values that differ are columns of the table, and what does not fit is
 * left for overrides.
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
    const patch = differenceOf(expanded, root);
    return patch && escaped(patch);
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
  const isHidden = (): boolean => roots.some((root) => isSecretPlace(root, path)) || !known.every(isTabular);
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

/** One text for all sites, where they differ by the name of the site alone. */
function withName(cells: readonly (string | undefined)[], names: readonly string[]): string | undefined {
  const texts = cells.map((yaml, site) => {
    if (yaml?.startsWith('"') !== true || yaml.includes('${')) return undefined;
    const parts = (JSON.parse(yaml) as string).split(names[site] ?? '');
    // Behind a dollar sign it would be text that stays: `$${name}`.
    const isVariable = parts.length > 1 && !parts.slice(0, -1).some((part) => part.endsWith('$'));
    return isVariable ? parts.join('${name}') : undefined;
  });
  const [first] = texts;
  return texts.every((text) => text === first) ? first : undefined;
}

/** What can stand behind `:-` and is the same value there. */
function fallbackOf(yaml: string): string | undefined {
  const text = yaml.startsWith('"') ? (JSON.parse(yaml) as string) : yaml;
  return /^[\w./:@+=-]+$/.test(text) && scalarOf(text) === yaml ? text : undefined;
}

function escapedScalar(node: TracedScalar): TracedScalar {
  const made = escaped(node);
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

/** What a document looks like without its values. */
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

/** The one of which there are most; of equals the first. */
function commonest<T>(items: readonly { readonly key: string; readonly item: T }[]): T {
  const counts = new Map<string, { readonly item: T; count: number }>();
  for (const { key, item } of items) {
    const known = counts.get(key) ?? { item, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  const [first, ...rest] = counts.values();
  if (first === undefined) throw new Error('internal error: nothing is commonest of nothing');
  return rest.reduce((most, each) => (each.count > most.count ? each : most), first).item;
}
