import { closest } from '../core/suggest.js';
import fleetFields from '#schemas/fleet' with { type: 'json' };
import installConfigFields from '#schemas/install-config' with { type: 'json' };
import payloadFields from '#schemas/payload' with { type: 'json' };
import rolloutFields from '#schemas/rollout' with { type: 'json' };
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import type { FieldSchema } from '../formats/field-schema.js';
import { allRules, type RuleDocument } from './rules/all-rules.js';

type ConfigFileName =
  'install-config.yaml' | 'sno-config.yaml' | 'fleet.yaml' | 'rollout.yaml' | 'payload.yaml';

/** Documentation of a field for `explain PATH`. */
export interface FieldDocument {
  readonly file: ConfigFileName;
  /** Path as in messages, with `[]` for list items: `networking.machineNetwork[].cidr`. Empty for the file itself. */
  readonly path: string;
  /** Such as `text`, `list of text`, `map`. */
  readonly type: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The value is never printed. */
  readonly secret: boolean;
  readonly description: string;
  readonly default?: unknown;
  /** A valid value. */
  readonly example?: unknown;
  /** The allowed values, if the set is fixed. */
  readonly values?: readonly string[];
  readonly rules: readonly RuleDocument[];
  /** The fields below: required ones first, deprecated ones last. */
  readonly fields: readonly FieldSummary[];
}

interface FieldSummary {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string;
}

const schemas: readonly { readonly file: ConfigFileName; readonly schema: FieldSchema }[] = [
  { file: 'install-config.yaml', schema: installConfigFields },
  { file: 'sno-config.yaml', schema: snoConfigFields },
  { file: 'fleet.yaml', schema: fleetFields },
  { file: 'rollout.yaml', schema: rolloutFields },
  { file: 'payload.yaml', schema: payloadFields },
];

/**
 * Finds a field by a path such as `networking.machineNetwork[0].cidr`; indexes are optional. The name of a config
 * selects the file, alone or as prefix: `sno-config.controlPlane`. If both files have the field,
 * install-config.yaml takes precedence.
 */
export function explainField(path: string): FieldDocument | undefined {
  const { files, steps } = parsePath(path);
  for (const { file, schema } of files) {
    const found = walk(schema, steps);
    if (found) return documentOf(file, found);
  }
  return undefined;
}

/** Documents each config with its top-level fields. */
export function explainConfigs(): readonly FieldDocument[] {
  return schemas.map(({ file, schema }) => documentOf(file, { schema, path: '', required: false }));
}

/** Suggests paths for a mistyped one, best first: the nearest field, and fields of the same name elsewhere. */
export function suggestFields(path: string): readonly string[] {
  const { files, steps } = parsePath(path);
  const last = steps.at(-1) ?? '';
  const known = files.flatMap(({ schema }) => fieldPaths(schema));
  const nearest = closest(steps.join('.'), known.map(plain));
  const sameName = known.filter(
    (each) => plain(each).split('.').at(-1)?.toLowerCase() === last.toLowerCase(),
  );
  const first = known.filter((each) => plain(each) === nearest);
  return [...new Set([...first, ...sameName])].slice(0, 3);
}

interface Found {
  readonly schema: FieldSchema;
  readonly path: string;
  readonly required: boolean;
}

function parsePath(path: string): { readonly files: typeof schemas; readonly steps: readonly string[] } {
  // `payload` alone is a field of sno-config.yaml.
  const [prefix = '', config, yaml] =
    /^(?:((?:install|sno)-config|fleet|rollout)(?:\.yaml)?|(payload)\.yaml)(?:\.|$)/.exec(path) ?? [];
  const name = config ?? yaml;
  const files = name === undefined ? schemas : schemas.filter(({ file }) => file === `${name}.yaml`);
  const steps = plain(path.slice(prefix.length)).split('.');
  return { files, steps: steps.filter((step) => step !== '') };
}

function plain(path: string): string {
  return path.replace(/\[\d*\]/g, '');
}

function walk(root: FieldSchema, steps: readonly string[]): Found | undefined {
  let found: Found = { schema: root, path: '', required: false };
  for (const step of steps) {
    const holder: FieldSchema = found.schema.items ?? found.schema;
    const prefix: string = found.schema.items ? `${found.path}[]` : found.path;
    const schema = Object.hasOwn(holder.properties ?? {}, step) ? holder.properties?.[step] : undefined;
    if (!schema) return undefined;
    found = { schema, path: joined(prefix, step), required: holder.required?.includes(step) ?? false };
  }
  return found;
}

function documentOf(file: ConfigFileName, { schema, path, required }: Found): FieldDocument {
  const values = schema.enum ?? schema.items?.enum;
  const rules = allRules.filter(
    (rule) =>
      (rule.file === file || rule.file === 'both') &&
      rule.fields.some((field) => plain(field) === plain(path)),
  );
  return {
    file,
    path,
    type: typeOf(schema),
    required,
    deprecated: schema.deprecated ?? false,
    secret: schema.writeOnly ?? false,
    description: schema.description ?? '',
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.examples !== undefined && { example: schema.examples[0] }),
    ...(values && { values }),
    rules: path === '' ? [] : rules,
    fields: fieldsOf(schema, path),
  };
}

function fieldsOf(schema: FieldSchema, path: string): readonly FieldSummary[] {
  const holder = schema.items ?? schema;
  const prefix = schema.items ? `${path}[]` : path;
  const rank = ({ required, deprecated }: FieldSummary): number => (deprecated ? 2 : required ? 0 : 1);
  return Object.entries(holder.properties ?? {})
    .map(([name, child]) => ({
      name,
      path: joined(prefix, name),
      type: typeOf(child),
      required: holder.required?.includes(name) ?? false,
      deprecated: child.deprecated ?? false,
      description: child.description ?? '',
    }))
    .toSorted((left, right) => rank(left) - rank(right));
}

/** All field paths of a schema, in its order. */
function fieldPaths(schema: FieldSchema, prefix = ''): readonly string[] {
  return fieldsOf(schema, prefix).flatMap(({ name, path }) => {
    const child = (schema.items ?? schema).properties?.[name];
    return [path, ...(child ? fieldPaths(child, path) : [])];
  });
}

function typeOf({ type, items }: FieldSchema): string {
  if (type === 'array') return `list of ${typeOf(items ?? {})}`;
  return type === undefined ? 'anything' : typeNames[type];
}

const typeNames = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'map',
} as const;

function joined(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}.${name}`;
}
