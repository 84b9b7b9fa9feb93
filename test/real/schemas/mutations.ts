import type { ObjectSchema } from '../../../src/release/schemas/object-schema.js';

/** A copy of an object with one changed field. */
export interface Mutation {
  /** Such as `spec.replicas = "x"`. */
  readonly change: string;
  readonly object: object;
}

interface Spot {
  readonly path: readonly (string | number)[];
  readonly schema: ObjectSchema;
  readonly value: unknown;
}

const absent = Symbol('absent');

/** Every change of one field that its schema gives a reason for. */
export function mutationsOf(object: object, schema: ObjectSchema): readonly Mutation[] {
  return spotsIn(object, schema, []).flatMap(({ path, schema: field, value }) =>
    replacements(field, value).map((replacement) => ({
      change: `${path.join('.')} = ${replacement === absent ? 'absent' : JSON.stringify(replacement)}`,
      object: changed(object, path, replacement),
    })),
  );
}

/** The fields below a value, given and possible, with those that no schema has. */
function spotsIn(value: unknown, schema: ObjectSchema, path: Spot['path']): readonly Spot[] {
  const { properties, additionalProperties, items } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((item, index) => withBelow(item, items, [...path, index])) : [];
  if (typeof value !== 'object' || value === null) return [];
  const given = Object.entries(value).flatMap(([key, each]) => {
    const below = properties?.[key] ?? additionalProperties;
    return below && !isSkipped([...path, key]) ? withBelow(each, below, [...path, key]) : [];
  });
  const possible = Object.entries(properties ?? {})
    .filter(([key]) => !(key in value) && !isSkipped([...path, key]))
    .map(([key, field]) => ({ path: [...path, key], schema: field, value: absent }));
  const unknown = properties ? [{ path: [...path, 'noSuchField'], schema: {}, value: absent }] : [];
  return [...given, ...possible, ...unknown];
}

function withBelow(value: unknown, schema: ObjectSchema, path: Spot['path']): readonly Spot[] {
  return [{ path, schema, value }, ...spotsIn(value, schema, path)];
}

/** The server ignores the status of a new object; other checks read the identity. */
function isSkipped([first]: Spot['path']): boolean {
  if (first === 'metadata') return true;
  return first === 'status' || first === 'apiVersion' || first === 'kind';
}

/** Values that a field of the schema must not have, and null. */
function replacements(schema: ObjectSchema, value: unknown): readonly unknown[] {
  const { type, enum: values, format, isIntOrString } = schema;
  const isGiven = value !== absent;
  const others = isIntOrString
    ? [true, { a: 1 }]
    : format === 'quantity'
      ? ['1GB', true]
      : type === 'string'
        ? // A CustomResourceDefinition with a format accepts a list, which the operator cannot read.
          [7, true, ...(format === undefined ? [['a']] : [])]
        : type === 'integer'
          ? ['7', true, 1.5, ...(format === 'int32' ? [2 ** 31] : [])]
          : type === 'boolean'
            ? ['true', 1]
            : type === 'array'
              ? ['a', { a: 'b' }]
              : type === 'object'
                ? ['a', ['b']]
                : [{ a: 1 }];
  return [
    ...others,
    ...(values ? ['NoSuchValue'] : []),
    ...(format === 'byte' ? ['%%%'] : []),
    ...(format?.endsWith('time') ? ['yesterday'] : []),
    ...(isGiven ? [absent, null] : []),
  ];
}

function changed(object: unknown, [step, ...rest]: Spot['path'], value: unknown): object {
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(object)
    ? [...(object as unknown[])]
    : { ...(object as object) };
  const fields = copy as Record<string | number, unknown>;
  if (step === undefined) return copy;
  if (rest.length > 0) fields[step] = changed(fields[step], rest, value);
  else if (value !== absent) fields[step] = value;
  else if (Array.isArray(copy)) copy.splice(Number(step), 1);
  else Reflect.deleteProperty(fields, step);
  return copy;
}
