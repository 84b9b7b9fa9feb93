import { z } from 'zod';

/** What a schema says of a field beside its type. All of it ends up in the JSON Schema under the names used there. */
export interface FieldNotes {
  /** What an omitted field stands for; `defaults.ts` applies it, and a test holds the two together. */
  readonly default?: unknown;
  /** Values that are sound by themselves; `create sno-config` writes the first one. */
  readonly examples?: readonly unknown[];
  readonly deprecated?: true;
  /** A secret: its value is in no message, log or excerpt. */
  readonly writeOnly?: true;
}

/** A field that may be omitted. */
export function optional<T extends z.ZodType>(
  type: T,
  description: string,
  notes: FieldNotes = {},
): z.ZodOptional<T> {
  return type.meta({ description, ...notes }).optional();
}

/** A field that must be given. */
export function required<T extends z.ZodType>(type: T, description: string, notes: FieldNotes = {}): T {
  return type.meta({ description, ...notes });
}

/** A part of the upstream schema that no single node on platform none can use: known by name, contents not looked at. */
export const notForSingleNode = z.record(z.string(), z.unknown());

/** A number of things: what Go's int32 holds, from 0. */
export const count = z.int().min(0).max(2_147_483_647);
