import { quoted, quotedName, quotedUnknownField } from '../core/quoted.js';
import { closest } from '../core/suggest.js';
import type { SchemaViolation } from './field-schema.js';
import {
  misplacedField,
  missingParent,
  type MisplacedField,
  type OuterMap,
  type UnknownField,
} from './misplaced-field.js';
import { pathText, type FieldPath, type YamlEntry, type YamlNode } from './yaml/yaml-tree.js';

/** Message and hint of a violation. */
export type Wording = Pick<SchemaViolation, 'kind' | 'message' | 'hint' | 'suggested'>;

/** The properties of a schema that messages depend on. */
export interface WordingSchema {
  readonly type?: keyof typeof typeNames;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, WordingSchema>>;
  readonly required?: readonly string[];
  readonly items?: WordingSchema;
  readonly writeOnly?: boolean;
}

/** A field under validation: its schema, its path, and the schema of the whole document. */
export interface FieldContext {
  readonly schema: WordingSchema;
  readonly path: FieldPath;
  readonly root: WordingSchema;
  /** Hints for fields and values that the schema does not have; see `TypedSchema`. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** The maps around the field, the document first. */
  readonly outer?: readonly OuterMap[];
}

/** An unknown field, and the fields after it that have the same fault. */
export type UnknownFieldWording = Wording & { readonly followers?: readonly string[] };

/** The map at `spot` has no field `key`. */
export function unknownField(
  siblings: readonly YamlEntry[],
  spot: FieldContext,
  key: string,
): UnknownFieldWording {
  const place = spot.path.length === 0 ? '' : ` in ${pathText(spot.path)}`;
  const belongs = hintElsewhere({ ...spot, path: [...spot.path, key] });
  if (belongs !== undefined)
    return {
      kind: 'unknown-field',
      message: `unknown field ${quotedUnknownField(key)}${place}`,
      hint: belongs,
    };
  const given = new Set(siblings.map((sibling) => sibling.key));
  const names = Object.keys(spot.schema.properties ?? {});
  const same = names.find((name) => name.toLowerCase() === key.toLowerCase());
  if (same !== undefined && given.has(same)) {
    const message = `${quotedUnknownField(key)} is ${quotedName(same)} with other upper and lower case`;
    return { kind: 'duplicate-field', message, hint: 'keep one of the two' };
  }
  const message = `unknown field ${quotedUnknownField(key)}${place}`;
  const { outer = [] } = spot;
  const map = { schema: spot.schema, path: spot.path, entries: siblings };
  const unknown = { key, map, outer };
  const misplaced = misplacedField(unknown);
  if (misplaced) return misplacedWording(message, misplaced);
  const alone = wordAlone(unknown, names);
  if (alone) return { kind: 'unknown-field', message, ...alone };
  const suggestion = closest(
    key,
    names.filter((name) => !given.has(name)),
  );
  const parent = suggestion === undefined ? missingParent(unknown) : undefined;
  if (parent) return misplacedWording(message, parent);
  return {
    kind: 'unknown-field',
    message,
    ...(suggestion === undefined
      ? otherFields(key, given, spot)
      : {
          hint:
            suggestion === same
              ? `write "${suggestion}": upper and lower case matter`
              : `did you mean "${suggestion}"?`,
          suggested: [...spot.path, suggestion],
        }),
  };
}

function misplacedWording(message: string, { path, hint, followers }: MisplacedField): UnknownFieldWording {
  return { kind: 'unknown-field', message, hint, suggested: path, followers };
}

/** For a field after another word, or after a space that is none in YAML, as pages and word processors write it. */
function wordAlone(
  unknown: UnknownField,
  names: readonly string[],
): Pick<Wording, 'hint' | 'suggested'> | undefined {
  const { key, map } = unknown;
  const word = key.split(/\s+/).at(-1) ?? '';
  const isGiven = map.entries.some((entry) => entry.key === word);
  if (word === key || word === '' || isGiven) return undefined;
  const entries = map.entries.map((entry) => (entry.key === key ? { ...entry, key: word } : entry));
  const path = names.includes(word)
    ? [...map.path, word]
    : misplacedField({ ...unknown, key: word, map: { ...map, entries } })?.path;
  if (path === undefined) return undefined;
  const hint = /[^\S ]/.test(key)
    ? `replace the no-break spaces before "${word}" by normal ones`
    : `write "${word}" alone, or start a comment with "#"`;
  return { hint, suggested: path };
}

/** A required field is missing; the hint comes from the schema's description. */
export function missingField({ path, schema }: FieldContext, how: 'missing' | 'empty'): Wording {
  // The first sentence of a description describes the value.
  const hint = schema.description?.split('. ', 1)[0]?.replace(/\.$/, '');
  return {
    kind: 'missing-field',
    message: `${pathText(path)} is ${how}`,
    ...(hint !== undefined && { hint }),
  };
}

/** The text is not one of the allowed values. The value of a secret is not quoted. */
export function unsupportedValue(text: string, values: readonly string[], spot: FieldContext): Wording {
  const { path, schema } = spot;
  const instead = hintElsewhere(spot, `=${text}`);
  // A version similar to another one is not a spelling mistake.
  const near = /^v?\d+\.\d+/.test(text) ? undefined : closest(text, values);
  const suggestion = values.find((value) => value === synonyms[text]) ?? near;
  return {
    kind: 'unsupported-value',
    message: `${pathText(path)} must be ${alternatives(values)}${schema.writeOnly ? '' : `, not ${quoted(text)}`}`,
    ...(suggestion !== undefined && { hint: `did you mean "${suggestion}"?` }),
    ...(instead !== undefined && { hint: instead }),
  };
}

function hintElsewhere({ path, elsewhere = {} }: FieldContext, suffix = ''): string | undefined {
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`));
  const place = `${steps.join('').replace(/^\./, '')}${suffix}`;
  return Object.hasOwn(elsewhere, place) ? elsewhere[place] : undefined;
}

/** Architecture names of kernels and compilers, with their names in Go (go.dev/doc/install/source#environment). */
const synonyms: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64', ppc64: 'ppc64le' };

export function outOfRange(
  value: number,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  path: FieldPath,
): Wording {
  const bound = value < minimum ? `at least ${minimum}` : `at most ${maximum}`;
  return { kind: 'unsupported-value', message: `${pathText(path)} must be ${bound}, not ${value}` };
}

export function wrongType(node: YamlNode, { schema, path }: FieldContext): Wording {
  const wanted = typeNames[schema.type ?? 'object'];
  const hint = typeHint(node, schema);
  return {
    kind: 'wrong-type',
    message: `${pathText(path) || 'the document'} must be ${wanted}, not ${typeOf(node)}`,
    ...(hint !== undefined && { hint }),
  };
}

/** `a, b or c` */
export function alternatives(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
}

/** Paths of other fields with this name, or the absent fields of a small map. */
function otherFields(
  name: string,
  given: ReadonlySet<string>,
  { schema, root }: FieldContext,
): { readonly hint?: string } {
  const paths = pathsOf(name, root);
  if (paths.length > 0) return { hint: `it belongs to ${alternatives(paths.slice(0, 3))}` };
  const names = Object.keys(schema.properties ?? {});
  const absent = names.filter((each) => !given.has(each));
  return absent.length > 0 && names.length <= 8 ? { hint: `expected ${alternatives(absent)}` } : {};
}

/** Every path in a schema that ends in this field name. */
function pathsOf(name: string, schema: WordingSchema, prefix = ''): readonly string[] {
  if (schema.items) return pathsOf(name, schema.items, `${prefix}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    return [...(key === name ? [path] : []), ...pathsOf(name, child, path)];
  });
}

const typeNames = {
  object: 'a map of fields',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'integer-or-string': 'a whole number or a string',
  quantity: 'a quantity such as "100Mi"',
};

function typeOf(node: YamlNode): string {
  if (node.kind !== 'scalar') return node.kind === 'map' ? typeNames.object : typeNames.array;
  if (typeof node.value === 'number') return Number.isInteger(node.value) ? typeNames.integer : 'a fraction';
  return typeof node.value === 'boolean' ? typeNames.boolean : typeNames.string;
}

/** Hint for a quoted number or boolean. */
export const unquoteHint = 'leave the quotes out';

/** Hint for another value in place of a list. */
export const listHint = 'start each item with "- "';

function typeHint(node: YamlNode, schema: WordingSchema): string | undefined {
  const { type, items, writeOnly } = schema;
  const isText = node.kind === 'scalar' && typeof node.value === 'string';
  if (type === 'string' && writeOnly && node.kind === 'map') return 'put the JSON in single quotes';
  if (type === 'string' && !writeOnly) return textHint(node);
  if (type === 'object' && node.kind === 'scalar') return entryHint(node.text, schema);
  if (type === 'integer' && isText && /^\d+$/.test(node.text)) return unquoteHint;
  if (type === 'boolean' && isText && /^(true|false)$/i.test(node.text)) return unquoteHint;
  if (type === 'array' && (node.kind === 'map' || items?.type === 'string')) return listHint;
  return undefined;
}

/** Hint for a list of strings, or a map with one field, in place of a string. */
function textHint(node: YamlNode): string | undefined {
  if (node.kind === 'list')
    return 'write one string; for several lines start with "|" and put each on its own line';
  const [entry, ...others] = node.kind === 'map' ? node.entries : [];
  if (entry === undefined || others.length > 0 || entry.value.kind !== 'scalar') return undefined;
  return `write the value alone, without ${quotedName(entry.key)}`;
}

/** Hint for a string in place of a map: an entry without a blank, or the value of the only required field. */
function entryHint(
  text: string,
  { properties = {}, required: [field, ...others] = [] }: WordingSchema,
): string | undefined {
  const [, key = ''] = /^([\w-]+):\S/.exec(text) ?? [];
  if (Object.hasOwn(properties, key)) return `write "${key}: " with a space after the colon`;
  return field === undefined || others.length > 0 ? undefined : `write ${quoted(`${field}: ${text}`)}`;
}
