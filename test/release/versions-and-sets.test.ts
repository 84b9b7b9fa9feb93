import { expect, test } from 'vitest';

import {
  allCapabilities,
  capabilitiesIn,
  capabilitiesOf,
  capabilitySets,
} from '../../src/release/capability-sets.js';
import { kubernetesReleaseOf } from '../../src/release/kubernetes.js';
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

/**
 * Release, additions of vCurrent to the set v4.13, and the numbered sets after v4.13. Source: openshift/api config/v1
 * types_cluster_version.go, by branch.
 */
const beyond413 = ['Build', 'DeploymentConfig', 'ImageRegistry'];
const beyond414 = [...beyond413, 'OperatorLifecycleManager', 'CloudCredential'];
const beyond415 = [...beyond414, 'Ingress', 'CloudControllerManager'];
const beyond417 = [...beyond415, 'OperatorLifecycleManagerV1'];
const beyond418 = [...beyond417, 'CompatibilityRequirements', 'ClusterAPI'];

test.each([
  { release: '4.14', current: beyond413, newestSet: 'v4.14' },
  { release: '4.15', current: beyond414, newestSet: 'v4.15' },
  { release: '4.16', current: beyond415, newestSet: 'v4.16' },
  { release: '4.17', current: beyond415, newestSet: 'v4.17' },
  { release: '4.18', current: beyond417, newestSet: 'v4.18' },
  { release: '4.19', current: beyond417, newestSet: 'v4.18' },
  { release: '4.20', current: beyond417, newestSet: 'v4.18' },
  { release: '4.21', current: beyond417, newestSet: 'v4.18' },
  { release: '4.22', current: beyond417, newestSet: 'v4.18' },
  { release: '4.23', current: beyond418, newestSet: 'v4.18' },
  { release: '5.0', current: beyond418, newestSet: 'v4.18' },
])('release $release has the sets up to $newestSet', ({ release: text, current, newestSet }) => {
  const version = versionIn(text);
  const release = version && releases.knownAs(version);
  if (release === undefined) throw new Error(`no row for ${text}`);
  const old = capabilitiesIn('v4.13', release) ?? new Set();
  expect([...old]).toEqual([
    ...['baremetal', 'marketplace', 'openshift-samples', 'MachineAPI'],
    ...['Console', 'Insights', 'Storage', 'CSISnapshot', 'NodeTuning'],
  ]);
  expect([...(capabilitiesIn('vCurrent', release) ?? [])]).toEqual([...old, ...current]);
  expect([...capabilitiesOf(release)]).toEqual([...old, ...current]);
  const known = capabilitySets.filter((set) => capabilitiesIn(set, release) !== undefined);
  expect(known.slice(-2)).toEqual([newestSet, 'vCurrent']);
  expect([...(capabilitiesIn('None', release) ?? ['missing'])]).toEqual([]);
});

test('every capability of a release is one that install-config.yaml can name', () => {
  const known = new Set<string>(allCapabilities);
  expect(
    releases.all.flatMap((release) => [...capabilitiesOf(release)].filter((name) => !known.has(name))),
  ).toEqual([]);
});

test.each([
  { minor: 36, is: 36 },
  { minor: 99, is: 36 },
  { minor: 30, is: 30 },
  { minor: 27, is: 27 },
  { minor: 3, is: 27 },
])('Kubernetes 1.$minor is like 1.$is', ({ minor, is }) => {
  expect(kubernetesReleaseOf(minor).minor).toBe(is);
});

test('a table of releases has rows, and fails if no row matches', () => {
  expect(() => releasesOf([])).toThrow('a table of releases without a row');
  expect(() => releases.firstWith(() => false)).toThrow('no release in the table is like that');
});
