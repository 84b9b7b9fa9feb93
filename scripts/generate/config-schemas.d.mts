import type { z } from 'zod';

export function configSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  urlOf: (name: string) => string,
): Readonly<Record<string, string>>;
