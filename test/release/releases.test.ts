import { describe, expect, test } from 'vitest';

import { flagTables } from '../../src/release/flags/flag-table.js';
import { namesAt } from '../../src/release/flags/known-names.js';
import { knownKubernetesMinors } from '../../src/release/kubernetes.js';
import type { OpenShiftRelease } from '../../src/release/openshift-release.js';
import { byVersion, releaseVersion, versionIn } from '../../src/release/release-version.js';
import {
  defaultReleaseVersion,
  releases,
  releasesOf,
  type ReleasePredicate,
} from '../../src/release/releases.js';

const { newest } = releases;

/** An imaginary release: the newest one under another number. */
const imaginary: OpenShiftRelease = {
  ...newest,
  version: releaseVersion(4, 99),
  kubernetesMinor: 112,
  etcd: { ...newest.etcd, version: '3.9' },
};
const withImaginary = releasesOf([
  ...releases.all.filter(({ version }) => version.major === 4 && version.minor < 23),
  imaginary,
]);

/** Tables that do not know a release yet; each needs an update when a release is added. */
function requestedOf({ version, kubernetesMinor, etcd }: OpenShiftRelease): readonly string[] {
  const etcdMinor = Number(etcd.version.split('.')[1]);
  const requested = {
    'src/release/kubernetes.ts': knownKubernetesMinors.includes(kubernetesMinor),
    'scripts/flag-tables, Kubernetes': namesAt(flagTables['kube-apiserver'], kubernetesMinor).size > 0,
    'scripts/flag-tables, etcd': namesAt(flagTables.etcd, etcdMinor).size > 0,
  };
  return Object.entries(requested).flatMap(([where, isThere]) =>
    isThere ? [] : [`${version.text}: ${where}`],
  );
}

describe('the table', () => {
  test('uses only names that other modules define', () => {
    expect(releases.all.flatMap(requestedOf)).toEqual([]);
  });

  test('has a row for every release from 4.14 to the last that is offered, in order', () => {
    const versions = releases.all.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted(byVersion));
    expect(releases.offered.map(({ version }) => version.text)).toEqual(
      releases.offered.map((_release, index) => `4.${14 + index}`),
    );
  });

  test('supports the default release', () => {
    const version = versionIn(defaultReleaseVersion);
    expect(version && releases.knownAs(version)?.isOffered).toBe(true);
  });
});

describe('a new release', () => {
  test('lists the checks for a new release', () => {
    expect(requestedOf(imaginary)).toEqual([
      '4.99: src/release/kubernetes.ts',
      '4.99: scripts/flag-tables, Kubernetes',
      '4.99: scripts/flag-tables, etcd',
    ]);
  });

  test('is offered by its row alone', () => {
    expect(withImaginary.offeredText).toBe('4.14 to 4.99');
    expect(withImaginary.knownAs(releaseVersion(4, 99))).toBe(imaginary);
  });
});

describe('a version', () => {
  const cases = [
    { given: '4.18.3', knownAs: '4.18', like: '4.18' },
    { given: '4.12', knownAs: undefined, like: '4.14' },
    { given: '4.50', knownAs: undefined, like: '4.22' },
    { given: '4.100', knownAs: undefined, like: '4.99' },
    { given: '5.1', knownAs: undefined, like: '4.99' },
  ];
  test.each(cases)('$given is known as $knownAs and handled like $like', ({ given, knownAs, like }) => {
    const version = versionIn(given);
    if (version === undefined) throw new Error(`${given} is no version`);
    expect(withImaginary.knownAs(version)?.version.text).toBe(knownAs);
    expect(withImaginary.like(version).version.text).toBe(like);
  });
});

describe('changes between releases', () => {
  const offered = releases.offered;
  const since = (holds: ReleasePredicate): string => releases.firstWith(holds).version.text;
  const where = (holds: ReleasePredicate): readonly string[] =>
    offered.filter(holds).map(({ version }) => version.text);

  test('Installer can be had from 4.17 on', () => {
    expect(where(({ offersInstaller }) => !offersInstaller)).toEqual(['4.14', '4.15', '4.16']);
  });

  test('each release came with the next Kubernetes', () => {
    expect(offered.map(({ kubernetesMinor }) => kubernetesMinor)).toEqual(
      offered.map(({ version }) => version.minor + 13),
    );
  });

  test('etcd is 3.6 from 4.21 on, and has one ConfigMap of bundles from 4.17 on', () => {
    expect(since(({ etcd }) => etcd.version === '3.6')).toBe('4.21');
    expect(since(({ etcd }) => etcd.revisionedConfigMaps.includes('etcd-all-bundles'))).toBe('4.17');
    expect(where(({ etcd }) => etcd.signerNamespaces.includes('openshift-config'))).toEqual([
      '4.14',
      '4.15',
      '4.16',
    ]);
    expect(since(({ etcd }) => etcd.signerNamespaces.includes('openshift-etcd'))).toBe('4.16');
  });

  test('kube-controller-manager has the controller of SELinux warnings since 4.19', () => {
    expect(since(({ controllerManager }) => controllerManager.controllers.length === 5)).toBe('4.19');
    expect(
      where(({ controllerManager }) => controllerManager.arguments['cloud-provider'] !== undefined),
    ).toEqual(['4.18', '4.19', '4.20']);
    expect(
      where(({ controllerManager }) => controllerManager.arguments['configure-cloud-routes'] !== undefined),
    ).toEqual(['4.14', '4.15']);
  });

  test('NetworkPolicies, the stream of the operating system and PKI come with 4.22', () => {
    expect(since(({ hasNetworkPolicies }) => hasNetworkPolicies)).toBe('4.22');
    expect(since(({ osImageStream }) => osImageStream !== undefined)).toBe('4.22');
    expect(since(({ pki }) => pki !== undefined)).toBe('4.22');
  });
});
