import { Document, visit, type ToStringOptions } from 'yaml';

import { escapeUnwritable, needsDoubleQuotes, plainNumber } from './yaml-scalars.js';

/**
 * Canonical YAML: keys sorted, two-space indent, long lines kept whole, multi-line text as literal blocks, no anchors.
 * Keys whose value is undefined are left out. Text that a YAML 1.1 parser reads as another type, such as `no`, is quoted,
 * because the parsers of Kubernetes read YAML 1.1.
 */
export function writeYaml(value: unknown): string {
  return write(value, { sortMapEntries: true });
}

/** The same with keys in their own order, for files that people read and fill in. */
export function writeYamlInOrder(value: unknown): string {
  return write(value, { sortMapEntries: false });
}

/** Text without line breaks as it stands behind `key: `, in single quotes if it needs any. */
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
        needsDoubleQuotes(text) || (role === 'key' && text.includes('\n')) || plainNumber(text) !== undefined;
      if (isQuoted) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeUnwritable(document.toString({ ...options, lineWidth: 0 }));
}
