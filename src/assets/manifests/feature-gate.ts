import { customFeatures } from '../../config/feature-sets.js';
import type { InstallConfig } from '../../fields/install-config-schema.js';
import type { FeatureGate } from '../../kube/openshift-objects.js';
import { installConfig } from '../config/install-config.js';
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
