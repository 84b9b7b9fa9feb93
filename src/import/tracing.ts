import { isName } from '../core/quoted.js';
import { pathBelow, type FieldPath, type YamlNode } from '../formats/yaml/yaml-tree.js';
import type { Origin, Traced, TracedMap } from '../formats/yaml/traced.js';
import type { Variable } from '../config/variables.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

/** A value of a source file, each part of it from where it stands there: at a path, below what is called so already. */
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

/** A number as it was written, so that `0.50` stays what it is where a text is wanted. */
function yamlOf({ value, text }: Extract<YamlNode, { readonly kind: 'scalar' }>): string {
  if (typeof value === 'string') return inQuotes(text);
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? text : String(value);
}

/** What a variable holds. */
export function tracedVariable({ value, at }: Variable): Traced {
  return tracedNode(value, at.file, [], at.path);
}

/** A text that stands in no source, for the place that called for it. */
export function tracedText(text: string, origin: Origin): Traced {
  return { kind: 'scalar', yaml: inQuotes(text), origin };
}

/** A map with the fields that there are, in this order. */
export function tracedMap(fields: Readonly<Record<string, Traced | undefined>>, origin: Origin): TracedMap {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value, origin: value.origin }],
  );
  return { kind: 'map', entries, origin };
}

/** The same, undefined where no field is there. */
export function tracedMapIfAny(
  fields: Readonly<Record<string, Traced | undefined>>,
  origin: Origin,
): TracedMap | undefined {
  const map = tracedMap(fields, origin);
  return map.entries.length === 0 ? undefined : map;
}
