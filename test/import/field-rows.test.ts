import { describe, expect, test } from 'vitest';

import { agentFields, hostFields } from '../../src/import/agent-config/agent-fields.js';
import { clusterFields, nodeFields } from '../../src/import/cluster-instance/instance-fields.js';
import { unconvertedFields, type FieldRow } from '../../src/import/field-rows.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { problemLine } from './files.js';

/** A map with a value in one field. */
function mapWith(field: string): string {
  return field
    .split('.')
    .map((part, depth) => `${'  '.repeat(depth)}${part}:`)
    .join('\n')
    .concat(' word\n');
}

function warnings(text: string, rows: readonly FieldRow[]): readonly string[] {
  const [root] = readYaml(text).documents;
  if (root === undefined) throw new Error('internal error: no document');
  return unconvertedFields({ file: 'a.yaml', root, path: [], rows }).map(problemLine);
}

const tables = { agentFields, hostFields, clusterFields, nodeFields };

describe.each(Object.entries(tables))('%s', (_name, rows) => {
  test.each(rows)('$field', (row) => {
    const lines = row.field.split('.');
    const name = lines.at(-1) ?? '';
    const isShown = 'hint' in row && row.isShown !== undefined;
    const column = 2 * lines.length + name.length + 1;
    const shown = isShown ? ' "word"' : '';
    const want = `a.yaml:${lines.length}:${column} import/no-place: ${name}${shown} has no equivalent and is ignored`;

    expect(warnings(mapWith(row.field), rows)).toEqual('hint' in row ? [want] : []);
  });

  test('contains each field once', () => {
    const fields = rows.map(({ field }) => field);
    expect(new Set(fields).size).toBe(fields.length);
  });
});

test.each([
  [
    'a field that nothing is known of',
    'spek: {a: 1}\n',
    ['a.yaml:1:1 import/no-place: spek has no equivalent and is ignored'],
  ],
  [
    'one whose name may be a secret',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.x: 1\n',
    ['a.yaml:1:46 import/no-place: this field has no equivalent and is ignored'],
  ],
  ['one that says nothing', 'spek:\nother: ""\nmore: []\nless: {}\nnot: false\nextraLabels: {}\n', []],
  ['one of a list of maps', 'nodes: [{a: 1}]\n', []],
])('%s', (_name, text, want) => {
  expect(warnings(text, clusterFields)).toEqual(want);
});

const host = 'redfish-virtualmedia+https://192.0.2.17:8443/redfish/v1/Systems/System.Embedded.1';
const login = (user: string): string => host.replace('192', `${user}@192`);

test.each([
  ['as it is', host, host],
  [
    'with IPv6',
    host.replace('192.0.2.17', '[2001:db8::bbbb:1]'),
    host.replace('192.0.2.17', '[2001:db8::bbbb:1]'),
  ],
  ['without a login', login('root:hunter2'), host],
  ['without a password that has its own "@" and "/"', login('root:a/b@c'), host],
  ['without a login where no scheme is', 'root:hunter2@192.0.2.17', '192.0.2.17'],
  ['without what is asked', `${host}?token=hunter2`, host],
  ['with a port where no scheme is', '192.0.2.17:8443/redfish/v1', '192.0.2.17:8443/redfish/v1'],
  ['as nothing, where an "@" stands behind a "?"', 'https://h/x?p@hunter2', '…'],
  ['as nothing, where an "@" stands behind a "#"', 'https://h/x#@hunter2', '…'],
  ['as nothing, where it may be a login alone', 'root:hunter2', '…'],
  ['as nothing, where its port is none', 'https://root:hunter2/redfish', '…'],
  ['as nothing, where it looks like a secret', 'ipmi://eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.x', '…'],
])('the address of a BMC is told %s', (_name, written, want) => {
  const said = `a.yaml:1:13 import/no-place: bmcAddress "${want}" has no equivalent and is ignored`;
  expect(warnings(`bmcAddress: ${written}\n`, nodeFields)).toEqual([said]);
});
