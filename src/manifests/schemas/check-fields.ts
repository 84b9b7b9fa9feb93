import { isRecord } from '../../core/is-record.js';
import {
  alternatives,
  missingField,
  unknownField,
  wrongType,
  type Wording,
  type WordingSchema,
} from '../../formats/schema-wording.js';
import {
  pathText,
  type Target,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
} from '../../formats/yaml/yaml-tree.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';
import { withDefaults } from './defaults.js';
import { limitFaults } from './field-limits.js';
import type { FieldFault, SchemaFacts, Visit } from './visit.js';

/** The faults of the fields of an object, except apiVersion and kind. */
export function fieldFaults(root: YamlNode, facts: SchemaFacts): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const { schema } = facts;
  const object = { ...schema, isEmbedded: true };
  check(root, { ...facts, schema: object, root: object, path: [], faults, above: [] });
  return faults;
}

function check(node: YamlNode, visit: Visit): void {
  const { up, id } = visit.schema;
  if (up !== undefined) {
    check(node, { ...visit, schema: visit.above.find((each) => each.id === up) ?? {} });
    return;
  }
  if (isNull(node) && (visit.isGo || visit.schema.nullable)) return;
  if (!isOfType(node, visit)) {
    refuse(visit, typeWording(node, visit));
    return;
  }
  const inside = id === undefined ? visit : { ...visit, above: [visit.schema, ...visit.above] };
  for (const fault of limitFaults(node, inside)) refuse(visit, fault);
  if (node.kind === 'map') checkMap(node, inside);
  if (node.kind === 'list' && visit.schema.items) checkItems(node.items, inside, visit.schema.items);
  checkAlternatives(node, inside);
}

function isOfType(node: YamlNode, { schema: { type, isIntOrString, format }, isGo }: Visit): boolean {
  if (node.kind !== 'scalar') {
    if (isIntOrString || (isGo && format === 'quantity')) return false;
    return type === undefined || type === (node.kind === 'map' ? 'object' : 'array');
  }
  const { value } = node;
  if (isIntOrString) return typeof value === 'string' || Number.isInteger(value);
  if (format === 'quantity' && isGo) return typeof value === 'string' || typeof value === 'number';
  if (type === undefined) return true;
  if (value === null) return false;
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function typeWording(node: YamlNode, visit: Visit): Wording {
  const { schema, path } = visit;
  if (isNull(node)) return missingField({ ...visit, schema: {} }, 'empty');
  const wording = wrongType(node, { ...visit, schema: wanted(schema), path });
  const isPlain = node.kind === 'scalar' && typeof node.value !== 'string';
  return schema.type === 'string' && isPlain ? { ...wording, hint: 'put it in quotes' } : wording;
}

function wanted(schema: ObjectSchema): WordingSchema {
  if (schema.isIntOrString) return { type: 'integer-or-string' };
  return schema.type === undefined && schema.format === 'quantity' ? { type: 'quantity' } : schema;
}

function checkMap(node: YamlMap, visit: Visit): void {
  const { schema, metadata } = visit;
  const properties = schema.properties ?? {};
  for (const { key, value } of node.entries) {
    const below = { ...visit, path: [...visit.path, key] };
    if (schema.isEmbedded && isIdentity(key)) {
      if (key === 'metadata') check(value, { ...below, schema: metadata, isGo: true });
    } else if (visit.path.length === 0 && key === 'status') {
      // The API server ignores the status of a new object, but a Go program must be able to decode it.
      if (visit.isGo) checkField(value, { ...below, isStatus: true }, properties[key]);
    } else if (Object.hasOwn(properties, key)) checkField(value, below, properties[key]);
    else if (schema.additionalProperties) checkField(value, below, schema.additionalProperties);
    else if (!schema.isOpen && !visit.isPartial && isStructure(schema))
      refuse(below, unknownField(node.entries, visit, key), 'key');
  }
  checkRequired(node.entries, visit);
}

function isIdentity(key: string): boolean {
  return key === 'apiVersion' || key === 'kind' || key === 'metadata';
}

/** A schema without a type accepts any value. */
function isStructure({ type, isEmbedded }: ObjectSchema): boolean {
  return type === 'object' || isEmbedded === true;
}

/** The API server removes null from a map unless the field is nullable, as if the field were missing. */
function checkField(value: YamlNode, visit: Visit, schema: ObjectSchema | undefined): void {
  if (schema === undefined || (isNull(value) && !visit.isPartial)) return;
  check(value, { ...visit, schema });
}

function checkRequired(entries: readonly YamlEntry[], visit: Visit): void {
  const { schema, isGo, isStatus } = visit;
  if (isStatus) return;
  for (const name of requiredFields(schema, visit.path.length === 0)) {
    const given = entries.find(({ key }) => key === name)?.value;
    const field = schema.properties?.[name];
    const isGiven = given !== undefined && !(isNull(given) && !field?.nullable);
    const isDefaulted = !isGo && field?.default !== undefined && !visit.isPartial;
    if (isGiven || isDefaulted || isMisspelled(visit, name)) continue;
    const below = { ...visit, schema: {}, path: [...visit.path, name] };
    refuse(below, missingField(below, 'missing'));
  }
}

function requiredFields({ required = [], isEmbedded }: ObjectSchema, isRoot: boolean): readonly string[] {
  const own = required.filter((name) => !isEmbedded || !isIdentity(name));
  return isEmbedded && !isRoot ? ['apiVersion', 'kind', ...own] : own;
}

/** Whether an unknown field was reported that was probably intended as this one. */
function isMisspelled({ faults, path }: Visit, name: string): boolean {
  return faults.some(
    (fault) =>
      fault.kind === 'unknown-field' &&
      fault.path.length === path.length + 1 &&
      fault.hint?.includes(`"${name}"`),
  );
}

function checkItems(items: readonly YamlNode[], visit: Visit, schema: ObjectSchema): void {
  items.forEach((item, index) => {
    const isDefaulted = isRecord(schema.default) && !visit.isGo;
    if (isNull(item) && isDefaulted) return;
    // A Go program reads null as an object without fields, or as an empty text.
    if (isNull(item) && visit.isGo && (schema.required || schema.enum))
      refuse(
        { ...visit, path: [...visit.path, index] },
        missingField({ ...visit, schema: {}, path: [...visit.path, index] }, 'empty'),
      );
    check(item, { ...visit, schema, path: [...visit.path, index] });
  });
}

function checkAlternatives(node: YamlNode, visit: Visit): void {
  const { allOf = [], anyOf, oneOf, not } = visit.schema;
  if (allOf.length === 0 && !anyOf && !oneOf && !not) return;
  // Inside alternatives, the defaults are there already.
  const whole = visit.isPartial ? node : withDefaults(node, visit.schema);
  for (const schema of allOf) check(whole, { ...visit, schema, isPartial: true });
  const fits = (schema: ObjectSchema): boolean => isValid(whole, visit, schema);
  if (anyOf?.some(fits) === false) refuse(visit, otherForm(anyOf, visit, 'one'));
  if (oneOf && oneOf.filter(fits).length !== 1) refuse(visit, otherForm(oneOf, visit, 'exactly one'));
  if (not && fits(not)) refuse(visit, otherForm([], visit, 'one'));
}

/** Names the fields of which one is needed, if the alternatives differ in them. */
function otherForm(forms: readonly ObjectSchema[], { path }: Visit, count: string): Wording {
  const name = pathText(path) || 'the object';
  const fields = [...new Set(forms.flatMap(({ required = [] }) => required))];
  const message =
    fields.length > 0 && forms.every(({ required }) => required !== undefined)
      ? `${name} must have ${count} of ${alternatives(fields)}`
      : `${name} has a combination of values that the API does not allow`;
  return { kind: 'unsupported-value', message };
}

function isValid(node: YamlNode, visit: Visit, schema: ObjectSchema): boolean {
  const faults: FieldFault[] = [];
  check(node, { ...visit, schema, faults, isPartial: true });
  return faults.length === 0;
}

export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function refuse(visit: Visit, { message, hint, kind }: Wording, target: Target = 'value'): void {
  visit.faults.push({
    path: visit.path,
    target,
    message,
    ...(hint !== undefined && { hint }),
    kind,
  });
}
