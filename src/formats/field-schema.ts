import type { FieldPath, Target } from './yaml/yaml-tree.js';

/** Subset of JSON Schema (draft 2020-12) that our schemas use. */
export interface FieldSchema {
  /** Absent: any type. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  /** Schema of fields that are not in `properties`; false if they are not allowed. */
  readonly additionalProperties?: false | FieldSchema;
  readonly items?: FieldSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  /** A secret: messages do not quote the value. */
  readonly writeOnly?: boolean;
}

/** A schema that describes `T`. */
export interface TypedSchema<T> {
  readonly schema: FieldSchema;
  /**
   * Hints for unsupported fields that users often write, by path (`network.interfaces[].controller`). For values the path ends in an equals
   * sign and the value (`….type=veth`). A hint says where the setting belongs or what to do instead.
   */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /**
   * Numbers and booleans below a top-level field may be in quotes, as nmstate reads them, but not be floats. `signed` lists the integers
   * that may have a minus and are not hexadecimal: paths without indexes, joined by dots.
   */
  readonly quotedFields?: { readonly below: string; readonly signed: readonly string[] };
  /** Never set; ties the type to the schema. */
  readonly describes?: T;
}

/** `T` with every field optional at every depth: a document without its invalid parts. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? readonly Draft<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Draft<Exclude<T[Key], undefined>> }
    : T;

/** A violation of a schema. */
export interface SchemaViolation {
  readonly kind: 'unknown-field' | 'duplicate-field' | 'missing-field' | 'wrong-type' | 'unsupported-value';
  readonly path: FieldPath;
  readonly target: Target;
  /** One lower-case sentence without a full stop. */
  readonly message: string;
  readonly hint?: string;
  /** For an unknown field, the field that was probably intended. */
  readonly suggested?: FieldPath;
}

/** A document without its invalid parts, and the violations. */
export interface AppliedSchema<T> {
  readonly draft: Draft<T>;
  readonly misfits: readonly SchemaViolation[];
}
