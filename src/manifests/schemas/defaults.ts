import { isRecord } from '../../core/is-record.js';
import type { Span, YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { ObjectSchema } from '../../release/schemas/object-schema.js';

/** The value with the defaults of its schema at every depth, as the API server completes it before it validates. */
export function withDefaults(node: YamlNode, schema: ObjectSchema): YamlNode {
  const { properties = {}, additionalProperties, items } = schema;
  if (node.kind === 'list')
    return items ? { ...node, items: node.items.map((item) => withDefaults(item, items)) } : node;
  if (node.kind === 'scalar') return node;
  const given = node.entries
    .filter(({ key, value }) => !isReplaced(value, properties[key]))
    .map((entry) => {
      const below = properties[entry.key] ?? additionalProperties;
      return below ? { ...entry, value: withDefaults(entry.value, below) } : entry;
    });
  const keys = new Set(given.map(({ key }) => key));
  const added = Object.entries(properties)
    .filter(([key, field]) => !keys.has(key) && field.default !== undefined)
    .map(([key, field]) => ({ key, keySpan: node.span, value: nodeOf(field.default, node.span) }));
  return { ...node, entries: [...given, ...added] };
}

/** The API server removes null from a field that is not nullable. */
function isReplaced(value: YamlNode, schema: ObjectSchema | undefined): boolean {
  return value.kind === 'scalar' && value.value === null && schema !== undefined && !schema.nullable;
}

function nodeOf(value: unknown, span: Span): YamlNode {
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => nodeOf(item, span)), span };
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([key, each]) => ({
      key,
      keySpan: span,
      value: nodeOf(each, span),
    }));
    return { kind: 'map', entries, span };
  }
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'scalar', value: isPlain ? value : null, text: isPlain ? String(value) : '', span };
}
