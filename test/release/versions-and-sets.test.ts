import { expect, test } from 'vitest';

import {
  allCapabilities,
  capabilitiesOf,
  capabilitySets,
  firstSetWith,
} from '../../src/release/capability-sets.js';
import { kubernetesLike } from '../../src/release/kubernetes.js';
import { releases, releasesOf } from '../../src/release/releases.js';
import { versionIn } from '../../src/release/release-version.js';

test.each([
  ['4.18', '4.18'],
  ['4.18.3', '4.18'],
  ['4.18.33', '4.18'],
  ['4.21.0-rc.1-x86_64', '4.21'],
  ['4.9999', '4.9999'],
  ['0.0', '0.0'],
  ['v4.18', undefined],
  ['4.18 ', undefined],
  ['4.18-', undefined],
  ['4.18-a b', undefined],
  ['4', undefined],
  ['04.18', undefined],
  ['4.08', undefined],
  ['4.10000', undefined],
  ['10000.1', undefined],
  ['4.x', undefined],
  ['4x.1', undefined],
  ['4.18.x', undefined],
  ['4.18.1.1', undefined],
])('the version in %j is %j', (text, want) => {
  expect(versionIn(text)?.text).toBe(want);
});

test('a set has what the one before it has, and more', () => {
  expect(capabilitiesOf('v9.99')).toBeUndefined();
  expect([...(capabilitiesOf('None') ?? ['none'])]).toEqual([]);
  const v413 = capabilitiesOf('v4.13');
  expect(v413?.size).toBe(9);
  expect([v413?.has('baremetal'), v413?.has('NodeTuning'), v413?.has('Build')]).toEqual([true, true, false]);
  expect([...(capabilitiesOf('vCurrent') ?? [])]).toEqual(allCapabilities);
  const sizes = capabilitySets.map((set) => capabilitiesOf(set)?.size ?? -1);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  expect([firstSetWith('baremetal'), firstSetWith('NodeTuning'), firstSetWith('ClusterAPI')]).toEqual([
    'v4.11',
    'v4.13',
    'vCurrent',
  ]);
});

test.each([
  { minor: 36, is: 36 },
  { minor: 99, is: 36 },
  { minor: 30, is: 30 },
  { minor: 27, is: 27 },
  { minor: 3, is: 27 },
])('Kubernetes 1.$minor is like 1.$is', ({ minor, is }) => {
  expect(kubernetesLike(minor).minor).toBe(is);
});

test('a table of releases has rows, and says when none is as it is asked', () => {
  expect(() => releasesOf([])).toThrow('a table of releases without a row');
  expect(() => releases.firstWith(() => false)).toThrow('no release in the table is like that');
});
