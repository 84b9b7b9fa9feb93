import { problem, type Place, type Problem } from '../../core/problem.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Span } from '../../formats/yaml/yaml-tree.js';

/** A text entry of a ConfigMap or Secret. */
export interface DataEntry {
  readonly key: string;
  readonly text: string;
  /** Place of its first line. */
  readonly at: Place;
  /** Places of its lines, if it is a block scalar. */
  readonly lines?: readonly Span[];
}

/** The entries of a ConfigMap or Secret. */
export interface FoundData {
  readonly entries: readonly DataEntry[];
  /** Entries that are not imported. */
  readonly problems: readonly Problem[];
}

/** An entry before it is checked. `written` is the place of its key or file reference. */
export interface WrittenEntry {
  readonly key: string;
  readonly contents: string | Uint8Array;
  readonly written: Place;
  /** Place of its first line. */
  readonly at: Place;
  readonly lines?: readonly Span[] | undefined;
}

/** Checks the key and decodes the contents as UTF-8. Problems: import/malformed. Warnings: import/left-out. */
export function dataEntry({ key, contents, written, at, lines }: WrittenEntry): FoundData {
  if (!isDataKey(key)) {
    const hint = 'use only letters, digits, `-`, `_` and `.`; do not start with `..`';
    return onlyProblem(problem('import/malformed', 'not a valid ConfigMap key', { at: written, hint }));
  }
  const text = typeof contents === 'string' ? contents : decodeUtf8(contents);
  if (text === undefined)
    return leftOut('the value of this key is not UTF-8 text and is not imported', written);
  return { entries: [{ key, text, at, ...(lines && { lines }) }], problems: [] };
}

/** Warns of an entry that is not imported. Warnings: import/left-out. */
export function leftOut(message: string, at: Place): FoundData {
  const hint = 'if the node needs it, add it as a manifest to the new manifests/';
  return onlyProblem(problem('import/left-out', message, { at, hint }));
}

/** Returns a problem without any entry. */
export function onlyProblem(found: Problem): FoundData {
  return { entries: [], problems: [found] };
}

export function joinData(found: readonly FoundData[]): FoundData {
  return {
    entries: found.flatMap(({ entries }) => entries),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** Source: k8s.io/apimachinery pkg/util/validation, IsConfigMapKey */
function isDataKey(key: string): boolean {
  return /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && !key.startsWith('..');
}
