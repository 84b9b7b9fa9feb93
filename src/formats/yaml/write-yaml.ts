import { Document, visit, type ToStringOptions } from 'yaml';

import { escapeUnwritable, needsDoubleQuotes, plainNumber } from './yaml-scalars.js';

/**
 * Canonical YAML: sorted keys, two-space indent, long lines not folded, multi-line text as literal blocks, no anchors.
 * Omits keys with undefined values. Quotes text that a YAML 1.1 parser reads as another type, such as `no`,
 * because the parsers of Kubernetes read YAML 1.1.
 */
export function writeYaml(value: unknown): string {
  return write(value, { sortMapEntries: true });
}

/** As `writeYaml`, but keeps the order of keys, for files that people read and edit. */
export function writeYamlInOrder(value: unknown): string {
  return write(value, { sortMapEntries: false });
}

/** Single-line text as a value after `key: `, in single quotes if necessary. */
export function writeScalar(text: string): string {
  const yaml = write({ a: text }, { sortMapEntries: false, singleQuote: true });
  return yaml.slice('a: '.length, -1);
}

interface WriteOptions extends Pick<ToStringOptions, 'singleQuote'> {
  readonly sortMapEntries: boolean;
}

function write(value: unknown, { sortMapEntries, ...options }: WriteOptions): string {
  const document = new Document(value, { sortMapEntries, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar: (role, scalar) => {
      const text = typeof scalar.value === 'string' ? scalar.value : '';
      const isQuoted =
        needsDoubleQuotes(text) ||
        // A key with a sign would read as a line of a diff.
        (role === 'key' && (text.includes('\n') || /^[+-]/.test(text))) ||
        plainNumber(text) !== undefined;
      if (isQuoted) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeUnwritable(document.toString({ ...options, lineWidth: 0 }));
}
