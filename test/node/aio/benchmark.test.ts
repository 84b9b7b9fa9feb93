import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';

import { made, type Made } from './made.js';

interface Row {
  readonly of: string;
  /** Lines of the benchmark, such as `1.1.9–10` or `1.2.3, 10`. */
  readonly lines: string;
  /** The flags or files, or the reason. */
  readonly how: string;
}

const page = readFileSync('docs/aio.md', 'utf8');

/** The rows of the table with this column. */
function rowsOf(column: string): readonly Row[] {
  const table = page.split('\n\n').find((text) => text.startsWith('| of ') && text.includes(`| ${column} `));
  return (table ?? '')
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap(([, of = '', lines = '', how = '']) => (of === '' ? [] : [{ of, lines, how }]));
}

const passed = rowsOf('passed, by');
const rows = [...passed, ...rowsOf('not passed, because')];

/** The numbers of lines, spelled out: `1.2.3, 10–11` as 1.2.3, 1.2.10 and 1.2.11. */
function spelledOut(lines: string): readonly string[] {
  const [, section = '', numbers = ''] = /^((?:\d\.)+)(\d.*)$/.exec(lines) ?? [];
  return numbers.split(', ').flatMap((part) => {
    const [first = 0, last = first] = part.split('–').map(Number);
    return numbersTo(last)
      .filter((number) => number >= first)
      .map((number) => `${section}${number}`);
  });
}

function numbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** The last line of each section of version 1.10, without section 5. Source: github.com/aquasecurity/kube-bench, cfg/cis-1.10; it has no 4.2.14 (seccomp) */
const lastLines = {
  '1.1': 21,
  '1.2': 29,
  '1.3': 7,
  '1.4': 2,
  '2': 7,
  '3.1': 3,
  '3.2': 2,
  '4.1': 10,
  '4.2': 14,
  '4.3': 1,
};

let node: Made;
beforeAll(async () => {
  node = await made('aio-minimal');
});

/** Flags and fields that a row quotes literally. */
const said = passed.flatMap(({ of, lines, how }) =>
  [...how.matchAll(/`((?:--[a-z-]+=|\w+:)[^`]*)`/g)].map(([, text = '']) => ({ of, lines, text })),
);

describe('the table of the benchmark', () => {
  it('has each line once, with its flags, files or reason', () => {
    const want = Object.entries(lastLines).flatMap(([section, last]) =>
      numbersTo(last).map((number) => `${section}.${number}`),
    );
    expect(rows.flatMap(({ lines }) => spelledOut(lines)).toSorted()).toEqual(want.toSorted());
    expect(rows.filter(({ how }) => how === '')).toEqual([]);
    expect(said.length).toBeGreaterThan(40);
  });

  it.each(said)('$lines of $of: $text', ({ of, text }) => {
    const programs = of === 'control plane' ? 'kube-apiserver' : of;
    const files = text.startsWith('--')
      ? [`/etc/kubernetes/manifests/${programs}-pod.yaml`]
      : Object.keys(node.texts).filter((path) => /kubelet-config\.yaml$|config\/config\.yaml$/.test(path));
    const lines = files.flatMap((path) => (node.texts[path] ?? '').split('\n'));
    const trimmed = lines.map((line) => line.replace(/^[ -]*(?=\w)/, ''));
    const wanted = text.replace(/^--/, '');
    const isWhole = !/[=:]$/.test(wanted);
    expect(trimmed.filter((line) => (isWhole ? line === wanted : line.startsWith(wanted)))).not.toEqual([]);
  });

  it('names no flag as absent that is there', () => {
    const absent = rows.flatMap(({ of, how }) =>
      [...how.matchAll(/no `([a-z-]+)`/g)].map(([, flag = '']) => ({ of, flag })),
    );
    expect(absent.map(({ flag }) => flag)).toEqual(['token-auth-file', 'auto-tls', 'peer-auto-tls']);
    const present = absent.filter(({ of, flag }) =>
      (node.texts[`/etc/kubernetes/manifests/${of}-pod.yaml`] ?? '').includes(`--${flag}=`),
    );
    expect(present).toEqual([]);
  });
});
