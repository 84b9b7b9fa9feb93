import { clusterFeatureSet, customFeatures } from '../../config/feature-sets.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { FeatureGate } from '../../kube/openshift-objects.js';
import { installConfig } from '../config/install-config.js';
import { release } from '../config/release.js';
import { defineManifests } from './family.js';

/** The feature set; written for the default set too, since render commands on the node require the file. */
export const featureGate = defineManifests({
  name: 'manifests/feature-gate',
  needs: { install: installConfig, release },
  make: ({ install, release }) => [
    {
      path: 'openshift/99_feature-gate.yaml',
      object: featureGateObject(clusterFeatureSet(install.featureSet, release), install.featureGates),
    },
  ],
  alsoElsewhere: () => [
    { path: ['spec', 'featureSet'], input: 'featureSet in install-config.yaml' },
    { path: ['spec', 'customNoUpgrade'], input: 'featureGates in install-config.yaml' },
  ],
});

function featureGateObject(featureSet: string, featureGates: InstallConfig['featureGates']): FeatureGate {
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
