import type { InstallConfig } from './schema/install-config-schema.js';
import type { ServedKind } from '../release/openshift-release.js';

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
export function hasPreviewFeature({ featureSet, featureGates }: InstallConfig, name: string): boolean {
  return previewSets.includes(featureSet) || featureGates.includes(`${name}=true`);
}
