import { isRecord } from '../../core/is-record.js';
import { type FieldPath, pathText } from '../../formats/yaml/yaml-tree.js';
import { isList } from '../../kube/fields.js';
import { isOfTypesOnly } from '../../release/schemas/definition-schema.js';
import { schemaTypes } from '../../release/schemas/object-schema.js';

/** A fault in a CustomResourceDefinition. */
export interface DefinitionFault {
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Faults for which the API server refuses a schema as not structural.
 * Source: kubernetes/apiextensions-apiserver pkg/apiserver/schema validation.go and complete.go, pkg/apis/apiextensions/validation
 */
export function structureFaults(schema: Schema, path: FieldPath): readonly DefinitionFault[] {
  const isObject = schema['type'] === 'object';
  const root = isObject ? [] : [fault([...path, 'type'], 'must be object')];
  const nullable = schema['nullable'] === true ? [fault([...path, 'nullable'], 'must be false')] : [];
  const inside = valueFaults(isObject ? schema : { ...schema, type: 'object' }, path);
  return [...root, ...nullable, ...inside];
}

function valueFaults(schema: Schema, path: FieldPath): readonly DefinitionFault[] {
  return [
    ...typeFaults(schema, path),
    ...forbiddenFaults(schema, path, unsupported, 'is not supported in a CustomResourceDefinition'),
    ...mapFaults(schema, path),
    ...listFaults(schema, path),
    ...embeddedFaults(schema, path),
    ...alternativesOf(schema, path).flatMap((each) => alternativeFaults(each.schema, each.path, schema)),
    ...partsOf(schema, path).flatMap((each) => valueFaults(each.schema, each.path)),
  ];
}

const unsupported = [
  ...['$ref', '$schema', 'id', 'definitions', 'dependencies'],
  ...['patternProperties', 'additionalItems'],
];

function typeFaults(schema: Schema, path: FieldPath): readonly DefinitionFault[] {
  const { type } = schema;
  const place = [...path, 'type'];
  if (type === undefined || type === '') {
    const isTypeFree = ['x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'].some(
      (name) => schema[name] === true,
    );
    return isTypeFree ? [] : [fault(place, 'is missing')];
  }
  return schemaTypes.some((each) => each === type)
    ? []
    : [fault(place, `must be one of ${schemaTypes.join(', ')}`)];
}

function forbiddenFaults(
  schema: Schema,
  path: FieldPath,
  names: readonly string[],
  why: string,
): readonly DefinitionFault[] {
  const found = names.filter((name) => schema[name] !== undefined && schema[name] !== false);
  return found.map((name) => ({
    path: [...path, name],
    message: `${pathText(path)} has ${name}, which ${why}`,
  }));
}

function mapFaults(schema: Schema, path: FieldPath): readonly DefinitionFault[] {
  const { properties, additionalProperties } = schema;
  const place = [...path, 'additionalProperties'];
  if (additionalProperties === undefined) return [];
  if (additionalProperties === false) return [fault(place, 'cannot be false')];
  const isBoth = isRecord(properties) && Object.keys(properties).length > 0;
  return isBoth ? [fault(place, 'cannot be used with properties')] : [];
}

function listFaults(schema: Schema, path: FieldPath): readonly DefinitionFault[] {
  const { type, items, uniqueItems } = schema;
  const unique = uniqueItems === true ? [fault([...path, 'uniqueItems'], 'cannot be true')] : [];
  if (type !== 'array') return unique;
  if (!isRecord(items)) return [...unique, fault([...path, 'items'], 'must be a schema')];
  return [...unique, ...listKeyFaults(schema, path, items)];
}

function listKeyFaults(schema: Schema, path: FieldPath, items: Schema): readonly DefinitionFault[] {
  if (schema['x-kubernetes-list-type'] !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'];
  const place = [...path, 'x-kubernetes-list-map-keys'];
  if (!isList(keys) || keys.length === 0) return [fault(place, 'is missing')];
  const { properties, required } = items;
  return keys.flatMap((key, index) => {
    const field = typeof key === 'string' && isRecord(properties) ? properties[key] : undefined;
    if (!isRecord(field)) return [fault([...place, index], 'is not a property of items')];
    const isAlwaysSet = field['default'] !== undefined || (isList(required) && required.includes(key));
    return isAlwaysSet ? [] : [fault([...place, index], 'must be required in items, or have a default')];
  });
}

function embeddedFaults(schema: Schema, path: FieldPath): readonly DefinitionFault[] {
  if (schema['x-kubernetes-embedded-resource'] !== true) return [];
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const type = schema['type'] === 'object' ? [] : [fault([...path, 'type'], 'must be object')];
  return isOpen || isRecord(schema['properties'])
    ? type
    : [...type, fault([...path, 'properties'], 'is missing')];
}

/** Fields that belong outside of allOf, anyOf, oneOf and not. */
const outside = [
  ...['type', 'default', 'nullable', 'description', 'title'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
];

/** Faults of a schema in allOf, anyOf, oneOf or not, which only limits the `whole` schema around it. */
function alternativeFaults(schema: Schema, path: FieldPath, whole: Schema): readonly DefinitionFault[] {
  const nested = partsOf(schema, path).flatMap((part) => {
    const counterpart = part.path.slice(path.length).reduce<unknown>(step, whole);
    if (isRecord(counterpart)) return alternativeFaults(part.schema, part.path, counterpart);
    return [fault(part.path, 'must also be defined outside of allOf, anyOf, oneOf and not')];
  });
  return [
    ...forbiddenFaults(schema, path, outside, 'must be outside of allOf, anyOf, oneOf and not'),
    ...alternativesOf(schema, path).flatMap((each) => alternativeFaults(each.schema, each.path, whole)),
    ...nested,
  ];
}

function step(value: unknown, name: string | number): unknown {
  return isRecord(value) ? value[name] : undefined;
}

interface Part {
  readonly schema: Schema;
  readonly path: FieldPath;
}

function partsOf(schema: Schema, path: FieldPath): readonly Part[] {
  const { properties, items, additionalProperties } = schema;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  return [
    ...fields.flatMap(([name, each]) => partOf(each, [...path, 'properties', name])),
    ...partOf(items, [...path, 'items']),
    ...partOf(additionalProperties, [...path, 'additionalProperties']),
  ];
}

function partOf(schema: unknown, path: FieldPath): readonly Part[] {
  return isRecord(schema) ? [{ schema, path }] : [];
}

function alternativesOf(schema: Schema, path: FieldPath): readonly Part[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => {
    const list = schema[name];
    if (!isList(list) || (isOfTypesOnly(list) && schema['x-kubernetes-int-or-string'] === true)) return [];
    return list.flatMap((each, index) => partOf(each, [...path, name, index]));
  });
  return [...lists, ...partOf(schema['not'], [...path, 'not'])];
}

function fault(path: FieldPath, what: string): DefinitionFault {
  return { path, message: `${pathText(path)} ${what}` };
}
