import { quoted } from '../../core/quoted.js';
import { outOfRange, unsupportedValue, type Wording } from '../../formats/schema-wording.js';
import { pathText, toData, type YamlNode, type YamlScalar } from '../../formats/yaml/yaml-tree.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';
import type { Visit } from './visit.js';
import { formatFault } from './field-formats.js';

/** The violated limits of a value of the right type. */
export function limitFaults(node: YamlNode, visit: Visit): readonly Wording[] {
  const faults = node.kind === 'scalar' ? scalarFaults(node, visit) : sizeFaults(node, visit);
  return [...enumFaults(node, visit), ...faults];
}

function enumFaults(node: YamlNode, visit: Visit): readonly Wording[] {
  const values = visit.schema.enum;
  if (values === undefined) return [];
  // An empty text of a Go type is an unset field.
  if (visit.isStatus || (visit.isGo && node.kind === 'scalar' && node.value === '')) return [];
  const given = JSON.stringify(toData(node));
  if (values.some((value) => JSON.stringify(value) === given)) return [];
  const names = values.filter((value) => value !== null && value !== '').map(String);
  return [unsupportedValue(node.kind === 'scalar' ? node.text : '', names, visit)];
}

function scalarFaults({ value, text }: YamlScalar, visit: Visit): readonly Wording[] {
  if (typeof value === 'number') return numberFaults(value, text, visit);
  return typeof value === 'string' ? textFaults(value, visit) : [];
}

/** Limits of the integer formats. Source: go.dev/ref/spec#Numeric_types */
const integerFormats: Readonly<Record<string, readonly [minimum: number, maximum: number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

function numberFaults(value: number, text: string, visit: Visit): readonly Wording[] {
  const { path, schema, isGo } = visit;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if ((exclusiveMinimum && value === minimum) || (exclusiveMaximum && value === maximum)) {
    const bound = value === minimum ? `more than ${minimum}` : `less than ${maximum}`;
    return [wording(`${pathText(path)} must be ${bound}, not ${value}`)];
  }
  if (value < minimum || value > maximum) return [outOfRange(value, { minimum, maximum }, path)];
  const range = integerFormats[schema.isIntOrString && isGo ? 'int32' : (schema.format ?? '')];
  // A maximum beyond the format belongs to an unsigned Go type. Kubernetes before 1.36 checks the maximum alone; the definitions of later
  // releases have another format. Source: kubernetes/kube-openapi pkg/validation/validate schema.go; metallb BGPPeer
  const isUnsigned = !isGo && range !== undefined && schema.maximum !== undefined && maximum > range[1];
  if (range && !isUnsigned && (value < range[0] || value > range[1]))
    return [outOfRange(value, { minimum: range[0], maximum: range[1] }, path)];
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    return [wording(`${pathText(path)} must be a multiple of ${multipleOf}, not ${value}`)];
  return isGo && schema.format === 'quantity' ? formatFaults(text, visit) : [];
}

function textFaults(value: string, visit: Visit): readonly Wording[] {
  const { path, schema } = visit;
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  const length = Array.from(value).length;
  const name = pathText(path);
  if (length < minLength) {
    if (length === 0) return [{ kind: 'missing-field', message: `${name} is empty` }];
    return [wording(`${name} has ${length} characters, expected at least ${minLength}`)];
  }
  if (length > maxLength) return [wording(`${name} has ${length} characters, expected at most ${maxLength}`)];
  if (pattern !== undefined && !matches(value, pattern))
    return [wording(`${name} does not match the pattern that the API has for it`, `expected ${pattern}`)];
  return formatFaults(value, visit);
}

function formatFaults(value: string, { path, schema, isGo }: Visit): readonly Wording[] {
  const expected = schema.format === undefined ? undefined : formatFault(value, schema.format, isGo);
  if (expected === undefined) return [];
  // Base64 may be a key or a password.
  const given = schema.format === 'byte' ? '' : `, not ${quoted(value)}`;
  return [wording(`${pathText(path)} must be ${expected}${given}`)];
}

/** Patterns are written for Go. JavaScript cannot read all of them; those accept any text. */
function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

function sizeFaults(node: Exclude<YamlNode, YamlScalar>, visit: Visit): readonly Wording[] {
  const { schema, path } = visit;
  const isList = node.kind === 'list';
  const size = isList ? node.items.length : node.entries.length;
  const [least = 0, most = Infinity] = isList
    ? [schema.minItems, schema.maxItems]
    : [schema.minProperties, schema.maxProperties];
  const what = isList ? 'items' : 'fields';
  if (size < least) return [wording(`${pathText(path)} has ${size} ${what}, expected at least ${least}`)];
  if (size > most) return [wording(`${pathText(path)} has ${size} ${what}, expected at most ${most}`)];
  return isList && !visit.isGo ? repetitions(node.items, visit) : [];
}

/** Lists of a CustomResourceDefinition that are sets, or maps by the values of some fields. */
function repetitions(items: readonly YamlNode[], { schema, path }: Visit): readonly Wording[] {
  const { isSet, listKeys } = schema;
  if (!isSet && !listKeys) return [];
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = listKeys ? keyOf(item, listKeys, schema.items) : JSON.stringify(toData(item));
    const first = key === undefined ? undefined : seen.get(key);
    if (key !== undefined && first === undefined) seen.set(key, index);
    if (first === undefined) return [];
    const same = listKeys ? `the same ${listKeys.join(' and ')}` : 'the same value';
    const message = `${pathText([...path, first])} and ${pathText([...path, index])} have ${same}`;
    return [wording(message, 'keep one of them')];
  });
}

/** Undefined if a field of the key is missing, which is another fault. */
function keyOf(
  item: YamlNode,
  names: readonly string[],
  schema: ObjectSchema | undefined,
): string | undefined {
  if (item.kind !== 'map') return undefined;
  const values = names.map((name) => {
    const found = item.entries.find(({ key }) => key === name)?.value;
    return found ? toData(found) : schema?.properties?.[name]?.default;
  });
  return values.every((value) => value === undefined) ? undefined : JSON.stringify(values);
}

function wording(message: string, hint?: string): Wording {
  return { kind: 'unsupported-value', message, ...(hint !== undefined && { hint }) };
}
