import { parse, stringify } from 'yaml';

/**
 * Canonical YAML: keys sorted, two-space indent, long lines kept whole, several lines as a literal block, no anchors.
 * The same value gives the same text. Keys whose value is undefined are left out.
 */
export function writeYaml(value: unknown): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0, aliasDuplicateObjects: false });
}

/** Plain data of one document. */
export function parseYaml(text: string): unknown {
  return parse(text);
}
