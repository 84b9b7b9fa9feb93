import { isRecord } from '../../core/is-record.js';
import type { FieldSchema } from '../../formats/field-schema.js';
import { writeYamlInOrder } from '../../formats/yaml/write-yaml.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * A config of one document with every field of its schema, in that order, below what the schema says of it. Fields that are given or
 * required are set; the others are comments that become fields when `# ` is taken away before them and before what holds them.
 * Their values are examples, or defaults; where there is neither, marks such as `<hostname>`, which no config is sound with.
 * Deprecated fields are left out.
 */
export function commentedFields(schema: FieldSchema, given: Values): string {
  const blocks = childrenOf(schema, given).map((child) => blockOf(child));
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

interface Field {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  /** Below one that is not set, nothing is commented out a second time. */
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

/** What is said of a field, and the field. */
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

/** A value to begin with. */
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

/** The description, and what else the schema knows and the description does not say. */
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

/** Lines of at most so many characters, of whole words. */
function wrapped(text: string, width: number): readonly string[] {
  return text.split(' ').reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last !== undefined && last.length + 1 + word.length <= width
      ? [...lines.slice(0, -1), `${last} ${word}`]
      : [...lines, word];
  }, []);
}
