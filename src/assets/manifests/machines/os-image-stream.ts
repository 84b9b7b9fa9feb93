import type { Release } from '../../../config/reading/release.js';
import { problem, type Place, type Problem } from '../../../core/problem.js';
import { success } from '../../../core/result.js';
import type { KubeObject } from '../../../kube/object.js';
import { firstReleaseWithStreams, osImageStreamVersion } from '../../../manifests/os-image-streams.js';
import { releases } from '../../../release/releases.js';
import { installConfig } from '../../config/install-config.js';
import { installReading } from '../../config/install-reading.js';
import { release } from '../../config/release.js';
import { defineManifests } from '../family.js';

/**
 * The nodes' operating system stream; omitted if the release does not support streams. OKD has a single stream, and its
 * machine-config operator creates the object. Source: machine-config-operator pkg/osimagestream/streams.go
 */
export const osImageStream = defineManifests({
  name: 'manifests/os-image-stream',
  needs: { install: installConfig, reading: installReading, release },
  tryMake: ({ install, reading, release }) => {
    const { isOkd, version } = release;
    const apiVersion = osImageStreamVersion(version, install);
    if (isOkd || version === undefined || apiVersion === undefined) {
      const at = reading.draft?.placeOf(['osImageStream']);
      return success([], install.osImageStream === undefined ? [] : [notSupported(release, at)]);
    }
    const object: KubeObject = {
      apiVersion: `machineconfiguration.openshift.io/${apiVersion}`,
      kind: 'OSImageStream',
      metadata: { name: 'cluster' },
      spec: { defaultStream: install.osImageStream ?? releases.like(version).osStream },
    };
    return success([{ path: 'openshift/99_osimagestream.yaml', object }]);
  },
  alsoElsewhere: () => [{ path: ['spec', 'defaultStream'], input: 'osImageStream in install-config.yaml' }],
});

function notSupported({ image, isOkd, version }: Release, at: Place | undefined): Problem {
  if (isOkd) {
    const message = 'osImageStream has no effect: OKD has one stream of CentOS Stream CoreOS';
    return problem('manifest/os-image-stream', message, { at, hint: 'remove osImageStream' });
  }
  const which =
    version === undefined ? `the release ${image}, whose version is not known,` : `release ${version.text}`;
  return problem(
    'manifest/os-image-stream',
    `osImageStream has no effect: ${which} does not serve OSImageStream`,
    {
      at,
      hint: `remove osImageStream, or install ${firstReleaseWithStreams} or later`,
    },
  );
}
