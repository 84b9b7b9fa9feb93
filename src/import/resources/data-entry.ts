import { problem, type Place, type Problem } from '../../core/problem.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { Span } from '../../formats/yaml/yaml-tree.js';

/** A text that a ConfigMap or a Secret holds under a key. */
export interface DataEntry {
  readonly key: string;
  readonly text: string;
  /** Of its first line. */
  readonly at: Place;
  /** Where each of its lines stands, where it is written as a block. */
  readonly lines?: readonly Span[];
}

/** What an object holds. */
export interface FoundData {
  readonly entries: readonly DataEntry[];
  /** What of it is not taken over. */
  readonly problems: readonly Problem[];
}

/** What stands under a key, which somebody has written at a place; bytes that are no text are left out. */
export interface WrittenEntry {
  readonly key: string;
  readonly contents: string | Uint8Array;
  readonly written: Place;
  /** Of its first line. */
  readonly at: Place;
  readonly lines?: readonly Span[] | undefined;
}

/** Problems: import/malformed. Warnings: import/left-out. */
export function dataEntry({ key, contents, written, at, lines }: WrittenEntry): FoundData {
  if (!isDataKey(key)) {
    const hint = 'letters, digits, `-`, `_` and `.` are what Kubernetes takes, and no `..` at the start';
    return notTaken(problem('import/malformed', 'this is no key of a ConfigMap', { at: written, hint }));
  }
  const text = typeof contents === 'string' ? contents : decodeUtf8(contents);
  if (text === undefined)
    return leftOut('what stands under this key is no text, and is not taken over', written);
  return { entries: [{ key, text, at, ...(lines && { lines }) }], problems: [] };
}

/** Something that is there and has no place. Warnings: import/left-out. */
export function leftOut(message: string, at: Place): FoundData {
  const hint = 'write it as a manifest into manifests/ of what is made, if the node needs it';
  return notTaken(problem('import/left-out', message, { at, hint }));
}

/** Nothing but a problem. */
export function notTaken(found: Problem): FoundData {
  return { entries: [], problems: [found] };
}

/** What several hold together. */
export function joinedData(found: readonly FoundData[]): FoundData {
  return {
    entries: found.flatMap(({ entries }) => entries),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** Source: k8s.io/apimachinery pkg/util/validation, IsConfigMapKey */
function isDataKey(key: string): boolean {
  return /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && !key.startsWith('..');
}
