import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { beforeAll, expect, test } from 'vitest';

import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { buildTimeoutMs, toolPath } from '../control-plane/support/tools.js';

const hasGo = pathOfProgram('go') !== undefined || existsSync('/usr/local/go/bin/go');

/** Characters of numbers and of similar texts. */
const parts = '0 1 7 8 9 _ . e E + - x X o O b B : a f y N ~'.split(' ');
const pairs = parts.flatMap((one) => parts.map((other) => one + other));
const triples = pairs.flatMap((pair) => parts.map((other) => pair + other));
const longer = [
  ...[
    'e810',
    'e1000',
    '0o17',
    '0O17',
    '0x1F',
    '-0X1F',
    '-0b101',
    '1_000',
    '1_0.5',
    '.5_0',
    '.5__0',
    '.5e1_0',
    '1:30:10.5',
    '0777',
  ],
  ...['1.e+5', '1e-3', '0.5e2', '9223372036854775808', '18446744073709551616', '0xFFFFFFFFFFFFFFFF', '1e400'],
  ...[
    '-0x8000000000000001',
    '+0x8000000000000000',
    '685_230.15',
    '2001-01-01',
    '2001-01-01T00:00:00Z',
    'yes',
    'Null',
  ],
];
/** Leaves out texts that are a YAML indicator on their own. */
const texts = [...parts, ...pairs, ...triples, ...longer].filter((text) => !/^[-?:]$/.test(text));

interface Answer {
  readonly error: string;
  readonly value: unknown;
}

describeWith([hasGo ? 'bash' : 'go'], 'texts without quotes', () => {
  let program = '';
  beforeAll(async () => {
    program = await toolPath('go-readers', 'go-readers');
  }, buildTimeoutMs);

  function answers(yaml: readonly string[]): readonly Answer[] {
    const input = JSON.stringify(yaml.map((text) => ({ reader: 'sigs.k8s.io/yaml', text })));
    const { stdout, status } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
    expect(status).toBe(0);
    return JSON.parse(stdout) as readonly Answer[];
  }

  test('have the same type as in the YAML reader of Kubernetes', () => {
    const yaml = texts.map((text) => `a: ${text}\n`);
    const ours = yaml.map((text) => {
      const { documents, faults } = readYaml(text);
      return faults.length > 0 ? 'refused' : JSON.stringify(documents.map(toData)[0]);
    });
    const theirs = answers(yaml).map(({ error, value }) =>
      error === '' ? JSON.stringify(value) : 'refused',
    );
    const other = texts.flatMap((text, at) =>
      ours[at] === theirs[at] ? [] : [{ text, ours: ours[at], theirs: theirs[at] }],
    );

    expect(texts.length).toBeGreaterThan(10_000);
    expect(other).toEqual([]);
  });

  test('are quoted so that it reads strings as strings', () => {
    const read = answers(texts.map((text) => writeYaml({ a: text })));
    expect(
      texts.filter((text, at) => JSON.stringify(read[at]?.value) !== JSON.stringify({ a: text })),
    ).toEqual([]);
  });
});
