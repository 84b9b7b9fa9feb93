import { sortedRecord } from '../core/map-record.js';

/** Texts by path, in order of path. */
export type Tree = Readonly<Record<string, string>>;

/** One text of a tree. */
export type TreeEntry = readonly [path: string, text: string];

/** A tree of these texts. */
export function treeOf(entries: readonly TreeEntry[]): Tree {
  return sortedRecord(entries);
}

/** Lines as a text. */
export function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
