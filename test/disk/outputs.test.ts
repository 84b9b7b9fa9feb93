import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { publicFile, secretFile } from '../../src/core/output-file.js';
import { planOutputs } from '../../src/disk/outputs.js';
import { scratchFolder } from '../support/scratch.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Case {
  readonly name: string;
  readonly disk: Readonly<Record<string, { readonly text: string; readonly mode: number }>>;
  /** Outputs of an earlier run. */
  readonly written: Readonly<Record<string, string>>;
  readonly changes: readonly (readonly [string, string])[];
  readonly problems?: readonly string[];
  /** Paths that the state records afterwards. */
  readonly ours: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'writes missing files',
    disk: {},
    written: {},
    changes: [
      ['manifests/a.yaml', 'written'],
      ['auth/kubeconfig', 'written'],
    ],
    ours: ['manifests/a.yaml', 'auth/kubeconfig'],
  },
  {
    name: 'keeps files with equal bytes',
    disk: { 'manifests/a.yaml': { text: 'a', mode: 0o644 }, 'auth/kubeconfig': { text: 'k', mode: 0o600 } },
    written: { 'manifests/a.yaml': 'a', 'auth/kubeconfig': 'k' },
    changes: [
      ['manifests/a.yaml', 'unchanged'],
      ['auth/kubeconfig', 'unchanged'],
    ],
    ours: ['manifests/a.yaml', 'auth/kubeconfig'],
  },
  {
    name: 'corrects the mode of its own file',
    disk: { 'manifests/a.yaml': { text: 'a', mode: 0o644 }, 'auth/kubeconfig': { text: 'k', mode: 0o644 } },
    written: { 'manifests/a.yaml': 'a', 'auth/kubeconfig': 'k' },
    changes: [
      ['manifests/a.yaml', 'unchanged'],
      ['auth/kubeconfig', 'written'],
    ],
    ours: ['manifests/a.yaml', 'auth/kubeconfig'],
  },
  {
    name: 'replaces a file of an earlier run and removes one that is no longer an output',
    disk: {
      'manifests/a.yaml': { text: 'old', mode: 0o644 },
      'manifests/gone.yaml': { text: 'gone', mode: 0o644 },
      'auth/kubeconfig': { text: 'k', mode: 0o600 },
      'auth/old': { text: 'old', mode: 0o600 },
    },
    written: {
      'manifests/a.yaml': 'old',
      'manifests/gone.yaml': 'gone',
      'auth/kubeconfig': 'k',
      'auth/old': 'old',
    },
    changes: [
      ['manifests/a.yaml', 'written'],
      ['auth/kubeconfig', 'unchanged'],
      ['manifests/gone.yaml', 'removed'],
    ],
    ours: ['manifests/a.yaml', 'auth/kubeconfig', 'auth/old'],
  },
  {
    name: 'keeps an edited file that is no longer an output, and forgets a deleted one',
    disk: { 'manifests/edited.yaml': { text: 'mine', mode: 0o644 } },
    written: { 'manifests/edited.yaml': 'ours', 'manifests/deleted.yaml': 'ours' },
    changes: [
      ['manifests/a.yaml', 'written'],
      ['auth/kubeconfig', 'written'],
    ],
    ours: ['manifests/a.yaml', 'auth/kubeconfig', 'manifests/edited.yaml', 'manifests/deleted.yaml'],
  },
  {
    name: 'does not take over a file of the user, even with equal bytes',
    disk: { 'manifests/a.yaml': { text: 'a', mode: 0o640 }, 'auth/kubeconfig': { text: 'k', mode: 0o600 } },
    written: { 'manifests/a.yaml': 'what we wrote once' },
    changes: [
      ['manifests/a.yaml', 'unchanged'],
      ['auth/kubeconfig', 'unchanged'],
    ],
    ours: ['manifests/a.yaml'],
  },
  {
    name: 'rejects an edited output and a file that existed before',
    disk: {
      'manifests/a.yaml': { text: 'edited', mode: 0o644 },
      'auth/kubeconfig': { text: 'theirs', mode: 0o600 },
    },
    written: { 'manifests/a.yaml': 'ours' },
    changes: [
      ['manifests/a.yaml', 'written'],
      ['auth/kubeconfig', 'written'],
    ],
    problems: [
      'manifests/a.yaml was edited after it was written; the change would be lost',
      'auth/kubeconfig already exists and was not written by sno-install',
    ],
    ours: ['manifests/a.yaml', 'auth/kubeconfig'],
  },
];

describe('planOutputs', () => {
  it.each(cases)('$name', ({ disk, written, changes, problems, ours }) => {
    const dir = scratchFolder();
    for (const [path, { text, mode }] of Object.entries(disk)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
      chmodSync(join(dir, path), mode);
    }
    const hashes = Object.fromEntries(Object.entries(written).map(([path, text]) => [path, sha256(text)]));
    const files = [publicFile('manifests/a.yaml', 'a'), secretFile('auth/kubeconfig', 'k')];

    const plan = planOutputs(dir, files, { written: hashes, owned: ['manifests'] });

    expect(plan.changes.map(({ path, change }) => [path, change])).toEqual(changes);
    expect(plan.problems.map(({ message }) => message)).toEqual(problems ?? []);
    expect(Object.keys(plan.written).toSorted()).toEqual(ours.toSorted());
  });
});
