import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, test } from 'vitest';

import { isCutOff, parseJson, placeOfJsonFault, whyNotJson } from '../../src/formats/json.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const maps = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

it('has a value up to 1,000 levels', () => {
  expect(JSON.stringify(parseJson(lists(1000)))).toBe(lists(1000));
  expect(JSON.stringify(parseJson(maps(1000)))).toBe(maps(1000));
  expect(parseJson('{"a":[1,"[[",null]}')).toEqual({ a: [1, '[[', null] });
});

test.each([
  { text: '{"a": [1, -2.5e3, true, null, "x\\n"], "b": {}}', want: undefined },
  { text: '{"auths": {', want: undefined },
  { text: 'auths', want: { line: 1, col: 1 } },
  { text: '{"a": b}', want: { line: 1, col: 7 } },
  { text: "{\n  'a': 1}", want: { line: 2, col: 3 } },
  { text: '{"a": 1,}', want: { line: 1, col: 9 } },
  { text: '{"a" 1}', want: { line: 1, col: 6 } },
  { text: '{"a": 1 "b": 2}', want: { line: 1, col: 9 } },
  { text: '{"a": 1}}', want: { line: 1, col: 9 } },
  { text: '{"a": {"b": 1}, c: 1}', want: { line: 1, col: 17 } },
  { text: '[1, 2] 3', want: { line: 1, col: 8 } },
  { text: '{"a": 01}', want: { line: 1, col: 8 } },
])('finds the first character that cannot be in JSON: $text', ({ text, want }) => {
  expect(placeOfJsonFault(text)).toEqual(want);
});

test.each([
  { name: 'lists', text: lists(200_000), why: 'is nested more than 1000 levels deep' },
  { name: 'maps', text: maps(200_000), why: 'is nested more than 1000 levels deep' },
  { name: 'one level too many', text: lists(1002), why: 'is nested more than 1000 levels deep' },
  { name: 'no JSON', text: '['.repeat(200_000), why: 'is not JSON' },
])('has none for $name', ({ text, why }) => {
  expect(parseJson(text)).toBeUndefined();
  expect(whyNotJson(text)).toBe(why);
});

test.each([
  { text: '{"a":[1,{"b"', want: true },
  { text: '{"a":"b\\"}', want: true },
  { text: '"a', want: true },
  { text: '{"a":"[{"', want: true },
  { text: '{"a":1,}', want: false },
  { text: '{"a":"[{"}', want: false },
  { text: 'token', want: false },
])('$text is cut off: $want', ({ text, want }) => {
  expect(isCutOff(text)).toBe(want);
});

const config = `{"ignition":{"version":"3.2.0"},"x":${lists(200_000)}}`;
const cases: readonly { readonly file: string; readonly text: string; readonly args: readonly string[] }[] = [
  { file: 'a.ign', text: config, args: ['inspect', 'a.ign'] },
  { file: 'a.ign', text: config, args: ['certs', 'a.ign'] },
  { file: 'a.ign', text: config, args: ['diff', 'a.ign', 'a.ign'] },
  { file: 'a.ign', text: config, args: ['render', 'ignition', 'a.ign', '--out', 'tree'] },
  { file: 'a.ign', text: config, args: ['enrich', '--input', 'a.ign', '--asset-dir', '.', '--out', 'b'] },
  { file: 'p', text: maps(20_000), args: ['create', 'install-config', '--pull-secret-file', 'p'] },
  { file: '.sno-install-state.json', text: maps(200_000), args: ['certs'] },
  { file: 'receipt.json', text: lists(200_000), args: ['verify'] },
  { file: 'install-config.yaml', text: lists(20_000), args: ['validate'] },
  { file: 'fleet.yaml', text: lists(20_000), args: ['fleet', 'validate'] },
  { file: 'agent-config.yaml', text: lists(20_000), args: ['import', 'agent-config', '.'] },
  { file: 'site.json', text: lists(200_000), args: ['import', 'cluster-instance', 'site.json'] },
  {
    file: 'kubeconfig',
    text: lists(200_000),
    args: ['wait-for', 'node-ready', '--kubeconfig', 'kubeconfig'],
  },
];
test.each(cases)('a file nested too deeply is a problem: $args', async ({ file, text, args }) => {
  const dir = scratchFolder();
  writeFileSync(join(dir, file), text, { mode: 0o600 });

  const { code, stderr } = await snoInProcess(args, { cwd: dir });

  expect(stderr).toMatch(/^error\[[a-z-]+\/[a-z-]+\]: /m);
  expect(code).toBe(1);
});
