import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData, type YamlNode } from '../../src/formats/yaml/yaml-tree.js';
import { writeTraced } from '../../src/formats/yaml/traced.js';
import { tracedNode } from '../../src/import/tracing.js';

function rootOf(text: string): YamlNode {
  const { documents, faults } = readYaml(text);
  const [root] = documents;
  if (root === undefined || faults.length > 0) throw new Error(`${JSON.stringify(faults)}\n${text}`);
  return root;
}

const words = fc.constantFrom(
  'yes',
  '4.20',
  'a b',
  '52:54:00:12:34:56',
  'a\n  b\n',
  '{"a": 1}\n',
  '- a',
  '#',
  'a: b',
  ' a',
  '|',
  '10.0.0.0/8',
  '::1',
  '',
);
const { tree } = fc.letrec<{ tree: unknown; map: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    words,
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(tie('tree'), { maxLength: 3 }),
    tie('map'),
  ),
  map: fc.dictionary(fc.oneof(words, fc.stringMatching(/^[a-z]{1,8}$/)), tie('tree'), { maxKeys: 3 }),
}));

test('parses to the same data, and maps each line to its source', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const root = rootOf(JSON.stringify(value));
      const { text, origins } = writeTraced([tracedNode(root, 'a.json', [])], 'readable');
      expect(toData(rootOf(text))).toEqual(toData(root));
      expect(origins).toHaveLength(text.split('\n').length - 1);
    }),
    { numRuns: 300 },
  );
});

test('writes words, blocks and addresses in their usual form', () => {
  const text = `a: {b: [x, "52:54:00:12:34:56", 10.0.0.1], c: "one\\ntwo\\n", d: 'yes', e: yes, f: 4.20, g: 12:30}`;
  const { text: made } = writeTraced([tracedNode(rootOf(text), 'a.yaml', [])], 'readable');
  expect(made).toBe(`a:
  b:
    - x
    - "52:54:00:12:34:56"
    - 10.0.0.1
  c: |
    one
    two
  d: "yes"
  e: true
  f: 4.20
  g: "12:30"
`);
});
