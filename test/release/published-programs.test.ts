import { describe, expect, it } from 'vitest';

import { defaultKubernetesVersion, knownKubernetesMinors } from '../../src/release/kubernetes.js';
import {
  newestKnownPatch,
  publishedCniPlugins,
  publishedProgram,
} from '../../src/release/published-programs.js';

const architectures = ['amd64', 'arm64', 'ppc64le'];

/** Every version that users can select without a hash. */
const versions = [
  ...knownKubernetesMinors.map((minor) => newestKnownPatch(minor) ?? ''),
  defaultKubernetesVersion,
];

describe('the programs that Kubernetes publishes', () => {
  it.each(versions.map((version) => ({ version })))(
    '$version has a hash for each program and architecture, and no two are the same',
    ({ version }) => {
      const hashes = architectures.flatMap((architecture) =>
        (['kubelet', 'kubectl'] as const).map((name) => publishedProgram(name, version, architecture).sha256),
      );
      expect(hashes.filter((hash) => !/^[0-9a-f]{64}$/.test(hash ?? ''))).toEqual([]);
      expect(new Set(hashes).size).toBe(6);
    },
  );

  it('are of no two versions the same', () => {
    const hashes = [...new Set(versions)].map(
      (version) => publishedProgram('kubelet', version, 'amd64').sha256,
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it.each([
    { name: 'an architecture', version: '1.36.3', architecture: 's390x' },
    { name: 'a patch', version: '1.36.99', architecture: 'amd64' },
  ])('have no hash for $name that is not known', ({ version, architecture }) => {
    expect(publishedProgram('kubelet', version, architecture)).toEqual({
      url: `https://dl.k8s.io/v${version}/bin/linux/${architecture}/kubelet`,
    });
  });
});

describe('the CNI plugins', () => {
  it.each(architectures)('have a hash for %s', (architecture) => {
    const { url, sha256 } = publishedCniPlugins(architecture);
    expect(url).toMatch(new RegExp(`/v[0-9.]+/cni-plugins-linux-${architecture}-v[0-9.]+\\.tgz$`));
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('have none for s390x', () => {
    expect(publishedCniPlugins('s390x').sha256).toBeUndefined();
  });
});
