import { isRecord } from '../../core/is-record.js';
import type { FieldSchema } from '../../formats/field-schema.js';
import { writeYamlInOrder } from '../../formats/yaml/write-yaml.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * A YAML document with every field of a schema and its description, in the order of the schema. Given and required fields are
 * set. Other fields are commented out; to enable one, remove `# ` from it and its parents. Their values are examples, defaults, or
 * placeholders such as `<hostname>`, which the checks reject. Deprecated fields are left out.
 */
export function commentedFields(schema: FieldSchema, given: Values): string {
  const blocks = childrenOf(schema, given).map((child) => blockOf(child));
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

interface Field {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  /** The children of a commented-out field are not commented out again. */
  readonly state: 'set' | 'not set' | 'below one not set';
}

function childrenOf(
  { properties = {}, required = [] }: FieldSchema,
  given: Values,
  holder: Field['state'] = 'set',
): readonly Field[] {
  return Object.entries(properties)
    .filter(([, schema]) => schema.deprecated !== true)
    .map(([name, schema]) => {
      const value = given[name];
      const state = value !== undefined || required.includes(name) ? 'set' : 'not set';
      return { name, schema, value, state: holder === 'set' ? state : 'below one not set' };
    });
}

function blockOf(field: Field, depth = 0): readonly string[] {
  const prose = wrapped(wordsOf(field.schema), 108 - depth * 2).map((line) => `# ${line}`);
  const lines = linesOf(field, depth);
  return [...prose, ...(field.state === 'not set' ? lines.map((line) => `# ${line}`) : lines)];
}

function linesOf({ name, schema, value, state }: Field, depth: number): readonly string[] {
  const below = (holder: FieldSchema, values: Values, levels: number): readonly string[] =>
    childrenOf(holder, values, state)
      .flatMap((child) => blockOf(child, depth + levels))
      .map((line) => `${'  '.repeat(levels)}${line}`);
  const example = schema.examples?.[0];
  if (schema.properties !== undefined && example === undefined)
    return [`${name}:`, ...below(schema, isRecord(value) ? value : {}, 1)];
  if (schema.items?.properties !== undefined && value === undefined && example === undefined)
    return [`${name}:`, '  -', ...below(schema.items, {}, 2)];
  return writeYamlInOrder({ [name]: value ?? exampleOf(name, schema) })
    .trimEnd()
    .split('\n');
}

function exampleOf(name: string, schema: FieldSchema): unknown {
  const known = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (known !== undefined) return known;
  switch (schema.type) {
    case 'array':
      return [exampleOf(name, schema.items ?? {})];
    case 'object':
      return {};
    case 'boolean':
      return true;
    case 'integer':
      return schema.minimum ?? 0;
    case 'string':
    case undefined:
      return `<${name}>`;
  }
}

/** The description, with default and allowed values unless it already contains them. */
function wordsOf({ description = '', default: standard, enum: values = [], writeOnly }: FieldSchema): string {
  const isNamed = values.every((value) => description.includes(value));
  const saysDefault = standard === undefined || description.includes('Omitted means');
  return [
    description,
    ...(isNamed ? [] : [`One of ${values.join(', ')}.`]),
    ...(saysDefault ? [] : [`Omitted means ${shown(standard)}.`]),
    ...(writeOnly === true ? ['A secret.'] : []),
  ].join(' ');
}

function shown(standard: unknown): string {
  if (typeof standard === 'string') return standard;
  const text = JSON.stringify(standard);
  return text === '[]' || text === '{}' ? 'none' : text;
}

/** Wraps a text at word boundaries. */
function wrapped(text: string, width: number): readonly string[] {
  return text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last !== undefined && last.length + 1 + word.length <= width
      ? [...lines.slice(0, -1), `${last} ${word}`]
      : [...lines, word];
  }, []);
}
