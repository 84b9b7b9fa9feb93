import { Document, visit } from 'yaml';

import { plainNumber } from './plain-scalar.js';
import { needsEscapes, escaped, escapeOf } from './yaml-escapes.js';

/**
 * Canonical YAML: keys sorted, two-space indent, long lines kept whole, several lines as a literal block, no anchors.
 * The same value gives the same text. Keys whose value is undefined are left out. Texts that YAML 1.1 would read as
 * something else, such as `no`, are quoted: the parsers of Kubernetes read YAML 1.1.
 */
export function writeYaml(value: unknown): string {
  return written(value, { sortMapEntries: true });
}

/** The same with keys in the order that they have, for what people are to read and fill in. */
export function writeYamlInOrder(value: unknown): string {
  return written(value, { sortMapEntries: false });
}

function written(value: unknown, { sortMapEntries }: { readonly sortMapEntries: boolean }): string {
  const document = new Document(value, {
    sortMapEntries,
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
