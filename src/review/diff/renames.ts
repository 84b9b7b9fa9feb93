import { posix } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { isRecord } from '../../core/is-record.js';
import { omitKeys } from '../../core/map-record.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { maskedValue } from '../render-text.js';
import type { ItemKind } from './difference.js';
import type { Item } from './item.js';
import { linesIn } from './line-changes.js';

/** Kinds of items with contents that identify them. */
const renamedKinds: ReadonlySet<ItemKind> = new Set(['file', 'unit', 'output', 'object']);

/** The least share of equal lines, by characters. Source: gitdiffcore, -M, which defaults to 50% */
export const leastSimilarity = 0.5;

/** With more pairs than this, only equal contents are found. Source: git config, diff.renameLimit */
const mostPairs = 1000 ** 2;

interface Rename {
  readonly before: Item;
  readonly after: Item;
  /** Share of equal lines; 1 for equal contents. */
  readonly similarity: number;
}

/**
 * Pairs items that exist on one side only and have equal or mostly equal contents. Only items of one kind and one config are paired. The
 * most similar pairs come first, then those with the same base name, then by name.
 */
export function findRenames(removed: readonly Item[], added: readonly Item[]): ReadonlyMap<Item, Item> {
  const [earlier, later] = [removed, added].map((items) => items.filter(isComparable));
  if (earlier === undefined || later === undefined) return new Map();
  const isLimited = earlier.length * later.length > mostPairs;
  const linesOf = cachedLines();
  const candidates = earlier.flatMap((before) =>
    later
      .filter((after) => after.of === before.of && groupOf(after) === groupOf(before))
      .map((after): Rename => {
        const similarity = hasEqualContents(before, after)
          ? 1
          : isLimited
            ? 0
            : similarityOf(linesOf(before), linesOf(after));
        return { before, after, similarity };
      })
      .filter(({ similarity }) => similarity >= leastSimilarity),
  );
  return disjointPairs(candidates.toSorted(bestFirst));
}

/** The pairs, best first, of which no two have a side in common: of those that do, the first. */
export function disjointPairs<T>(
  candidates: readonly { readonly before: T; readonly after: T }[],
): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  const used = new Set<T>();
  for (const { before, after } of candidates) {
    if (pairs.has(before) || used.has(after)) continue;
    pairs.set(before, after);
    used.add(after);
  }
  return pairs;
}

/** Files that contain objects are represented by these, and an empty item is similar to nothing. */
function isComparable(item: Item): boolean {
  return (
    renamedKinds.has(item.kind) &&
    item.isHeldByObjects !== true &&
    (item.template !== undefined || textOf(item) !== '')
  );
}

/** Objects are paired only within their kind, with API group. */
function groupOf({ kind, name }: Item): string {
  return kind === 'object' ? name.replace(/ \S+( \(.*\))?$/, '$1') : kind;
}

/** The name of an object is no content: many small objects have equal texts apart from it. */
function textOf({ kind, text, value }: Item): string {
  if (kind !== 'object' || !isRecord(value)) return text ?? (value === undefined ? '' : writeYaml(value));
  const rest = omitKeys(value, ['apiVersion', 'kind', 'metadata']);
  return Object.keys(rest).length === 0 ? '' : writeYaml(rest);
}

function hasEqualContents(before: Item, after: Item): boolean {
  if (before.template !== undefined || after.template !== undefined)
    return before.template === after.template;
  if (before.source !== undefined && after.source !== undefined) return before.source === after.source;
  return textOf(before) === textOf(after) && !textOf(before).includes(maskedValue);
}

interface Lines {
  /** How often each line occurs. */
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
}

function cachedLines(): (item: Item) => Lines {
  const known = new Map<Item, Lines>();
  return (item) => {
    const lines = known.get(item) ?? countedLines(textOf(item));
    known.set(item, lines);
    return lines;
  };
}

function countedLines(text: string): Lines {
  const counts = new Map<string, number>();
  for (const line of linesIn(text)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return { counts, size: sizeOf(counts) };
}

/** Equal lines with a masked value can contain different secrets, so they are not shared. */
function similarityOf(before: Lines, after: Lines): number {
  const [smaller, larger] = [Math.min(before.size, after.size), Math.max(before.size, after.size)];
  if (smaller < larger * leastSimilarity) return 0;
  const shared = [...before.counts]
    .filter(([line]) => !line.includes(maskedValue))
    .map(([line, number]) => [line, Math.min(number, after.counts.get(line) ?? 0)] as const);
  return sizeOf(shared) / larger;
}

/** Characters, with the end of each line. */
function sizeOf(lines: Iterable<readonly [line: string, number: number]>): number {
  return [...lines].reduce((sum, [line, number]) => sum + (line.length + 1) * number, 0);
}

function bestFirst(left: Rename, right: Rename): number {
  const keepsName = ({ before, after }: Rename): number =>
    Number(posix.basename(before.name) === posix.basename(after.name));
  return (
    right.similarity - left.similarity ||
    keepsName(right) - keepsName(left) ||
    byCodeUnit(left.before.name, right.before.name) ||
    byCodeUnit(left.after.name, right.after.name)
  );
}
