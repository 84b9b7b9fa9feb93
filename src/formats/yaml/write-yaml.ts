import { Document, visit } from 'yaml';

import { ordinaryYaml } from './ordinary-yaml.js';
import { plainNumber } from './plain-scalar.js';
import { needsEscapes, escaped, escapeOf } from './yaml-escapes.js';

/**
 * Canonical YAML: keys sorted, two-space indent, long lines kept whole, several lines as a literal block, no anchors.
 * The same value gives the same text. Keys whose value is undefined are left out. Texts that YAML 1.1 would read as
 * something else, such as `no`, are quoted: the parsers of Kubernetes read YAML 1.1.
 */
export function writeYaml(value: unknown): string {
  return written(value, { isSorted: true });
}

/** The same with keys in the order that they have, for what people are to read and fill in. */
export function writeYamlInOrder(value: unknown): string {
  return written(value, { isSorted: false });
}

interface KeyOrder {
  readonly isSorted: boolean;
}

function written(value: unknown, order: KeyOrder): string {
  return ordinaryYaml(value, textByPackage, order.isSorted) ?? writtenByPackage(value, order);
}

/** What `writeYaml` promises, by the package alone. */
export function writtenByPackage(value: unknown, { isSorted }: KeyOrder): string {
  const document = new Document(value, {
    sortMapEntries: isSorted,
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
  });
  visit(document, {
    Scalar: (role, scalar) => {
      const text = typeof scalar.value === 'string' ? scalar.value : '';
      if (needsEscapes(text) || (role === 'key' && text.includes('\n')) || plainNumber(text) !== undefined)
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).replace(escaped, escapeOf);
}

/** A text as it stands behind a key. */
function textByPackage(text: string, indent: string): string {
  const alone = writtenByPackage({ a: text }, { isSorted: false });
  return alone.slice('a: '.length, -1).replace(/\n {2}/g, `\n${indent}`);
}
