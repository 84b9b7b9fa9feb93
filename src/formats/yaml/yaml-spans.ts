import type { Node } from 'yaml';

import type { Building } from './yaml-building.js';
import type { Span } from './yaml-tree.js';

/** Where in a document a node is looked at. */
export interface Position {
  readonly depth: number;
  /** Where a value stands that takes no room, such as the null after `key:`. */
  readonly fallback: Span;
}

/** Where a node stands; the fallback for an empty one. */
export function spanOfNode(node: Node | null, { lines }: Building, { fallback }: Position): Span {
  const range = node?.range;
  return range && range[1] > range[0] ? lines.span(range[0], range[1]) : fallback;
}
