import type { FieldPath, Target } from '../../formats/yaml/yaml-tree.js';
import type { Wording } from '../../formats/schema-wording.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';

/** A field that does not fit the schema. */
export interface FieldFault {
  readonly path: FieldPath;
  readonly target: Target;
  readonly message: string;
  readonly hint?: string;
  readonly kind: Wording['kind'];
}

export interface SchemaFacts {
  readonly schema: ObjectSchema;
  /** Schema of metadata in embedded objects. */
  readonly metadata: ObjectSchema;
  /** The API server decodes the object into a Go type, instead of validating it against a CustomResourceDefinition. */
  readonly isGo: boolean;
}

/** A field under validation. */
export interface Visit extends SchemaFacts {
  readonly root: ObjectSchema;
  readonly path: FieldPath;
  readonly faults: FieldFault[];
  /** The enclosing schemas that contain themselves. */
  readonly above: readonly ObjectSchema[];
  /** Below `status`, which clients leave incomplete. */
  readonly isStatus?: true;
  /** Part of `allOf`, `anyOf`, `oneOf` or `not`, which lists only some fields. */
  readonly isPartial?: true;
}
