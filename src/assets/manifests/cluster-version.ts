import type { Release } from '../../config/reading/release.js';
import { problem, type Place, type Problem } from '../../core/problem.js';
import { success } from '../../core/result.js';
import type { Capabilities, InstallConfig } from '../../config/schema/install-config-schema.js';
import type { ClusterVersion } from '../../kube/openshift-objects.js';
import { clusterVersionPath } from '../../manifests/cluster-version-path.js';
import { releases } from '../../release/releases.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import { clusterId } from '../identity/cluster-id.js';
import { defineManifests } from './family.js';

/** Initial ClusterVersion. `overrides.ts` adds its overrides for the node. */
export const clusterVersion = defineManifests({
  name: 'manifests/cluster-version',
  needs: { install: installConfig, reading: snoReading, release, id: clusterId },
  tryMake: ({ install, reading, release, id }) => {
    const object = clusterVersionObject(install, release, id.uuid);
    const at = reading.config.releaseImage === release.image ? reading.placeOf(['releaseImage']) : undefined;
    return success(
      [{ path: clusterVersionPath, object }],
      release.version || release.isOkd ? [] : [versionUnknown(release, at)],
    );
  },
  alsoElsewhere: () => [
    { path: ['spec', 'capabilities'], input: 'capabilities in install-config.yaml' },
    { path: ['spec', 'clusterID'], input: 'the state file' },
  ],
});

function clusterVersionObject(
  { capabilities }: InstallConfig,
  release: Release,
  clusterID: string,
): ClusterVersion {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterVersion',
    metadata: { name: 'version', namespace: 'openshift-cluster-version' },
    spec: {
      ...(capabilities && { capabilities: capabilitiesSpec(capabilities) }),
      ...updates(release),
      clusterID,
    },
  };
}

/** Channel and update graph. Source for OKD: openshift/installer data/data/manifests/bootkube/cvo-overrides.yaml.template */
function updates({ isOkd, version }: Release): Pick<ClusterVersion['spec'], 'channel' | 'upstream'> {
  if (isOkd)
    return {
      channel: 'stable-scos-4',
      upstream: 'https://amd64.origin.releases.ci.openshift.org/graph',
    };
  return version ? { channel: `stable-${version.text}` } : {};
}

function capabilitiesSpec({
  baselineCapabilitySet,
  additionalEnabledCapabilities,
}: Capabilities): NonNullable<ClusterVersion['spec']['capabilities']> {
  return {
    ...(additionalEnabledCapabilities.length > 0 && { additionalEnabledCapabilities }),
    baselineCapabilitySet,
  };
}

function versionUnknown({ image }: Release, at: Place | undefined): Problem {
  const message = `the version of the release ${image} is not known, so the cluster gets no update channel`;
  return problem('manifest/release-version-unknown', message, {
    at,
    hint: `set releaseVersion in sno-config.yaml, such as releaseVersion: "${releases.newest.version.text}"`,
  });
}
