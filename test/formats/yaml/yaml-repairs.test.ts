import { describe, expect, test } from 'vitest';

import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';

const text = `baseDomain: example.com
metadata:
  name: site1
compute:
  - name: worker
    replicas: 0
networking:
  networkType: OVNKubernetes
  machineNetwork:
    - cidr: 192.168.126.0/24
  serviceNetwork: [172.30.0.0/16]
platform:
  none: {}
sshKey: 'key'
`;

/** The faults after a line is replaced, as `<line>: <message> | <hint>`. */
function faultsOf(...edits: readonly (readonly [line: number, text: string])[]): readonly string[] {
  const lines = text.split('\n');
  for (const [line, changed] of edits) lines[line - 1] = changed;
  const { faults } = readYaml(lines.join('\n'));
  return faults.map(({ span, message, hint }) => `${span.line}: ${message} | ${hint ?? ''}`);
}

const more = 'this line is indented more than its siblings';
const less = 'this line is indented less than its siblings';

describe('one wrong line is one error at that line', () => {
  test.each([
    ['a first line too deep', 1, '  baseDomain: example.com', `${more} | start it in column 1`],
    ['a key one column too deep', 8, '   networkType: OVNKubernetes', `${more} | start it in column 3`],
    ['a key two columns too deep', 8, '    networkType: OVNKubernetes', `${more} | start it in column 3`],
    ['a key one column too shallow', 9, ' machineNetwork:', `${less} | start it in column 3`],
    ['a key of the first column', 8, 'networkType: OVNKubernetes', `${less} | start it in column 3`],
    ['a list item too deep', 5, '   - name: worker', `${more} | start it in column 3`],
    ['a list item too shallow', 5, ' - name: worker', `${less} | start it in column 3`],
    ['a key of a list item too deep', 6, '     replicas: 0', `${more} | start it in column 5`],
    ['a key of a list item too shallow', 6, '   replicas: 0', `${less} | start it in column 5`],
    ['a tab', 8, '\tnetworkType: OVNKubernetes', 'tabs are not allowed as indentation | use spaces'],
    [
      'no colon',
      7,
      'networking',
      'this line is no key with a value | write "key: value" with a space after the colon, or start a comment with "#"',
    ],
    [
      'no space after a colon',
      8,
      '  networkType:OVNKubernetes',
      'a space is missing after ":" | write "key: value"',
    ],
    ['no space after a dash', 5, '  -name: worker', 'a space is missing after "-" | write "- value"'],
    ['an open bracket', 13, '  none: {', 'a bracket of this line is not closed | close it with "}"'],
    [
      'an open list',
      11,
      '  serviceNetwork: [172.30.0.0/16',
      'a bracket of this line is not closed | close it with "]"',
    ],
    ['a bracket that is not opened', 11, '  serviceNetwork: 172.30.0.0/16]', undefined],
    [
      'an open quote',
      14,
      "sshKey: 'key",
      'this quote is never closed | close it at the end of the value; if the end of the value is missing, paste all of it again',
    ],
  ])('%s', (_name, line, changed, want) => {
    expect(faultsOf([line, changed])).toEqual(want === undefined ? [] : [`${line}: ${want}`]);
  });
});

describe('one wrong line is one error, also with consequences below it', () => {
  const ofLine = (line: number): string => text.split('\n')[line - 1] ?? '';
  test.each([
    ['a word alone', 9, `  machineNetwork:\nfoo`, '10: this line is no key with a value'],
    ['an indented word alone', 9, `  machineNetwork:\n  foo`, '10: this line is no key with a value'],
    ['a marker in a field', 8, `---\n${ofLine(8)}`, '8: this line ends the document'],
    ['a marker below a list', 6, `    replicas: 0\n...\n    x: 0`, '7: this line ends the document'],
    ['no-break spaces', 8, '\u00a0 networkType: OVNKubernetes', '8: this line starts with no-break spaces'],
    ['a semicolon for a colon', 8, '  networkType; OVNKubernetes', '8: this line is no key with a value'],
    ['a missing line', 7, '# networking', '8: this line is indented less than its siblings'],
    ['a repeated line', 7, 'networking:\nnetworking:', '8: "networking" is given twice'],
  ])('%s', (_name, line, changed, want) => {
    expect(faultsOf([line, changed])).toEqual([expect.stringContaining(want)]);
  });
});

test('a repeated line without a value keeps the fields below the second one', () => {
  const { documents } = readYaml('metadata:\nmetadata:\n  name: a\n');
  expect(documents[0] && toData(documents[0])).toEqual({ metadata: { name: 'a' } });
});

test('a wrong line of a long text is found as in a short one', () => {
  const fields = Array.from({ length: 2500 }, (_, index) => `key${index}:\n  value: 0`);
  const { faults } = readYaml([...fields, 'last:', '  - a: 0', '   - b: 0', ...fields].join('\n'));
  expect(faults.map(({ span, message }) => `${span.line}: ${message}`)).toEqual([`5003: ${more}`]);
});

test('two wrong lines are two errors', () => {
  expect(faultsOf([5, '   - name: worker'], [13, '  none: {'])).toEqual([
    `5: ${more} | start it in column 3`,
    '13: a bracket of this line is not closed | close it with "}"',
  ]);
});
