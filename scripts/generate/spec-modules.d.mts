import type { z } from 'zod';

/** The texts of what judges the Ignition configs of others, by path. `compile` makes a module of a JSON Schema (draft-07). */
export function specModules(
  specSchema: z.ZodType,
  compile: (schema: Readonly<Record<string, unknown>>) => Promise<string>,
): Promise<Readonly<Record<string, string>>>;
