import type { FieldPath, Target } from './yaml/yaml-tree.js';

/** The part of JSON Schema (draft 2020-12) that our schemas use. */
export interface FieldSchema {
  /** Absent: anything goes. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  /** What fields that `properties` does not name hold; false when there may be none. */
  readonly additionalProperties?: false | FieldSchema;
  readonly items?: FieldSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly deprecated?: boolean;
  /** Holds a secret: messages do not repeat the value. */
  readonly writeOnly?: boolean;
}

/** A schema that is known to describe `T`. */
export interface TypedSchema<T> {
  readonly schema: FieldSchema;
  /**
   * Fields that people write and the schema does not have, by place (`network.interfaces[].controller`), values behind an equals
   * sign (`….type=veth`): each with the hint where it belongs or what to do instead.
   */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Never there: ties the type to the schema. */
  readonly describes?: T;
}

/** `T` with every field optional, at every depth: what is left of a document when all that does not fit is taken out. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? readonly Draft<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Draft<Exclude<T[Key], undefined>> }
    : T;

/** A place where a document does not fit its schema. */
export interface Misfit {
  readonly kind: 'unknown-field' | 'duplicate-field' | 'missing-field' | 'wrong-type' | 'unsupported-value';
  readonly path: FieldPath;
  readonly target: Target;
  /** One lower-case sentence without a full stop. */
  readonly message: string;
  readonly hint?: string;
  /** The field that an unknown one was most likely meant to be. */
  readonly meant?: FieldPath;
}

/** What is left of an input when all that does not fit is taken out of it, and what that was. */
export interface Fitting<T> {
  readonly draft: Draft<T>;
  readonly misfits: readonly Misfit[];
}
