import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';

import { made, type Made } from './made.js';

interface Row {
  readonly of: string;
  readonly line: string;
  readonly verdict: string;
  readonly how: string;
}

/** The rows of the table in docs/aio.md. */
const rows: readonly Row[] = readFileSync('docs/aio.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap(([, of = '', line = '', , verdict = '', how = '']) =>
    /^\d\.\d/.test(line) ? [{ of, line, verdict, how }] : [],
  );

let node: Made;
beforeAll(async () => {
  node = await made('aio-minimal');
});

/** Flags and fields that a row quotes literally. */
const said = rows
  .filter(({ verdict }) => verdict === 'pass')
  .flatMap(({ of, line, how }) =>
    [...how.matchAll(/`((?:--[a-z-]+=|\w+:)[^`]*)`/g)].map(([, text = '']) => ({ of, line, text })),
  );

describe('the table of the benchmark', () => {
  it('has a verdict of each line', () => {
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.filter(({ verdict, how }) => !/^(pass|reason)$/.test(verdict) || how === '')).toEqual([]);
    expect(said.length).toBeGreaterThan(40);
  });

  it.each(said)('$line of $of: $text', ({ of, text }) => {
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
