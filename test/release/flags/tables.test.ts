import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { flagTables } from '../../../src/release/flags/flag-table.js';
import type { NamesByRange } from '../../../src/release/flags/known-names.js';
import {
  admissionPluginsByRange,
  authorizationModesByRange,
  featureGatesByRange,
} from '../../../src/release/flags/tables.generated.js';
import { knownKubernetesMinors } from '../../../src/release/kubernetes.js';

const kubernetes = [Math.min(...knownKubernetesMinors), Math.max(...knownKubernetesMinors)] as const;
const { etcd, ...programs } = flagTables;
const tables: readonly (readonly [string, NamesByRange, readonly [number, number]])[] = [
  ...Object.entries(programs).map(([name, table]) => [name, table, kubernetes] as const),
  ['etcd', etcd, [4, 7]],
  ['feature gates', featureGatesByRange, kubernetes],
  ['admission plugins', admissionPluginsByRange, kubernetes],
  ['authorization modes', authorizationModesByRange, kubernetes],
];

const rangesOf = (table: NamesByRange) =>
  Object.keys(table).map((key) => /^(\d+)-(\d+)$/.exec(key)?.slice(1).map(Number) ?? []);
const words = (names: string) => names.trim().split(/\s+/);

describe.each(tables)('the table of %s', (_name, table, [oldest, newest]) => {
  test('covers all versions from the oldest to the newest', () => {
    const ranges = rangesOf(table).flat();
    expect([Math.min(...ranges), Math.max(...ranges)]).toEqual([oldest, newest]);
  });

  test('has ranges that run forwards', () => {
    expect(rangesOf(table).filter(([first = 0, last = 0]) => first > last)).toEqual([]);
  });

  test('lists a name only once per version', () => {
    const given = Object.entries(table).flatMap(([key, names]) => {
      const [first = 0, last = 0] = key.split('-').map(Number);
      const minors = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      return words(names).flatMap((name) => minors.map((minor) => `${name} ${minor}`));
    });
    expect(given.filter((entry, index) => given.indexOf(entry) !== index)).toEqual([]);
  });

  test('has names that are words, in order', () => {
    for (const names of Object.values(table).map(words)) {
      expect(names).toEqual(names.filter((name) => /^[A-Za-z][A-Za-z0-9-]*$/.test(name)).toSorted());
    }
  });
});

test('the tables stay small', () => {
  const path = 'src/release/flags/tables.generated.ts';
  expect(readFileSync(path).length).toBeLessThan(60_000);
});
