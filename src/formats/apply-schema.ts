import { isRelated, type OuterMap } from './misplaced-field.js';
import type { Draft, FieldSchema, AppliedSchema, SchemaViolation, TypedSchema } from './field-schema.js';
import {
  missingField,
  outOfRange,
  unknownField,
  unsupportedValue,
  wrongType,
  type Wording,
} from './schema-wording.js';
import {
  toData,
  type FieldPath,
  type Target,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from './yaml/yaml-tree.js';

/**
 * Validates a document against its schema. The draft omits invalid fields; invalid list items become empty values, so that indexes
 * stay the same. `null` counts as absent, as in openshift-install.
 */
export function applySchema<T>(
  { schema, elsewhere = {}, quotedFields }: TypedSchema<T>,
  root: YamlNode,
): AppliedSchema<T> {
  const misfits: SchemaViolation[] = [];
  const value =
    fit(root, { schema, path: [], root: schema, misfits, elsewhere, quotedFields, outer: [] }) ?? {};
  return { draft: checkedAs<Draft<T>>(value), misfits: withoutConsequences(misfits) };
}

/** Drops missing fields that were reported as misspelled or misplaced. */
function withoutConsequences(misfits: readonly SchemaViolation[]): readonly SchemaViolation[] {
  const suggested = misfits.flatMap((misfit) => (misfit.suggested === undefined ? [] : [misfit.suggested]));
  return misfits.filter(
    ({ kind, path }) => kind !== 'missing-field' || !suggested.some((each) => isRelated(each, path)),
  );
}

/** Type assertion for a value whose shape was just validated in a way that the compiler cannot follow. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- an assertion with a name, by design
export function checkedAs<T>(value: unknown): T {
  return value as T;
}

interface Visit {
  readonly schema: FieldSchema;
  readonly path: FieldPath;
  readonly root: FieldSchema;
  readonly misfits: SchemaViolation[];
  readonly elsewhere: Readonly<Record<string, string>>;
  readonly quotedFields: TypedSchema<unknown>['quotedFields'];
  readonly outer: readonly OuterMap[];
}

/** The valid part of a value; undefined if it is invalid or null. */
function fit(node: YamlNode, visit: Visit): unknown {
  const { schema } = visit;
  if (isNull(node)) return undefined;
  switch (schema.type) {
    case undefined:
      return toData(node);
    case 'object':
      return node.kind === 'map' ? fitMap(node.entries, visit) : refused(visit, wrongType(node, visit));
    case 'array':
      return node.kind === 'list'
        ? node.items.map((item, index) => fitItem(item, index, visit))
        : refused(visit, wrongType(node, visit));
    case 'string':
      return node.kind === 'scalar' ? fitText(node.text, visit) : refused(visit, wrongType(node, visit));
    case 'integer': {
      const value = node.kind === 'scalar' ? wholeNumber(node, visit) : undefined;
      return value === undefined ? refused(visit, wrongType(node, visit)) : fitInteger(value, visit);
    }
    case 'boolean': {
      const value = node.kind === 'scalar' ? truth(node, visit) : undefined;
      return value ?? refused(visit, wrongType(node, visit));
    }
  }
}

/** Source: nmstate rust/src/lib/deserializer.rs, option_u64_or_string, option_i64_or_string: Rust accepts a plus, and a minus only if signed */
function wholeNumber({ value, text }: YamlScalar, visit: Visit): number | undefined {
  const isOfNmstate = isQuotable(visit);
  if (Number.isInteger(value)) return isOfNmstate && isFloat(text) ? undefined : Number(value);
  if (typeof value !== 'string' || !isOfNmstate) return undefined;
  const names = visit.path.filter((step) => typeof step === 'string').join('.');
  const isSigned = visit.quotedFields?.signed.includes(names) === true;
  const form = isSigned ? /^[-+]?\d+$/ : /^(?:\+?\d+|0x[0-9a-fA-F]+)$/;
  return form.test(value) ? Number(value) : undefined;
}

/** Such as `1.0` and `1e3`, but not `0x1e`. */
function isFloat(text: string): boolean {
  return /^[^x]*[.eE]/.test(text);
}

/** Source: nmstate rust/src/lib/deserializer.rs, option_bool_or_string */
const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'on', 'y'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off', 'n'].map((word) => [word, false] as const),
]);

function truth({ value, text }: YamlScalar, visit: Visit): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (!isQuotable(visit) || (typeof value === 'number' && isFloat(text))) return undefined;
  return truths.get(String(value).toLowerCase());
}

function isQuotable({ path, quotedFields }: Visit): boolean {
  return quotedFields !== undefined && path[0] === quotedFields.below;
}

function fitMap(entries: readonly YamlEntry[], visit: Visit): unknown {
  const { properties = {}, required = [], additionalProperties } = visit.schema;
  const outer = [...visit.outer, { schema: visit.schema, path: visit.path, entries }];
  const consequences = new Set<string>();
  const fitted = entries.map(({ key, value }) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    const below = { ...visit, path: [...visit.path, key], outer };
    if (schema && schema === additionalProperties && isEmptyOf(schema, value)) return [key, ''] as const;
    if (schema) return [key, fit(value, { ...below, schema })] as const;
    if (consequences.has(key)) return [key, undefined] as const;
    const { followers = [], ...wording } = unknownField(entries, visit, key);
    for (const follower of followers) consequences.add(follower);
    return [key, refused(below, wording, 'key')] as const;
  });
  for (const name of required) {
    const below = { ...visit, path: [...visit.path, name], schema: properties[name] ?? {} };
    const given = entries.find(({ key }) => key === name)?.value;
    if (given && isEmptyText(given)) refused(below, missingField(below, 'empty'));
    else if (!given || isNull(given)) refused(below, missingField(below, 'missing'));
  }
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined));
}

/** Null in a map of texts, such as labels, is the empty text. Source: encoding/json of Go */
function isEmptyOf({ type }: FieldSchema, value: YamlNode): boolean {
  return type === 'string' && isNull(value);
}

function fitItem(item: YamlNode, index: number, visit: Visit): unknown {
  const schema = visit.schema.items ?? {};
  const below = { ...visit, schema, path: [...visit.path, index] };
  const isOpen = isNull(item) || (schema.enum !== undefined && isEmptyText(item));
  const fitted = isOpen ? refused(below, missingField(below, 'empty')) : fit(item, below);
  return fitted ?? emptyValue(schema);
}

function emptyValue({ type }: FieldSchema): unknown {
  if (type === 'string') return '';
  return type === 'array' ? [] : {};
}

function fitText(text: string, visit: Visit): unknown {
  const { schema } = visit;
  if (!schema.enum || schema.enum.includes(text)) return text;
  // An empty string leaves an enumerated field unset, as in openshift-install.
  return text === '' ? undefined : refused(visit, unsupportedValue(text, schema.enum, visit));
}

function fitInteger(value: number, visit: Visit): unknown {
  const { minimum = -Infinity, maximum = Infinity } = visit.schema;
  return minimum <= value && value <= maximum
    ? value
    : refused(visit, outOfRange(value, { minimum, maximum }, visit.path));
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function isEmptyText(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value !== null && node.text.trim() === '';
}

/** Records a violation and returns undefined in place of the value. */
function refused({ path, misfits }: Visit, wording: Wording, target: Target = 'value'): unknown {
  misfits.push({ ...wording, path, target });
  return undefined;
}
