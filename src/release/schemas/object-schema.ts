/**
 * Facts of a field's schema, with the names and meanings of an OpenAPI schema of Kubernetes. Properties of Kubernetes' own start with
 * `is` or `list`. Source: kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions
 */
export interface ObjectSchema {
  /** Absent: any type. */
  readonly type?: (typeof schemaTypes)[number];
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: ObjectSchema;
  readonly items?: ObjectSchema;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly allOf?: readonly ObjectSchema[];
  readonly anyOf?: readonly ObjectSchema[];
  readonly oneOf?: readonly ObjectSchema[];
  readonly not?: ObjectSchema;
  readonly isIntOrString?: boolean;
  /** x-kubernetes-preserve-unknown-fields: fields without a schema are allowed. */
  readonly isOpen?: boolean;
  /** The value is an object with apiVersion, kind and metadata. */
  readonly isEmbedded?: boolean;
  /** Items of the list are unique, or have unique values in the fields `listKeys`. */
  readonly isSet?: boolean;
  readonly listKeys?: readonly string[];
  /** Name of a schema that contains itself; `up` refers to the enclosing schema of that name. */
  readonly id?: string;
  readonly up?: string;
}

export const schemaTypes = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;
