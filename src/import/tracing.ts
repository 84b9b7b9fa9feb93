import { isName } from '../core/quoted.js';
import { pathBelow, type FieldPath, type YamlNode } from '../formats/yaml/yaml-tree.js';
import type { Origin, Traced, TracedMap } from '../formats/yaml/traced.js';
import type { Variable } from '../config/variables.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

/** Converts a YAML node; the origin of each value is its place in `file`. `path` is below `from`, the path of an enclosing field. */
export function tracedNode(node: YamlNode, file: string, path: FieldPath, from = ''): Traced {
  const origin: Origin = { at: { file, path: pathBelow(from, path), ...node.span } };
  switch (node.kind) {
    case 'scalar':
      return { kind: 'scalar', yaml: yamlOf(node), origin };
    case 'list':
      return {
        kind: 'list',
        items: node.items.map((item, index) => tracedNode(item, file, [...path, index], from)),
        origin,
      };
    case 'map':
      return {
        kind: 'map',
        entries: node.entries.map(({ key, keySpan, value }) => {
          const own = isName(key) ? [...path, key] : path;
          const at = { at: { file, path: pathBelow(from, own), ...keySpan } };
          return { key, origin: at, value: tracedNode(value, file, own, from) };
        }),
        origin,
      };
  }
}

/** Keeps the spelling of a number, so that `0.50` is unchanged where a string is expected. */
function yamlOf({ value, text }: Extract<YamlNode, { readonly kind: 'scalar' }>): string {
  if (typeof value === 'string') return inQuotes(text);
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? text : String(value);
}

export function tracedVariable({ value, at }: Variable): Traced {
  return tracedNode(value, at.file, [], at.path);
}

/** A string that is not in the source. `origin` is the place of the field that requires it. */
export function tracedText(text: string, origin: Origin): Traced {
  return { kind: 'scalar', yaml: inQuotes(text), origin };
}

/** Builds a map in the order of `fields`, without undefined fields. */
export function tracedMap(fields: Readonly<Record<string, Traced | undefined>>, origin: Origin): TracedMap {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value, origin: value.origin }],
  );
  return { kind: 'map', entries, origin };
}

/** Like `tracedMap`, but undefined if the map would be empty. */
export function tracedMapIfAny(
  fields: Readonly<Record<string, Traced | undefined>>,
  origin: Origin,
): TracedMap | undefined {
  const map = tracedMap(fields, origin);
  return map.entries.length === 0 ? undefined : map;
}
