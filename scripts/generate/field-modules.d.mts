import type { z } from 'zod';

/** What the configs are made of. */
export interface Schemas {
  readonly installConfigSchema: z.ZodType;
  readonly snoConfigSchema: z.ZodType;
  readonly fleetSchema: z.ZodType;
}

/** The texts of src/fields/*.generated.ts by path: a table of fields for each config, and the names that excerpts may show. */
export function fieldModules(schemas: Schemas): Promise<Readonly<Record<string, string>>>;
