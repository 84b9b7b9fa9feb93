import { problem, type Place, type Problem } from '../../core/problem.js';
import { isRecord } from '../../core/is-record.js';
import { quoted } from '../../core/quoted.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { isVariableName } from '../../config/variables.js';

/** ConfigMaps by namespace and name, such as `ztp-group/site-data`. */
export type ConfigMaps = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Values for hub templates. */
export interface HubContext {
  readonly configMaps: ConfigMaps;
  /** Default namespace of lookups: that of the policy. */
  readonly namespace: string;
  /** Labels that all clusters of the policy have. */
  readonly labels: ReadonlyMap<string, string>;
  readonly at: Place;
}

/** Variables and columns that replace lookups. */
export interface HubValues {
  /** Values that all sites of the policy share. */
  readonly variables: Map<string, unknown>;
  /** Values of single sites, by variable, then site. */
  readonly columns: Map<string, Map<string, unknown>>;
  readonly problems: Problem[];
}

/**
 * Replaces `{{hub … hub}}` lookups in the texts of an object by `${variable}`, and escapes other `${`. Undefined if the object has a template
 * that is not a lookup. Source: stolostron/go-template-utils README
 */
export function withVariables(data: unknown, context: HubContext, values: HubValues): unknown {
  const faults: string[] = [];
  const made = replaced(data, (text) => textWithVariables(text, context, values, faults));
  const [fault] = faults;
  if (fault === undefined) return made;
  const message = `the template ${quoted(fault)} is not a lookup; its object is not imported`;
  const hint = 'write the object by hand, with ${…} for the value';
  values.problems.push(problem('import/left-out', message, { at: context.at, hint }));
  return undefined;
}

function replaced(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => replaced(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, change)]));
}

function textWithVariables(text: string, context: HubContext, values: HubValues, faults: string[]): string {
  const escaped = text.replaceAll('${', () => '$${');
  return escaped.replaceAll(
    /\{\{(hub)?-?\s*([^]*?)\s*-?(?:hub)?\}\}/g,
    (written: string, hub: string | undefined, program: string) => {
      const lookup = hub === undefined ? undefined : lookupIn(program);
      if (lookup === undefined) faults.push(written);
      return lookup === undefined ? written : `\${${variableOf(lookup, context, values)}}`;
    },
  );
}

interface Lookup {
  readonly configMap?: { readonly namespace: string; readonly name: string };
  /** The key around the value of the cluster. */
  readonly before: string;
  readonly after: string;
  /** The label whose value is part of the key; `name` for the name of the cluster; undefined for a constant key. */
  readonly by?: { readonly kind: 'name' } | { readonly kind: 'label'; readonly label: string };
  readonly filter: string;
}

const clusterValue =
  '(\\.ManagedClusterName|\\(?index\\s+\\.ManagedClusterLabels\\s+"[^"]+"\\)?|\\.ManagedClusterLabels\\.[\\w-]+)';
const lookupForm = new RegExp(
  `^fromConfigMap\\s+"([^"]*)"\\s+"([^"]+)"\\s+(?:"([^"]+)"|\\(\\s*printf\\s+"([^"%]*)%s([^"%]*)"\\s+${clusterValue}\\s*\\))(?:\\s*\\|\\s*(toInt|toLiteral|toBool))?$`,
);
const valueForm = new RegExp(`^${clusterValue}(?:\\s*\\|\\s*(toInt|toLiteral|toBool))?$`);

function lookupIn(program: string): Lookup | undefined {
  const plain = valueForm.exec(program);
  if (plain !== null) return { before: '', after: '', by: byOf(plain[1] ?? ''), filter: plain[2] ?? '' };
  const found = lookupForm.exec(program);
  if (found === null) return undefined;
  const [, namespace = '', name = '', key, before = '', after = '', value, filter = ''] = found;
  const configMap = { namespace, name };
  return key === undefined && value !== undefined
    ? { configMap, before, after, by: byOf(value), filter }
    : { configMap, before: key ?? '', after: '', filter };
}

function byOf(text: string): NonNullable<Lookup['by']> {
  if (text === '.ManagedClusterName') return { kind: 'name' };
  return { kind: 'label', label: /"([^"]+)"/.exec(text)?.[1] ?? text.replace('.ManagedClusterLabels.', '') };
}

/** The name of the variable that replaces a lookup; notes its values. */
function variableOf(lookup: Lookup, context: HubContext, values: HubValues): string {
  const { configMap, before, after, by, filter } = lookup;
  if (configMap === undefined) return by?.kind === 'label' ? nameOf(by.label) : 'name';
  const variable = nameOf(`${before}${after}`);
  const fault = (message: string): string => {
    const hint = `set \${${variable}} in variables.yaml of the class, or add a column`;
    values.problems.push(problem('import/missing', message, { at: context.at, hint }));
    return variable;
  };
  const namespace = configMap.namespace === '' ? context.namespace : configMap.namespace;
  const map = context.configMaps.get(`${namespace}/${configMap.name}`);
  if (map === undefined)
    return fault(`the ConfigMap ${quoted(`${namespace}/${configMap.name}`)} is not in the folder`);
  if (by?.kind === 'name') {
    const ofSites = sitesIn(map, before, after);
    if (ofSites.length === 0)
      return fault(
        `no key of the ConfigMap ${quoted(configMap.name)} has the form ${quoted(`${before}SITE${after}`)}`,
      );
    const column = values.columns.get(variable) ?? new Map<string, unknown>();
    for (const [site, text] of ofSites) column.set(site, converted(text, filter));
    values.columns.set(variable, column);
    return variable;
  }
  const label = by === undefined ? '' : context.labels.get(by.label);
  if (label === undefined || (by !== undefined && label === ''))
    return fault(`the clusters of the policy differ in the label of the key ${quoted(`${before}…${after}`)}`);
  const text = map.get(`${before}${label}${after}`);
  if (text === undefined)
    return fault(`the ConfigMap ${quoted(configMap.name)} has no key ${quoted(`${before}${label}${after}`)}`);
  values.variables.set(variable, converted(text, filter));
  return variable;
}

function sitesIn(
  map: ReadonlyMap<string, string>,
  before: string,
  after: string,
): readonly (readonly [string, string])[] {
  return [...map].flatMap(([key, text]) => {
    const isMatch =
      key.startsWith(before) && key.endsWith(after) && key.length > before.length + after.length;
    return isMatch ? [[key.slice(before.length, key.length - after.length), text] as const] : [];
  });
}

function converted(text: string, filter: string): unknown {
  if (filter === '') return text;
  const [root] = readYaml(text).documents;
  return root === undefined ? text : toData(root);
}

function nameOf(key: string): string {
  const name = key.replaceAll(/[^\w-]+/g, '-').replaceAll(/^[-\d]+|-+$/g, '');
  return isVariableName(name) && name !== 'name' ? name : `value-${name}`;
}
