import type { z } from 'zod';

/** What judges Ignition configs: those of others, and ours. */
export interface SpecSchemas {
  readonly specSchema: z.ZodType;
  readonly writtenSchema: z.ZodType;
}

/** The texts of what judges Ignition configs, by path. `compile` makes a module of a JSON Schema (draft-07). */
export function specModules(
  schemas: SpecSchemas,
  compile: (schema: Readonly<Record<string, unknown>>) => Promise<string>,
): Promise<Readonly<Record<string, string>>>;
