import { describe, expect, it, test } from 'vitest';

import { expandDocument, type ExpandFault } from '../../src/fleet/table/expand-document.js';
import { tracedAt, writeTraced } from '../../src/formats/yaml/traced.js';
import type { Variable } from '../../src/config/variables.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData, type YamlNode } from '../../src/formats/yaml/yaml-tree.js';

function nodeOf(text: string): YamlNode {
  const [document] = readYaml(text).documents;
  if (document === undefined) throw new Error(`no YAML: ${text}`);
  return document;
}

const cell = { file: 'sites.csv', line: 2, col: 1 };
const values = {
  name: 'north-1',
  vlan: '100',
  text: '"100"',
  version: '4.20',
  on: 'true',
  dns: '[1.1.1.1, 9.9.9.9]',
  net: '{mtu: 9000}',
};
const known = new Map<string, Variable>(
  Object.entries(values).map(([name, text]) => [name, { value: nodeOf(text), at: cell }]),
);

function expandedText(text: string): {
  readonly data: unknown;
  readonly written: string;
  readonly faults: readonly ExpandFault[];
} {
  const variables = { known, empty: new Map([['gap', { file: 'sites.csv', line: 2, col: 9 }]]) };
  const { root, faults } = expandDocument(nodeOf(text), { file: 'base/a.yaml', text }, variables);
  const written = writeTraced([root]).text;
  return { data: toData(nodeOf(written)), written, faults };
}

describe('a placeholder', () => {
  test.each([
    { name: 'that is a whole value takes a number', text: 'id: ${vlan}', want: { id: 100 } },
    { name: 'in quotes takes its text', text: 'id: "${vlan}"', want: { id: '100' } },
    { name: 'takes a text that looks like a number', text: 'id: ${text}', want: { id: '100' } },
    { name: 'takes true', text: 'is: ${on}', want: { is: true } },
    { name: 'takes a list', text: 'dns: ${dns}', want: { dns: ['1.1.1.1', '9.9.9.9'] } },
    { name: 'takes a map', text: '- ${net}', want: [{ mtu: 9000 }] },
    {
      name: 'stands within a text, twice',
      text: 'a: ${name}.v${vlan}.example.com',
      want: { a: 'north-1.v100.example.com' },
    },
    { name: 'stands in a text of lines', text: 'a: |\n  ${name}\n  b\n', want: { a: 'north-1\nb\n' } },
    {
      name: 'says what stands for it otherwise',
      text: 'mtu: ${mtu:-1500}\na: x${b:-}y',
      want: { mtu: 1500, a: 'xy' },
    },
    {
      name: 'that is meant to stay is written with two dollars',
      text: 'a: $${HOME} $${name}',
      want: { a: '${HOME} ${name}' },
    },
    { name: 'is none without braces', text: 'a: $name $5', want: { a: '$name $5' } },
  ])('$name', ({ text, want }) => {
    expect(expandedText(text)).toMatchObject({ data: want, faults: [] });
  });

  it('keeps a number as it was written, for where a text is wanted', () => {
    expect(expandedText('v: ${version}\nw: 4.30\n').written).toBe('"v": 4.20\n"w": 4.30\n');
  });

  test.each([
    {
      name: 'of no variable',
      text: 'a: ${nam}',
      want: [{ kind: 'unknown', name: 'nam', at: { line: 1, col: 4, path: 'a' } }],
    },
    {
      name: 'of an empty cell',
      text: 'a:\n  - ${gap}',
      want: [{ kind: 'empty', name: 'gap', at: { line: 2, path: 'a[0]' }, cell: { col: 9 } }],
    },
    { name: 'of a list within a text', text: 'a: x${dns}', want: [{ kind: 'misplaced', name: 'dns' }] },
    { name: 'that is not closed', text: 'a: ${name', want: [{ kind: 'malformed' }] },
    { name: 'of no name', text: 'a: ${1x}${}', want: [{ kind: 'malformed' }, { kind: 'malformed' }] },
    { name: 'in a key', text: '"${name}": 1', want: [{ kind: 'malformed' }] },
  ])('reports $name at its line', ({ text, want }) => {
    expect(expandedText(text).faults).toMatchObject(want);
  });
});

describe('written files', () => {
  it('contain the same data for any values', () => {
    const text = [
      'a: yes',
      'b: 0644',
      'c: "yes"',
      "d: 'it''s: #1'",
      'e: >-',
      '  folded',
      '  text',
      'f: []',
      'g: {}',
      'h: ~',
      'i: [[1, [2]], {x: [{}]}]',
      '"#": "\\u2028\\u0000"',
      '"null": 1.0',
      'true: 1',
    ].join('\n');
    expect(expandedText(text).data).toEqual(toData(nodeOf(text)));
  });

  it('map each line to the source of its value', () => {
    const text = 'a:\n  b: ${vlan}\nc: [x, "${name}"]\n';
    const { root } = expandDocument(nodeOf(text), { file: 'base/a.yaml', text }, { known, empty: new Map() });
    const { text: written, origins } = writeTraced([root]);
    const lines = written
      .trimEnd()
      .split('\n')
      .map((line, index) => {
        const { at, cell: from } = origins[index] ?? { at: { file: '' } };
        return `${line} <- ${at.line ?? 0}:${at.col ?? 0}${from === undefined ? '' : ` ${from.file}:${from.line ?? 0}`}`;
      });
    expect(lines).toEqual([
      '"a": <- 1:1',
      '  "b": 100 <- 2:6 sites.csv:2',
      '"c": <- 3:1',
      '  - "x" <- 3:5',
      '  - "north-1" <- 3:8 sites.csv:2',
    ]);
  });
});

describe('a template of several sites', () => {
  const text =
    'name: ${name}\nshared: &shared {list: [1, two], "${key}": 1}\nagain: *shared\nsame: [a, {b: "c"}]\nmix: [a, "x-${gap}"]\n';
  const document = nodeOf(text);
  const template = { file: 'base/a.yaml', text };
  const site = (name: string): ReturnType<typeof expandDocument> =>
    expandDocument(document, template, {
      known: new Map([['name', { value: nodeOf(name), at: cell }]]),
      empty: new Map(),
    });

  it('is filled for each as it is for one alone, with all its faults', () => {
    const [first, second, third] = [site('north-1'), site('north-2'), site('north-1')];
    const alone = expandDocument(nodeOf(text), { ...template }, { known, empty: new Map() });
    expect(first).toEqual(alone);
    expect(third).toEqual(first);
    expect(first.faults.map(({ kind }) => kind)).toEqual(['malformed', 'malformed', 'unknown']);
    expect(second.faults).toEqual(first.faults);
    expect(writeTraced([second.root]).text).toBe(
      writeTraced([first.root]).text.replace('north-1', 'north-2'),
    );
  });

  it('shares parts without placeholders, and expands each alias separately', () => {
    const { root } = site('north-1');
    const at = (path: readonly (string | number)[]): unknown => tracedAt(root, path)?.origin.at.path;
    expect(tracedAt(site('north-2').root, ['same'])).toBe(tracedAt(root, ['same']));
    expect([at(['shared', 'list', 1]), at(['again', 'list', 1])]).toEqual([
      'shared.list[1]',
      'again.list[1]',
    ]);
  });
});
