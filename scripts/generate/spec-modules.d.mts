import type { z } from 'zod';

/** Schemas of Ignition configs: user-supplied and generated ones. */
export interface SpecSchemas {
  readonly specSchema: z.ZodType;
  readonly writtenSchema: z.ZodType;
}

/** The texts of the generated modules by path. `compile` returns a module for a JSON Schema (draft-07). */
export function specModules(
  schemas: SpecSchemas,
  compile: (schema: Readonly<Record<string, unknown>>) => Promise<string>,
): Promise<Readonly<Record<string, string>>>;
