import { Document, visit } from 'yaml';

import { plainNumber } from './plain-scalar.js';
import { needsEscapes, escaped, escapeOf } from './yaml-escapes.js';

/** In which order a map is written: by its keys, or as it is. */
export interface KeyOrder {
  readonly isSorted: boolean;
}

/** A value as the package `yaml` writes it, in the form that `writeYaml` promises. */
export function yamlByPackage(value: unknown, { isSorted }: KeyOrder): string {
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

/** A text as the package writes it behind a key, at an indent (blanks) for the lines behind the first. */
export function textByPackage(text: string, indent: string): string {
  const alone = yamlByPackage({ a: text }, { isSorted: false });
  return alone.slice('a: '.length, -1).replace(/\n {2}/g, `\n${indent}`);
}
