import { quotedName } from '../core/quoted.js';
import { pathText, type FieldPath, type YamlEntry, type YamlNode } from './yaml/yaml-tree.js';

/** The properties of a schema that place its fields. */
interface PlacedSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PlacedSchema>>;
  readonly required?: readonly string[];
  readonly items?: PlacedSchema;
}

/** A map that contains the map under validation. */
export interface OuterMap {
  readonly schema: PlacedSchema;
  readonly path: FieldPath;
  readonly entries: readonly YamlEntry[];
}

/** An unknown field in a map. */
export interface UnknownField {
  readonly key: string;
  readonly map: OuterMap;
  /** The maps around it, the document first. */
  readonly outer: readonly OuterMap[];
}

/** The intended position of a field with a wrong indentation. */
export interface MisplacedField {
  readonly hint: string;
  readonly path: FieldPath;
  /** The unknown fields right after it that have the same fault. */
  readonly followers: readonly string[];
}

/** Finds where a field belongs that the schema has nearby: below the field before it, or in a map around it. */
export function misplacedField(unknown: UnknownField): MisplacedField | undefined {
  return belowEarlier(unknown) ?? inOuterMap(unknown);
}

/** Handles a field that is indented too little: it belongs to the end of the field before it. */
function belowEarlier({ key, map }: UnknownField): MisplacedField | undefined {
  const at = map.entries.findIndex((entry) => entry.key === key);
  const earlier = map.entries.slice(0, at).findLast((entry) => hasField(map.schema, entry.key));
  if (earlier === undefined) return undefined;
  const schema = map.schema.properties?.[earlier.key];
  const column = earlier.keySpan.col + 2;
  const end = endWithout(key, { node: earlier.value, schema, path: [...map.path, earlier.key], column });
  if (end === undefined) return undefined;
  const followers = followersOf({ key, map }, (each) => hasField(end.schema, each));
  return {
    path: followers.length === 0 ? [...end.path, key] : end.path,
    hint: startIn(end.column, followers, `to ${pathText(end.path)}`),
    followers,
  };
}

interface End {
  readonly node: YamlNode;
  readonly schema: PlacedSchema | undefined;
  readonly path: FieldPath;
  /** Of its fields. */
  readonly column: number;
}

/** The first map along the last fields and items of a value that may have a field, and does not. */
function endWithout(key: string, { node, schema, path, column }: End): End | undefined {
  if (schema === undefined) return undefined;
  const isEmpty = node.kind === 'scalar' && node.value === null;
  if (schema.items !== undefined) {
    const last = node.kind === 'list' ? node.items.at(-1) : undefined;
    if (node.kind !== 'list' || last === undefined) return undefined;
    return endWithout(key, {
      node: last,
      schema: schema.items,
      path: [...path, node.items.length - 1],
      column: last.span.col,
    });
  }
  if (node.kind !== 'map' && !isEmpty) return undefined;
  const entries = node.kind === 'map' ? node.entries : [];
  const own = entries[0]?.keySpan.col ?? column;
  // Between braces, fields have no indentation.
  if (entries.length > 0 && node.span.col !== own) return undefined;
  if (hasField(schema, key) && !entries.some((entry) => entry.key === key))
    return { node, schema, path, column: own };
  const last = entries.at(-1);
  return (
    last &&
    endWithout(key, {
      node: last.value,
      schema: schema.properties?.[last.key],
      path: [...path, last.key],
      column: last.keySpan.col + 2,
    })
  );
}

/** Handles a field that is indented too far: it belongs to a map around it, and the fields after it too, or to itself. */
function inOuterMap({ key, map, outer }: UnknownField): MisplacedField | undefined {
  const found = outer.findLast(
    ({ schema, entries }) =>
      hasField(schema, key) && !entries.some((entry) => entry.key === key && !isNull(entry.value)),
  );
  if (found === undefined) return undefined;
  const own = found.schema.properties?.[key] ?? {};
  const siblings = followersOf({ key, map }, (each) => hasField(found.schema, each));
  const children = followersOf({ key, map }, (each) => hasField(own, each));
  const place = found.path.length === 0 ? 'to the top level' : `to ${pathText(found.path)}`;
  const isParent = children.length > 0;
  return {
    path: [...found.path, key],
    hint: startIn(found.entries[0]?.keySpan.col ?? 1, isParent ? [] : siblings, place),
    followers: isParent ? children : siblings,
  };
}

/** Handles fields below a line that is missing: returns the only field of the nearest map that has them, and is not given. */
export function missingParent({ key, map, outer }: UnknownField): MisplacedField | undefined {
  for (const each of [map, ...outer.toReversed()]) {
    const [parent, ...others] = Object.entries(each.schema.properties ?? {}).filter(
      ([name, schema]) =>
        hasField(schema, key) && !each.entries.some((entry) => entry.key === name && !isNull(entry.value)),
    );
    if (parent === undefined) continue;
    const [name, schema] = parent;
    if (others.length > 0 || (each === map && outer.length === 0)) return undefined;
    const path = [...each.path, name];
    return {
      path,
      hint: `it belongs to ${pathText(path)}: add the line "${name}:" above it`,
      followers: followersOf({ key, map }, (other) => hasField(schema, other)),
    };
  }
  return undefined;
}

/** The unknown fields right after a field that fit. */
function followersOf(
  { key, map }: Pick<UnknownField, 'key' | 'map'>,
  fits: (key: string) => boolean,
): readonly string[] {
  const after = map.entries.slice(map.entries.findIndex((entry) => entry.key === key) + 1);
  const end = after.findIndex((entry) => hasField(map.schema, entry.key) || !fits(entry.key));
  return after.slice(0, end === -1 ? after.length : end).map((entry) => entry.key);
}

function startIn(column: number, followers: readonly string[], place: string): string {
  const belongs = followers.length === 0 ? 'it belongs' : 'they belong';
  const names = followers.map(quotedName);
  return `start it in column ${column}${names.length === 0 ? '' : `, with ${names.join(', ')}`}: ${belongs} ${place}`;
}

function hasField({ properties = {} }: PlacedSchema = {}, key: string): boolean {
  return Object.hasOwn(properties, key);
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** Whether one path is the other one, or a part of it. */
export function isRelated(one: FieldPath, other: FieldPath): boolean {
  return one.slice(0, other.length).every((step, depth) => other[depth] === step);
}
