import { describe, expect, test } from 'vitest';

import { printableLine } from '../../src/core/excerpt.js';
import { problem, type Place } from '../../src/core/problem.js';
import { renderProblem } from '../../src/core/render-problem.js';

const fields = {
  holders: new Set(['spec', 'items', 'metadata']),
  values: new Set(['name', 'image', 'list']),
};

/** The excerpt of the last line, followed by `|` if it is complete; undefined if the line is not shown. */
function shown(text: string): string | undefined {
  const lines = text.split('\n');
  const line = printableLine(lines, lines.length, fields);
  return line && `${line.text}${line.isWhole ? '|' : ''}`;
}

const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx';

describe('of a line that is a field', () => {
  test.each([
    ['name: a', 'name: a|'],
    ['"name": "a",', '"name": "a",|'],
    ["'name' : a", "'name' : a|"],
    ['name:', 'name:|'],
    ['name:a', undefined],
    ['other: a', 'other: …'],
    ['other:', 'other:|'],
    ['other: |', 'other: ||'],
    ['other: >-', 'other: >-|'],
    ['other: {', 'other: {|'],
    ['other: []', 'other: []|'],
    ['other:   a b', 'other:   …'],
    ['a b: c', undefined],
    ['user:oak: c', undefined],
    ['Abcdefghij0123456789: a', undefined],
    ['---', undefined],
    ['# password', undefined],
    ['oak', undefined],
    ['', undefined],
    ['- name: a', '- name: a|'],
    ['-   - name: a', '-   - name: a|'],
    ['- a', '- …'],
    ['-   a', '-   …'],
    ['a - b', undefined],
    ['  - {', '  - {|'],
  ])('%j, there is shown %j', (line, want) => {
    expect(shown(line)).toBe(want);
  });
});

describe('shows a value below known fields', () => {
  test.each([
    ['spec:\n  name: a', '  name: a|'],
    ['spec:\n\n  # a comment\n  other: b\n  name: a', '  name: a|'],
    ['odd:\n  name: a', '  name: …'],
    ['odd:\n  spec:\n    name: a', '    name: …'],
    ['odd: b\nspec:\n  name: a', '  name: a|'],
    ['spec:\n  odd:\n    other: c\n  name: a', '  name: a|'],
    ['spec:\n  odd:\n    other: c\n    name: a', '    name: …'],
    ['items:\n- name: a', '- name: a|'],
    ['items:\n  - name: a', '  - name: a|'],
    ['odd:\n- name: a', '- name: …'],
    ['items:\n- other: b\n  name: a', '  name: a|'],
    ['odd:\n- other: b\n  name: a', '  name: …'],
    ['items:\n- odd:\n    name: a', '    name: …'],
    ['items:\n- spec:\n    name: a', '    name: a|'],
    ['items:\n- other: b\n- name: a', '- name: a|'],
    ['list:\n- a', '- a|'],
    ['list:\n  - a\n  - b', '  - b|'],
    ['odd:\n  - a', '  - …'],
    ['spec: |\n  oak\n  name: a', '  name: a|'],
    ['what is this\n  name: a', '  name: …'],
    ['spec:\n  {\n    name: a', '    name: a|'],
    ['{\n  "spec": {\n    "name": "a"', '    "name": "a"|'],
    ['{\n  "odd": {\n    "name": "a"', '    "name": …'],
  ])('%j ends with %j', (text, want) => {
    expect(shown(text)).toBe(want);
  });
});

describe('a value is shown where it is a name, a number, an address, a path or an image', () => {
  test.each([
    '1.5',
    'a-b_c.d/e',
    '/dev/disk/by-path/pci-0000:01:00.0',
    '192.168.126.0/24',
    'fd00::1',
    '[fd00::a]',
    'fd00:abcd::/48',
    'https://example.com:8443/a',
    'quay.io/a/b:v4.21',
    'quay.io/a/b@sha256:0123abcdef',
    '[a, b]',
    '["a", "b"]',
    "'a'",
    'a b',
    '52:54:00:12:34:56',
    '*',
    '>=4',
  ])('%s', (value) => {
    expect(shown(`name: ${value}`)).toBe(`name: ${value}|`);
  });
});

describe('hides a value below unknown fields', () => {
  test.each([
    'oak:tree',
    'a oak:tree',
    'https://example.com:oak',
    'user@host',
    'a@sha256:zz',
    '{"auths": 1}',
    'oak!',
    'oak$',
    '"oak!"',
    '(a)',
    'Abcdefghij0123456789',
    'fd00::1g',
    'x fd00::1/oak!',
    'password=oak',
    'ä',
  ])('%s', (value) => {
    expect(shown(`name: ${value}`)).toBe('name: …');
  });
});

describe('shows public lines below any field', () => {
  test.each([
    `ssh-ed25519 ${key} me@host`,
    `  ssh-ed25519 ${key}`,
    `sshKey: 'ssh-rsa ${key}=='`,
    `sshKey:   "ecdsa-sha2-nistp256 ${key} "`,
    `sk-ssh-ed25519@openssh.com ${key} me`,
    '  -----BEGIN CERTIFICATE-----  ',
    '-----BEGIN CERTIFICATE-----',
  ])('%s', (line) => {
    expect(shown(`odd: |\n${line}`)).toBe(`${line}|`);
  });

  test.each([
    `other: ssh-ed25519 ${key}`,
    `x ssh-ed25519 ${key}`,
    `ssh-ed25519 ${key} me (oak)`,
    `ssh-ed25519 ${key} ${'m'.repeat(81)}`,
    `ssh-dss ${key}`,
    'ssh-ed25519 BBBB',
    'x -----BEGIN CERTIFICATE-----',
    '-----BEGIN CERTIFICATE----- oak',
    '-----BEGIN PRIVATE KEY-----',
  ])('and not %s', (line) => {
    expect(shown(line)?.endsWith('|') ?? false).toBe(false);
  });
});

test('hides all lines of a manifest with a Secret, except in comments', () => {
  expect(shown('kind: Secret\nname: a')).toBeUndefined();
  expect(shown('name: a\n---\nkind: Secret\nspec:\n  name: a')).toBeUndefined();
  expect(shown('# no Secret\nname: a')).toBe('name: a|');
  expect(shown('kind: Secrets\nname: a')).toBe('name: a|');
});

test('returns no text for a missing line', () => {
  expect(printableLine(['name: a'], 2, fields)).toBeUndefined();
});

describe('a problem as text', () => {
  const text = (
    at: Place | undefined,
    from?: Place,
    source = 'name: abc\nother: a b\nuser:oak: x\nname: a\tb',
  ): string =>
    renderProblem(
      { ...problem('dir/locked', 'a\u001bb'), ...(at && { at }), ...(from && { from }) },
      { text: source, fields },
    );

  test.each([
    [undefined, ''],
    [{ file: 'f' }, '\n  --> f'],
    [{ file: 'f', path: '' }, '\n  --> f'],
    [{ file: 'f', path: 'a.b' }, '\n  --> f (a.b)'],
    [{ file: 'f', line: 9 }, '\n  --> f:9'],
    [{ file: 'f', line: 1 }, '\n  --> f:1\n  |\n1 | name: abc'],
    [{ file: 'f', line: 1, col: 7 }, '\n  --> f:1:7\n  |\n1 | name: abc\n  |       ^'],
    [{ file: 'f', line: 1, col: 7, length: 99 }, '\n  --> f:1:7\n  |\n1 | name: abc\n  |       ^^^'],
    [{ file: 'f', line: 2, col: 1, length: 5 }, '\n  --> f:2:1\n  |\n2 | other: …\n  | ^^^^^'],
    [{ file: 'f', line: 2, col: 8, length: 3 }, '\n  --> f:2:8\n  |\n2 | other: …'],
    [{ file: 'f', line: 3, col: 1 }, '\n  --> f:3:1\n  |\n3 | (not shown: may contain a secret)'],
    [{ file: 'f', line: 4, col: 9 }, '\n  --> f:4:9\n  |\n4 | name: a b\n  |         ^'],
  ])('at %j', (at, want) => {
    expect(text(at)).toBe(`error[dir/locked]: a·b${want}`);
  });

  test('names where a value of a table is used', () => {
    expect(text({ file: 'f' }, { file: 'base.yaml', line: 3, col: 5, path: 'a' })).toBe(
      'error[dir/locked]: a·b\n  --> f\n   = used at: base.yaml:3:5 (a)',
    );
  });

  test('shows a window of a long line that starts before the location', () => {
    const long = `name: ${'a'.repeat(200)}`;
    const lineAt = (col: number): readonly string[] =>
      text({ file: 'f', line: 1, col, length: 500 }, undefined, long).split('\n').slice(3);
    expect(lineAt(80)).toEqual([`1 | ${long.slice(0, 96)}`, `  | ${' '.repeat(79)}${'^'.repeat(17)}`]);
    expect(lineAt(81)).toEqual([`1 | ${long.slice(49, 145)}`, `  | ${' '.repeat(31)}${'^'.repeat(65)}`]);
  });

  test('without its file shows none of it', () => {
    expect(renderProblem(problem('dir/locked', 'x', { at: { file: 'f', line: 1 } }))).toBe(
      'error[dir/locked]: x\n  --> f:1',
    );
  });
});
