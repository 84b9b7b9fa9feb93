import type { Span, YamlNode, YamlScalar } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';

/** Parses JSON in a string; each value has its place in the surrounding file. Undefined if the string is not a single document. */
export function parseEmbeddedJson(text: YamlScalar): YamlNode | undefined {
  const { documents, faults } = readYaml(text.text);
  const [root] = documents;
  if (faults.length > 0 || documents.length !== 1 || root === undefined) return undefined;
  return respanned(root, ({ line, col, length }) => {
    const outer = text.lines?.[line - 1];
    return outer === undefined ? text.span : { line: outer.line, col: outer.col + col - 1, length };
  });
}

function respanned(node: YamlNode, place: (span: Span) => Span): YamlNode {
  const span = place(node.span);
  switch (node.kind) {
    case 'scalar':
      return { kind: 'scalar', value: node.value, text: node.text, span };
    case 'list':
      return { ...node, span, items: node.items.map((item) => respanned(item, place)) };
    case 'map':
      return {
        ...node,
        span,
        entries: node.entries.map(({ key, keySpan, value }) => ({
          key,
          keySpan: place(keySpan),
          value: respanned(value, place),
        })),
      };
  }
}
