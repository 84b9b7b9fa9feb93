import { isRecord } from '../../core/is-record.js';

type Data = Readonly<Record<string, unknown>>;

/** Definitions of an OpenAPI schema, whose lists may have `x-kubernetes-patch-merge-key`. */
export interface MergeKeys {
  readonly definitions: Data;
}

/**
 * Applies a strategic merge patch as kustomize does: maps are merged, null deletes, lists are replaced unless the schema has a merge key.
 * Source: kubernetes-sigs/kustomize kyaml/yaml/merge2
 */
export function patched(base: Data, patch: Data, { definitions }: MergeKeys): Data {
  const schema = Object.values(definitions).find((each) => isRecord(each) && isSchemaOf(each, base));
  const merged = mergedMap(base, patch, schema);
  const { apiVersion, kind } = base;
  return { ...merged, ...(apiVersion !== undefined && { apiVersion }), ...(kind !== undefined && { kind }) };
}

function isSchemaOf(schema: Data, { apiVersion, kind }: Data): boolean {
  const kinds = schema['x-kubernetes-group-version-kind'];
  return (
    Array.isArray(kinds) &&
    kinds.some((each: unknown) => {
      if (!isRecord(each)) return false;
      const group = typeof each['group'] === 'string' ? each['group'] : '';
      const prefix = group === '' ? '' : `${group}/`;
      return each['kind'] === kind && `${prefix}${String(each['version'])}` === apiVersion;
    })
  );
}

function mergedMap(base: Data, patch: Data, schema: unknown): Data {
  const { $patch: directive, ...fields } = patch;
  const kept: Data = directive === 'replace' ? {} : base;
  const made = new Map(Object.entries(kept));
  for (const [key, value] of Object.entries(fields)) {
    const below = made.get(key);
    if (value === null || (isRecord(value) && value['$patch'] === 'delete')) made.delete(key);
    else made.set(key, mergedValue(below, value, propertyOf(schema, key)));
  }
  return Object.fromEntries(made);
}

function mergedValue(base: unknown, patch: unknown, schema: unknown): unknown {
  if (isRecord(patch)) return mergedMap(isRecord(base) ? base : {}, patch, schema);
  if (!Array.isArray(patch)) return patch;
  const items: readonly unknown[] = patch.filter(
    (item: unknown) => !(isRecord(item) && Object.keys(item).join() === '$patch'),
  );
  const key = isRecord(schema) ? schema['x-kubernetes-patch-merge-key'] : undefined;
  if (typeof key !== 'string' || !Array.isArray(base) || items.length < patch.length)
    return items.map(withoutDirectives);
  return mergedList(base, items, key);
}

/** Items of the patch come first if they are new. Source: kustomize, MergeOptionsListPrepend of patches */
function mergedList(base: readonly unknown[], items: readonly unknown[], key: string): readonly unknown[] {
  const keyOf = (item: unknown): unknown => (isRecord(item) ? item[key] : undefined);
  const kept = base.map((item) => {
    const above = items.find((each) => keyOf(each) !== undefined && keyOf(each) === keyOf(item));
    return isRecord(item) && isRecord(above) ? mergedMap(item, above, undefined) : item;
  });
  const known = new Set(base.map(keyOf));
  return [...items.filter((each) => !known.has(keyOf(each))).map(withoutDirectives), ...kept];
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([key]) => key !== '$patch');
  return Object.fromEntries(fields.map(([key, each]) => [key, withoutDirectives(each)]));
}

function propertyOf(schema: unknown, key: string): unknown {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  return isRecord(properties) ? properties[key] : undefined;
}

/**
 * Applies an entry of `sourceFiles` of a PolicyGenTemplate: fields are overlaid, items of lists of maps by their index, and a text of the
 * source that is empty or starts with `$` is deleted unless the entry sets it.
 * Source: openshift-kni/cnf-features-deploy ztp/policygenerator/policyGen/policyBuilder.go, setValues
 */
export function overlaid(base: Data, entry: Data): Data {
  const metadata = isRecord(base['metadata']) ? base['metadata'] : {};
  const own = isRecord(entry['metadata']) ? entry['metadata'] : {};
  const annotations = { ...recordAt(metadata, 'annotations'), ...recordAt(own, 'annotations') };
  const withMetadata: Data = {
    ...base,
    metadata: { ...metadata, ...own, ...(Object.keys(annotations).length > 0 && { annotations }) },
  };
  return ['spec', 'data'].reduce<Data>((made, field) => {
    const [below, above] = [made[field], entry[field]];
    if (!isRecord(below) && !isRecord(above)) return made;
    return { ...made, [field]: withValues(isRecord(below) ? below : {}, isRecord(above) ? above : {}) };
  }, withMetadata);
}

function withValues(source: Data, values: Data): Data {
  const kept = Object.entries(source).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const above = values[key];
    if (above === undefined || above === null)
      return typeof value === 'string' && (value === '' || value.startsWith('$')) ? [] : [[key, value]];
    if (isRecord(value) && isRecord(above)) return [[key, withValues(value, above)]];
    if (Array.isArray(value) && Array.isArray(above) && isRecord(value[0]))
      return [[key, itemsWithValues(value, above)]];
    return [[key, above]];
  });
  const known = new Set(kept.map(([key]) => key));
  const added = Object.entries(values).filter(([key, value]) => !known.has(key) && value !== null);
  return Object.fromEntries([...kept, ...added]);
}

function itemsWithValues(source: readonly unknown[], values: readonly unknown[]): readonly unknown[] {
  const merged = source.map((item, index) => {
    const above = values[index];
    return isRecord(item) && isRecord(above) ? withValues(item, above) : item;
  });
  return [...merged, ...values.slice(source.length)];
}

function recordAt(data: Data, field: string): Data {
  const value = data[field];
  return isRecord(value) ? value : {};
}
