import { describe, expect, test } from 'vitest';

import { identityOf } from '../../../src/kube/identity.js';
import { neededEditProblems } from '../../../src/manifests/edits/needed-edits.js';
import { neededFiles } from '../../../src/manifests/edits/needed-files.js';
import { allManifests, everything, problemsWith, type Given } from '../../assets/manifests/generate.js';
import { testContext } from '../../support/context.js';
import { showProblem } from '../../support/show-problem.js';

const dns = 'manifests/cluster-dns-02-config.yml';

function problemsOf(given: Given): readonly string[] {
  return neededEditProblems(testContext(given).inputs).map(showProblem);
}

describe('files that the installation needs', () => {
  test.each([
    { name: 'the least', given: {} },
    { name: 'the most', given: everything },
  ])('are generated with these objects from a config with $name', async ({ given }) => {
    const made = (await allManifests(given)).filter(({ path }) => path in neededFiles);
    const identities = made.map(({ path, object }) => [path, identityOf(object)] as const);
    expect(identities.toSorted()).toEqual(
      Object.entries(neededFiles)
        .map(([path, { identity }]) => [path, identity])
        .toSorted(),
    );
  });
});

describe('edits judged without a config', () => {
  test('give the same result as with a valid config', async () => {
    const written = { [dns]: 'a', 'manifests/cluster-network-02-config.yml': 'b' };
    const text = 'apiVersion: config.openshift.io/v1\nkind: Network\nmetadata: {name: cluster}\nspec: {}\n';
    const given = { written, files: { 'manifests/cluster-network-02-config.yml': text } };
    const found = problemsOf(given);
    expect(found).toEqual([
      `error[manifest/deleted-needed] ${dns}: ${dns} was deleted, and the installation needs it: the machine config operator reads the domain from it`,
      'error[manifest/edited-value] manifests/cluster-network-02-config.yml:4:1 (spec.clusterNetwork): spec.clusterNetwork is not what the installation reads there, expected a list of networks, each with cidr and hostPrefix',
      'error[manifest/edited-value] manifests/cluster-network-02-config.yml:4:1 (spec.serviceNetwork): spec.serviceNetwork is not what the installation reads there, expected a list of networks such as 172.30.0.0/16',
    ]);
    expect(await problemsWith(given)).toEqual(expect.arrayContaining([...found]));
  });

  test.each([
    { name: 'a file as it was written', written: { [dns]: 'a' }, files: { [dns]: 'a' } },
    { name: 'a folder that is gone', written: { [dns]: 'a' }, files: {} },
    { name: 'a file that was never written', written: {}, files: { [dns]: 'a: 1' } },
  ])('are none: $name', (given) => {
    expect(problemsOf(given)).toEqual([]);
  });
});
