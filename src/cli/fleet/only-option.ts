import { collectValues } from '../shared-options.js';

/** Selects sites by name. */
export const only = [
  '--only <name>',
  'sites of this name, "*" for any part of one; may be repeated',
  collectValues,
  [] as readonly string[],
] as const;
