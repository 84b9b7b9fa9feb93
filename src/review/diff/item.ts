import type { ItemKind } from './difference.js';

/** Something with a name that can be compared with what bears it on the other side. */
export interface Item {
  /** The config it is of, as a path of the tree; of what belongs to none, the folder of the tree. */
  readonly of: string;
  readonly kind: ItemKind;
  readonly name: string;
  /** What is told of it in a word each, such as its mode. */
  readonly facts: Readonly<Record<string, string>>;
  readonly text?: string;
  /** The text with its secrets, where it is known. */
  readonly source?: string;
  /** What the text is as data, where it is some, and the same with its secrets. */
  readonly value?: unknown;
  readonly sourceValue?: unknown;
  /** The constant file of sno-install that stands in the place of a text. */
  readonly template?: string;
  /** Objects stand for it: it is told of only where it stays and its facts change. */
  readonly isHeldByObjects?: true;
}
