import { problem, type Place, type Problem } from '../../core/problem.js';
import { success } from '../../core/result.js';
import type { KubeObject } from '../../kube/object.js';
import { installConfig } from '../config/install-config.js';
import type { InstallConfig } from '../config/install-config-model.js';
import { installReading } from '../config/install-reading.js';
import { release, type Release } from '../config/release.js';
import { defineManifests } from './family.js';
import { hasPreviewFeature } from './feature-gate.js';

/** Which stream of the operating system the nodes run; none where the release does not know streams. */
export const osImageStream = defineManifests({
  name: 'manifests/os-image-stream',
  needs: { install: installConfig, reading: installReading, release },
  tryMake: ({ install, reading, release }) => {
    const apiVersion = osImageStreamVersion(release.version, install);
    if (apiVersion === undefined) {
      const at = reading.draft?.placeOf(['osImageStream']);
      return success([], install.osImageStream === undefined ? [] : [notSupported(release, at)]);
    }
    const object: KubeObject = {
      apiVersion: `machineconfiguration.openshift.io/${apiVersion}`,
      kind: 'OSImageStream',
      metadata: { name: 'cluster' },
      spec: { defaultStream: install.osImageStream ?? defaultStream(release.version) },
    };
    return success([{ path: 'openshift/99_osimagestream.yaml', object }]);
  },
  alsoElsewhere: () => [{ path: ['spec', 'defaultStream'], input: 'osImageStream in install-config.yaml' }],
});

/**
 * The version in which a release serves OSImageStream, or undefined where it does not serve the kind at all: then the
 * object could never be created and the bootstrap would wait for it in vain. v1 for everybody since 4.23, v1alpha1 as
 * a preview in 4.22; 4.21 had the preview without a field in install-config.yaml.
 * Source: openshift/api, payload-manifests/crds/*osimagestreams* and features/features.go of the branches release-4.21
 * to release-5.0.
 */
export function osImageStreamVersion(
  version: Release['version'],
  install: InstallConfig,
): 'v1' | 'v1alpha1' | undefined {
  if (version === undefined) return undefined;
  const { major, minor } = version;
  if (major > 4 || (major === 4 && minor >= 23)) return 'v1';
  return major === 4 && minor === 22 && hasPreviewFeature(install, 'OSStreams') ? 'v1alpha1' : undefined;
}

/** Source: openshift/installer pkg/types/defaults. */
function defaultStream(version: Release['version']): string {
  return (version?.major ?? 4) < 5 ? 'rhel-9' : 'rhel-10';
}

function notSupported({ image, version }: Release, at: Place | undefined): Problem {
  const which =
    version === undefined ? `the release ${image}, whose version is not known,` : `release ${version.text}`;
  return problem(
    'manifest/os-image-stream',
    `osImageStream has no effect: ${which} does not serve OSImageStream`,
    {
      at,
      hint: 'remove osImageStream, or install 4.23 or later',
    },
  );
}
