import { collectValues } from '../shared-options.js';

/** Selects sites by name. */
export const only = [
  '--only <name>',
  'only the sites with this name, with "*" as wildcard; may be repeated',
  collectValues,
  [] as readonly string[],
] as const;

/** Selects sites by columns of the table. */
export const where = [
  '--where <conditions>',
  'only the sites with these values, such as hardware=r750,region=eu, with "*" as wildcard; may be repeated',
  collectConditions,
  [] as readonly string[],
] as const;

function collectConditions(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...value.split(',')];
}
