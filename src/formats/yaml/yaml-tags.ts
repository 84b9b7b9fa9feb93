import { isMap, isScalar, isSeq, type Node } from 'yaml';

import { tagOf, textTag } from './yaml-building.js';

/** Whether a value is what its tag says, without the tag making it so. */
export function isFitting(node: Node, tag: string): boolean {
  if (isMap(node)) return tag === tagOf('map');
  if (isSeq(node)) return tag === tagOf('seq');
  if (!isScalar(node) || tag === textTag) return isScalar(node);
  if (node.type !== 'PLAIN') return false;
  if (node.value === null) return tag === tagOf('null');
  if (typeof node.value === 'boolean') return tag === tagOf('bool');
  return typeof node.value === 'number' && (tag === tagOf('int') || tag === tagOf('float'));
}
