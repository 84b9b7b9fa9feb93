import type { InstallConfig } from './schema/install-config-schema.js';
import type { ServedKind } from '../release/openshift-release.js';

/** Feature sets that enable all preview features. Source: openshift/api config/v1 FeatureSet. */
const previewSets: readonly string[] = ['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade'];

/** The version in which the cluster serves a kind; undefined if its gate is off or the release does not have the kind. */
export function servedVersion(
  served: ServedKind | undefined,
  install: InstallConfig,
): ServedKind['apiVersion'] | undefined {
  const isServed = served?.gate === undefined || hasPreviewFeature(install, served.gate);
  return isServed ? served?.apiVersion : undefined;
}

/** Whether the cluster enables a preview feature. */
export function hasPreviewFeature({ featureSet, featureGates }: InstallConfig, name: string): boolean {
  return previewSets.includes(featureSet) || featureGates.includes(`${name}=true`);
}
