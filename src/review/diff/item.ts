import type { ItemKind } from './difference.js';

/** A named item that can be compared with the item of the same name on the other side. */
export interface Item {
  /** Tree path of its config; the folder of the tree for items outside of configs. */
  readonly of: string;
  readonly kind: ItemKind;
  readonly name: string;
  /** Short facts by name, such as its mode. */
  readonly facts: Readonly<Record<string, string>>;
  readonly text?: string;
  /** The unmasked text, if known. */
  readonly source?: string;
  /** The parsed text, and the parsed unmasked text, if it is structured data. */
  readonly value?: unknown;
  readonly sourceValue?: unknown;
  /** The constant file of sno-install that equals the text. */
  readonly template?: string;
  /** Kubernetes objects represent this file. It is reported only if it exists on both sides and its facts differ. */
  readonly isHeldByObjects?: true;
}
