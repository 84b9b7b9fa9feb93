import { collectValues } from '../shared-options.js';

/** Selects sites by name. */
export const only = [
  '--only <name>',
  'only the sites with this name, with "*" as wildcard; may be repeated',
  collectValues,
  [] as readonly string[],
] as const;
