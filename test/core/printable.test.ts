import { describe, expect, it } from 'vitest';

import { printableLine } from '../../src/core/excerpt.js';
import { printable } from '../../src/core/printable.js';
import { problem } from '../../src/core/problem.js';
import { isFieldName } from '../../src/core/quoted.js';
import { renderProblem } from '../../src/core/render-problem.js';
import { printableFields } from '../../src/config/schema/printable-fields.js';
import { csvCell } from '../../src/formats/table/csv-cell.js';
import { pathText } from '../../src/formats/yaml/yaml-tree.js';

/** Characters by code point: control, bidirectional, zero width, separators, tags, private use, fillers. */
const hidden = [
  ...[0x00, 0x07, 0x09, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x180e],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2064],
  ...[0x2066, 0x2069, 0x206f, 0x2800, 0x3164, 0xd800, 0xe000, 0xfeff, 0xfff9, 0xe0001, 0xe0041],
].map((code) => String.fromCodePoint(code));

describe.each(hidden.map((text) => [text.codePointAt(0)?.toString(16), text]))('U+%s', (_, text) => {
  const word = `a${text}b`;
  it('is a dot in texts, cells and problems', () => {
    expect(printable(word)).toBe('a·b');
    expect(csvCell(word)).toBe('a·b');
    expect(renderProblem(problem('config/yaml-syntax', word, { hint: word, at: { file: word } }))).toBe(
      'error[config/yaml-syntax]: a·b\n  --> a·b\n   = hint: a·b',
    );
  });
});

it('letters of every script and emoji stay', () => {
  for (const text of ['Zürich', '東京', 'שלום', 'مرحبا', '⚠\ufe0f', 'é', '100 % – “x”'])
    expect(printable(text)).toBe(text);
});

it.each([
  ['=1+1', "'=1+1"],
  ['\uff1d1', "'\uff1d1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20a', "'\uff20a"],
  ['\u22121', "'\u22121"],
  [' =1', "' =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\t=1', "'·=1"],
  ['\u200b=1', "'·=1"],
  ['"=1', '"\'""=1"'],
  ['a\r=1', '"a\n=1"'],
  ['a,b', '"a,b"'],
  ['north-1', 'north-1'],
])('the cell %j is %j', (text, want) => {
  expect(csvCell(text)).toBe(want);
});

describe('a field name', () => {
  const names = [
    ...printableFields.holders,
    ...printableFields.values,
    ...[
      'pull_secret',
      'ipv4Address',
      'sha256sum',
      'machine-config.v1beta1',
      'x509Certificate',
      'vlan100',
      'OVNKubernetes',
    ],
    ...[
      'node-role.kubernetes.io/worker',
      'ran.openshift.io/ztp-deploy-wave',
      '99-master-ssh',
      'TechPreviewNoUpgrade',
    ],
    ...[
      'ConfigurablePKI',
      'additionalTrustBundlePolicy',
      'k8sVersion',
      's390x',
      'password',
      'pullSecret',
      'httpsProxy',
    ],
  ];
  it.each([...new Set(names)])('is shown: %s', (name) => {
    expect(isFieldName(name)).toBe(true);
  });

  const passwords = [
    ...[
      'password123',
      'hunter2024',
      'S3cr3tP4ss',
      'Tr0ub4dor',
      'P4ssword',
      'xKjPqLmZrTwQ',
      'pass1',
      '12345678',
    ],
    ...[
      'Xk29fjQpL0aa83jdMnqT81bz',
      'dXNlcjpwYXNzd29yZA==',
      'sha256~abcdefgh',
      'deadbeef12cafe34',
      'correct horse',
    ],
    ...['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'AKIAIOSFODNN7EXAMPLE'],
  ];
  it.each(passwords)('is hidden: %s', (name) => {
    expect(isFieldName(name)).toBe(false);
    expect(pathText(['pullSecret', name])).toBe('pullSecret["…"]');
    expect(printableLine([`${name}: x`], 1, printableFields)?.text ?? '').not.toContain(name);
  });
});
