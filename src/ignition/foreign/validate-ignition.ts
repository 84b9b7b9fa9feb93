import { isRecord } from '../../core/is-record.js';
import { quotedName } from '../../core/quoted.js';
import { closest } from '../../core/suggest.js';
import { brokenRules, type BrokenRule } from '../../formats/json-schema.js';
import { pathText, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import { contentsFaults } from './contents-faults.js';
import { rejectedConfig, type Fault } from './ignition-fault.js';
import { valueAt, withoutNulls } from './config-entries.js';
import { validate } from './spec-check.generated.js';
import type { SpecField } from './spec-field.js';
import { specFields } from './spec-fields.generated.js';

/**
 * Faults of an Ignition config of spec 3.`minor`.0 from any source: any JSON value. Checks the schema and rules beyond it, in the
 * order of the spec. Does not check whether the version itself is supported.
 */
export function validateIgnition(given: unknown, minor: number): readonly Fault[] {
  const config = withoutNulls(given);
  const later = laterFields(config, specFields, { path: [], minor });
  const isLater = ({ path }: Fault): boolean => later.some((each) => startsWith(path, each.path));
  const faults = [
    ...brokenRules(validate, config).map((rule) => faultOf(rule, config, minor)),
    ...contentsFaults(config, minor),
  ];
  // Ignition ignores newer fields, so faults in them do not reject the config.
  return [...faults.filter((fault) => !isLater(fault)), ...later];
}

/** Fields of later specs than that of the config: Ignition ignores them. */
function laterFields(
  value: unknown,
  { since = 0, properties = {}, items }: SpecField,
  { path, minor }: { readonly path: FieldPath; readonly minor: number },
): readonly Fault[] {
  if (since > minor) {
    const message = `${pathText(path)} needs Ignition spec 3.${since}.0, and the config has 3.${minor}.0`;
    const hint = `leave it out, or set ignition.version to 3.${since}.0`;
    return [{ kind: 'unknown', path, target: 'key', message, hint }];
  }
  if (Array.isArray(value) && items)
    return value.flatMap((item, index) => laterFields(item, items, { path: [...path, index], minor }));
  if (!isRecord(value)) return [];
  return Object.entries(properties).flatMap(([name, field]) =>
    Object.hasOwn(value, name) ? laterFields(value[name], field, { path: [...path, name], minor }) : [],
  );
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((step, index) => path[index] === step);
}

function faultOf({ path, keyword, params }: BrokenRule, config: unknown, minor: number): Fault {
  const field = fieldAt(path);
  switch (keyword) {
    case 'required':
      return missing([...path, String(params['missingProperty'])]);
    case 'additionalProperties':
      return unknownField(valueAt(config, path), { path, name: String(params['additionalProperty']), minor });
    case 'uniqueItems': {
      const later = [...path, Math.max(Number(params['i']), Number(params['j']))];
      return rejectedConfig(later, `${pathText(later)} is in its list twice`);
    }
    case 'type':
      return wrongType(path, String(params['type']), valueAt(config, path));
    default:
      return rejectedConfig(path, `${pathText(path)} must be ${field.description ?? 'as the spec says'}`);
  }
}

function fieldAt(path: FieldPath): SpecField {
  return path.reduce<SpecField>(
    (field, step) => (typeof step === 'number' ? field.items : field.properties?.[step]) ?? {},
    specFields,
  );
}

function missing(path: FieldPath): Fault {
  return { ...rejectedConfig(path, `${pathText(path)} is missing`), target: 'key' };
}

interface UnknownField {
  readonly path: FieldPath;
  readonly name: string;
  readonly minor: number;
}

function unknownField(map: unknown, { path, name, minor }: UnknownField): Fault {
  const { properties = {} } = fieldAt(path);
  const known = Object.entries(properties).flatMap(([each, { since = 0 }]) => (since > minor ? [] : [each]));
  const absent = known.filter((each) => !isRecord(map) || !Object.hasOwn(map, each));
  const suggestion = closest(name, absent);
  const place = path.length === 0 ? '' : ` in ${pathText(path)}`;
  const camelCase = name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const isOfButane = butaneFields.has(name) || (name !== camelCase && known.includes(camelCase));
  const hint = isOfButane
    ? 'this is a Butane field: convert the config with the program butane'
    : suggestion !== undefined && `did you mean "${suggestion}"?`;
  return {
    kind: 'unknown',
    path: [...path, name],
    target: 'key',
    message: `unknown field ${quotedName(name)}${place}, which Ignition ignores`,
    ...(hint !== false && { hint }),
  };
}

/** Fields of Butane without an equivalent in Ignition. Source: coreos.github.io/butane, "Configuration specifications" */
const butaneFields: ReadonlySet<string> = new Set([
  ...[
    'boot_device',
    'contents_local',
    'grub',
    'inline',
    'local',
    'ssh_authorized_keys_local',
    'trees',
    'variant',
  ],
  'with_mount_unit',
]);

const typeNames: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function wrongType(path: FieldPath, wanted: string, value: unknown): Fault {
  const place = path.length === 0 ? 'the Ignition config' : pathText(path);
  const message = `${place} must be ${typeNames[wanted] ?? wanted}, not ${typeNames[typeOf(value)] ?? typeOf(value)}`;
  return rejectedConfig(path, message, typeHint(path, wanted, value));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function typeHint(path: FieldPath, wanted: string, value: unknown): string | undefined {
  if (wanted === 'array' && isRecord(value)) return 'start each item with "- "';
  if (typeof value !== 'string')
    return wanted === 'string' && !isRecord(value) ? 'put it in quotes' : undefined;
  const octal = path.at(-1) === 'mode' ? /^(?:0o?)?([0-7]{3,4})$/.exec(value)?.[1] : undefined;
  if (octal !== undefined) return `write ${Number.parseInt(octal, 8)}, which is octal ${octal}`;
  const isUnquotable = wanted === 'boolean' ? /^(?:true|false)$/.test(value) : /^\d+$/.test(value);
  return isUnquotable ? 'leave the quotes out' : undefined;
}
