import { expect, test } from 'vitest';

import { faultsAfterKill, faultsAfterRun } from '../../scripts/kills/judge.mjs';

const before = { 'notes.txt': 'mine', 'worker.ign': 'old', 'auth/kubeconfig': 'old' };
const after = { 'notes.txt': 'mine', 'worker.ign': 'new', 'auth/kubeconfig': 'new', 'receipt.json': 'new' };
const expected = { before, after };
/** Encrypted files, whose bytes differ each time. */
const encrypted = {
  ...expected,
  isSecret: true,
  isOdd: (_: string, bytes: string) => !bytes.endsWith('END'),
};

test.each([
  { name: 'all as before', left: before, want: [] },
  { name: 'all as after', left: after, want: [] },
  {
    name: 'a mix of whole files, with drafts',
    left: { ...before, 'worker.ign': 'new', '.a.new': 'ne' },
    want: [],
  },
  {
    name: 'a lost file of the user',
    left: { 'worker.ign': 'old', 'auth/kubeconfig': 'old' },
    want: ['notes.txt is lost'],
  },
  {
    name: 'a lost output',
    left: { 'notes.txt': 'mine', 'worker.ign': 'old' },
    want: ['auth/kubeconfig is lost'],
  },
  {
    name: 'half an output',
    left: { ...before, 'worker.ign': 'ne' },
    want: ['worker.ign has neither the old nor the new content'],
  },
  {
    name: 'a strange file',
    left: { ...before, odd: '' },
    want: ['odd has neither the old nor the new content'],
  },
])('after a kill: $name', ({ left, want }) => {
  expect(faultsAfterKill(left, expected)).toEqual(want);
});

test.each([
  { name: 'another whole file', left: { ...before, 'worker.ign': 'other END' }, want: [] },
  {
    name: 'half a file',
    left: { ...before, 'worker.ign': 'other E' },
    want: ['worker.ign has neither the old nor the new content'],
  },
  {
    name: 'a change of what no run changes',
    left: { ...before, 'notes.txt': 'other END' },
    want: ['notes.txt has neither the old nor the new content'],
  },
  {
    name: 'a key, in a draft too',
    left: { ...before, '.a.new': '-----BEGIN PRIVATE KEY-----' },
    want: ['.a.new contains a secret in plain text'],
  },
])('after a kill of an encrypting command: $name', ({ left, want }) => {
  expect(faultsAfterKill(left, encrypted)).toEqual(want);
});

test.each([
  { name: 'all as after', left: after, want: [] },
  {
    name: 'a draft that is left over',
    left: { ...after, '.a.new': '' },
    want: ['.a.new is left over after the next run'],
  },
  {
    name: 'its contents differ',
    left: { ...after, 'worker.ign': 'old' },
    want: ['worker.ign has other content after the next run'],
  },
  {
    name: 'a file too few',
    left: { ...before, ...after, 'receipt.json': 'x' },
    want: ['receipt.json has other content after the next run'],
  },
])('after the next run: $name', ({ left, want }) => {
  expect(faultsAfterRun(left, expected)).toEqual(want);
});

test('reports missing files after the next run', () => {
  expect(faultsAfterRun({ ...before, 'worker.ign': 'new', 'auth/kubeconfig': 'new' }, expected)).toEqual([
    'receipt.json is missing after the next run',
  ]);
});
