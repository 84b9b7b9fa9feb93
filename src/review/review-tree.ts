import { sortedRecord } from '../core/map-record.js';

/** Texts by path, sorted by path. */
export type Tree = Readonly<Record<string, string>>;

export type TreeEntry = readonly [path: string, text: string];

export function treeOf(entries: readonly TreeEntry[]): Tree {
  return sortedRecord(entries);
}

/** Joins lines, each with a final newline. */
export function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
