import { byPath } from '../../core/compare.js';
import { publicFile, secretFile, type OutputFile } from '../../core/output-file.js';
import { resultOf } from '../../core/result.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { defineAsset } from '../../graph/asset.js';
import type { NodeFile } from '../../ignition/types.js';
import type { Manifest } from '../../kube/manifest.js';
import { collisionProblems } from '../../manifests/checks/check-collisions.js';
import { cloudControllerProblems } from '../../manifests/checks/check-cloud-controller.js';
import { cpuSetProblems } from '../../manifests/checks/check-cpu-sets.js';
import { poolConfigProblems } from '../../manifests/checks/check-pool-configs.js';
import { rootDeviceProblems } from '../../manifests/checks/check-root-device.js';
import { settingProblems } from '../../manifests/checks/check-settings.js';
import { clusterVersionPath } from '../../manifests/cluster-version-path.js';
import { overridesPatch, withOverrides } from '../../manifests/overrides.js';
import { installReading } from '../config/install-reading.js';
import { generatedManifests } from './every-family.js';
import { userManifests } from './user-manifests.js';

/**
 * All manifests of the installation, by path: the generated ones, with the user's edits and deletions, and the user's own.
 * Only generated manifests are written; the others stay where the user put them.
 * Problems: those of `collisionProblems`, `settingProblems`, `rootDeviceProblems`, `poolConfigProblems`, `cpuSetProblems` and
 * `cloudControllerProblems`.
 */
export const manifests = defineAsset({
  name: 'manifests/all',
  needs: { generated: generatedManifests, users: userManifests, install: installReading },
  tryMake: ({ generated, users, install: { draft } }) => {
    const families = new Set(generated.map(({ path }) => path));
    // An earlier output that the user changed and that is no longer generated counts as the user's own file.
    const added = users.filter(({ file }) => !families.has(file));
    const all = [...generated, ...added.flatMap(({ manifests }) => manifests)];
    return resultOf<readonly Manifest[]>(all.toSorted(byPath), [
      ...collisionProblems(all),
      ...settingProblems(all),
      ...rootDeviceProblems(all),
      ...poolConfigProblems(all),
      ...cpuSetProblems(all),
      ...cloudControllerProblems(all, draft),
    ]);
  },
  files: (all) => all.filter(({ origin }) => origin === 'generated').map(outputFile),
});

/** The manifests on the live system, with ClusterVersion adapted for the bootstrap. */
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
