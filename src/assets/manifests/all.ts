import { byPath } from '../../core/compare.js';
import { publicFile, secretFile, type OutputFile } from '../../core/output-file.js';
import { resultOf } from '../../core/result.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import type { Manifest } from '../../kube/manifest.js';
import { meetingProblems } from '../../manifests/checks/check-meeting-paths.js';
import { settingProblems } from '../../manifests/checks/check-settings.js';
import { clusterVersionPath } from '../../manifests/cluster-version-path.js';
import { overridesPatch, withOverrides } from '../../manifests/overrides.js';
import { generatedManifests } from './every-family.js';
import { userManifests } from './user-manifests.js';

/**
 * Every manifest of the installation, by path: what we generate, with the user's edits and deletions, and what the user
 * adds. Only what we generate is written; the rest is where the user put it.
 * Problems: those of `meetingProblems` and `settingProblems`.
 */
export const manifests = defineAsset({
  name: 'manifests/all',
  needs: { generated: generatedManifests, users: userManifests },
  tryMake: ({ generated, users }) => {
    const families = new Set(generated.map(({ path }) => path));
    // A file we wrote, whose family is not made any more and which the user has changed, is the user's own now.
    const added = users.filter(({ file }) => !families.has(file));
    const all = [...generated, ...added.flatMap(({ manifests }) => manifests)];
    return resultOf<readonly Manifest[]>(all.toSorted(byPath), [
      ...meetingProblems(all),
      ...settingProblems(all),
    ]);
  },
  files: (all) => all.filter(({ origin }) => origin === 'generated').map(outputFile),
});

/** The manifests as the live system has them, with ClusterVersion made ready for the bootstrap. */
export const manifestNodeFiles = defineAsset({
  name: 'manifests/node-files',
  needs: { manifests },
  make: ({ manifests }): readonly NodeFile[] => [
    ...manifests
      .map((manifest) => (isClusterVersion(manifest) ? forBootstrap(manifest, manifests) : manifest))
      .map(nodeFile),
    ...manifests.filter(isClusterVersion).map(({ object }) => ({
      path: `${nodeFolder}/original_cvo_overrides.patch`,
      mode: 0o644,
      contents: overridesPatch(object),
    })),
  ],
});

/** Source: openshift/installer pkg/asset/ignition/bootstrap. */
const nodeFolder = '/opt/openshift';

function isClusterVersion({ path }: Manifest): boolean {
  return path === clusterVersionPath;
}

function forBootstrap(clusterVersion: Manifest, all: readonly Manifest[]): Manifest {
  const object = withOverrides(clusterVersion.object, all);
  return { ...clusterVersion, object, text: writeYaml(object) };
}

function outputFile({ path, text, isSecret }: Manifest): OutputFile {
  return isSecret ? secretFile(path, text) : publicFile(path, text);
}

function nodeFile({ path, text, isSecret }: Manifest): NodeFile {
  return { path: `${nodeFolder}/${path}`, mode: isSecret ? 0o600 : 0o644, contents: text };
}
