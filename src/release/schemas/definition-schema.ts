import { isRecord } from '../../core/is-record.js';
import { mapRecord } from '../../core/map-record.js';
import { type ObjectSchema, schemaTypes } from './object-schema.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The facts of `openAPIV3Schema` in a CustomResourceDefinition, without descriptions and CEL rules. Parts of the wrong type are omitted.
 */
export function definitionSchema(source: unknown): ObjectSchema {
  if (!isRecord(source)) return {};
  return { ...valueFacts(source), ...limits(source), ...nested(source), ...extensions(source) };
}

function valueFacts(source: Fields): ObjectSchema {
  const { enum: values, pattern, format, required, default: preset } = source;
  const type = schemaTypes.find((each) => each === source['type']);
  return {
    ...(type !== undefined && { type }),
    ...(isList(values) && { enum: values }),
    ...(typeof pattern === 'string' && { pattern }),
    ...(typeof format === 'string' && { format }),
    ...(source['nullable'] === true && { nullable: true }),
    ...(preset !== undefined && { default: preset }),
    ...(isList(required) && required.length > 0 && { required: texts(required).toSorted() }),
  };
}

const limitNames = [
  ...(['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength'] as const),
  ...(['minItems', 'maxItems', 'minProperties', 'maxProperties'] as const),
];

function limits(source: Fields): ObjectSchema {
  const given = limitNames.filter((name) => typeof source[name] === 'number');
  return {
    ...Object.fromEntries(given.map((name) => [name, source[name]])),
    ...(source['exclusiveMinimum'] === true && { exclusiveMinimum: true }),
    ...(source['exclusiveMaximum'] === true && { exclusiveMaximum: true }),
  };
}

type Alternatives = readonly [name: 'allOf' | 'anyOf' | 'oneOf', schemas: readonly ObjectSchema[]];

function nested(source: Fields): ObjectSchema {
  const { properties, additionalProperties: others, items, not } = source;
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name): readonly Alternatives[] => {
    const list = source[name];
    const isIntOrString = name === 'anyOf' && source['x-kubernetes-int-or-string'] === true;
    return isList(list) && !(isIntOrString && isOfTypesOnly(list))
      ? [[name, list.map((each) => definitionSchema(each))]]
      : [];
  });
  return {
    ...(isRecord(properties) && { properties: mapRecord(properties, definitionSchema) }),
    ...((isRecord(others) || others === true) && { additionalProperties: definitionSchema(others) }),
    ...(isRecord(items) && { items: definitionSchema(items) }),
    ...(isRecord(not) && { not: definitionSchema(not) }),
    ...Object.fromEntries<readonly ObjectSchema[]>(lists),
  };
}

/** Whether alternatives only repeat that a value is an integer or a string. */
export function isOfTypesOnly(alternatives: readonly unknown[]): boolean {
  return alternatives.every((each) => isRecord(each) && Object.keys(each).join() === 'type');
}

/** Source: kubernetes.io/docs/reference/using-api/server-side-apply, x-kubernetes-list-type */
function extensions(source: Fields): ObjectSchema {
  const listType = source['x-kubernetes-list-type'];
  const keys = source['x-kubernetes-list-map-keys'];
  return {
    ...(source['x-kubernetes-int-or-string'] === true && { isIntOrString: true }),
    ...(source['x-kubernetes-preserve-unknown-fields'] === true && { isOpen: true }),
    ...(source['x-kubernetes-embedded-resource'] === true && { isEmbedded: true }),
    ...(listType === 'set' && { isSet: true }),
    ...(listType === 'map' && isList(keys) && { listKeys: texts(keys) }),
  };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}
