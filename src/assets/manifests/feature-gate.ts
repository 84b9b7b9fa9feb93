import type { FeatureGate } from '../../kube/cluster-config.js';
import type { ServedKind } from '../../release/openshift-release.js';
import { customFeatures } from '../config/feature-sets.js';
import { installConfig } from '../config/install-config.js';
import type { InstallConfig } from '../config/install-config-model.js';
import { defineManifests } from './family.js';

/** Which features are on; written for the default set too, since the renders on the node need the file. */
export const featureGate = defineManifests({
  name: 'manifests/feature-gate',
  needs: { install: installConfig },
  make: ({ install }) => [{ path: 'openshift/99_feature-gate.yaml', object: featureGateObject(install) }],
  alsoElsewhere: () => [
    { path: ['spec', 'featureSet'], input: 'featureSet in install-config.yaml' },
    { path: ['spec', 'customNoUpgrade'], input: 'featureGates in install-config.yaml' },
  ],
});

/** The sets that turn every feature in preview on. Source: openshift/api config/v1 FeatureSet. */
const previewSets: readonly string[] = ['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade'];

/** The version in which this cluster serves a kind; undefined where its gate is off, or the release has not got it. */
export function servedVersion(
  served: ServedKind | undefined,
  install: InstallConfig,
): ServedKind['apiVersion'] | undefined {
  const isServed = served?.gate === undefined || hasPreviewFeature(install, served.gate);
  return isServed ? served?.apiVersion : undefined;
}

/** Whether the cluster runs with a feature that is still in preview. */
function hasPreviewFeature({ featureSet, featureGates }: InstallConfig, name: string): boolean {
  return previewSets.includes(featureSet) || featureGates.includes(`${name}=true`);
}

function featureGateObject({ featureSet, featureGates }: InstallConfig): FeatureGate {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    spec: {
      ...(featureGates.length > 0 && { customNoUpgrade: customFeatures(featureGates) }),
      ...(featureSet !== '' && { featureSet }),
    },
  };
}
