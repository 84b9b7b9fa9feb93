import { z } from 'zod';

/** Annotations of a field in a schema; they become keywords of the same name in the JSON Schema. */
export interface FieldNotes {
  /** Value of an omitted field. install-defaults.ts and sno-defaults.ts apply the defaults; a test compares them with the schema. */
  readonly default?: unknown;
  /** Valid values. `create sno-config` writes the first one. */
  readonly examples?: readonly unknown[];
  readonly deprecated?: true;
  /** A secret: no message, log or excerpt contains its value. */
  readonly writeOnly?: true;
}

export function optional<T extends z.ZodType>(
  type: T,
  description: string,
  notes: FieldNotes = {},
): z.ZodOptional<T> {
  return type.meta({ description, ...notes }).optional();
}

export function required<T extends z.ZodType>(type: T, description: string, notes: FieldNotes = {}): T {
  return type.meta({ description, ...notes });
}

/** A part of the upstream schema that is useless for a single node on platform none: accepted by the schema, contents not checked. */
export const notForSingleNode = z.record(z.string(), z.unknown());

/** A non-negative integer in the range of Go's int32. */
export const count = z.int().min(0).max(2_147_483_647);
