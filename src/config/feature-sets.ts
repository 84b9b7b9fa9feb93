import type { InstallConfig } from './schema/install-config-schema.js';
import type { Finding } from './schema/rule.js';
import type { ReleaseVersion } from '../release/release-version.js';
import { releases } from '../release/releases.js';

/** Properties of the release that determine the feature set OKD. */
interface ReleaseFacts {
  readonly isOkd: boolean;
  readonly version?: ReleaseVersion;
}

/** Whether the feature gates of a set are only listed in the payload. Source: openshift/api config/v1 FeatureSet */
export function hasPayloadDefinedGates(featureSet: string): boolean {
  return featureSet !== '' && featureSet !== 'Default' && featureSet !== 'CustomNoUpgrade';
}

/**
 * The effective feature set of the cluster. OKD releases with the set OKD use it unless the config selects another: their
 * cluster-config-operator replaces the default set.
 * Source: openshift/cluster-config-operator pkg/operator/migrateokdfeatureset
 */
export function clusterFeatureSet(featureSet: string, { isOkd, version }: ReleaseFacts): string {
  const hasDefault = featureSet === '' || featureSet === 'Default';
  return hasDefault && isOkd && version && releases.like(version).hasOkdFeatureSet ? 'OKD' : featureSet;
}

/** Reports `featureSet: OKD` for a release without that set. Source: openshift/installer pkg/types/validation */
export function okdFindings(
  { featureSet }: InstallConfig,
  { isOkd, version }: ReleaseFacts,
): readonly Finding[] {
  if (featureSet !== 'OKD') return [];
  const finding = { code: 'config/feature-set' as const, path: ['featureSet'] };
  if (!isOkd) {
    const message = 'featureSet OKD needs an OKD release, and releaseImage is not one';
    const hint = 'remove it, or set releaseImage in sno-config.yaml to quay.io/okd/scos-release';
    return [{ ...finding, message, hint }];
  }
  if (version === undefined || releases.like(version).hasOkdFeatureSet) return [];
  const first = releases.firstWith(({ hasOkdFeatureSet }) => hasOkdFeatureSet).version.text;
  const message = `OKD ${version.text} does not support featureSet OKD`;
  return [{ ...finding, message, hint: `remove it, or install OKD ${first} or later` }];
}

/** Gates by state, in the order given; a state without gates is absent. Source: openshift/api config/v1 CustomFeatureGates */
export interface CustomFeatures {
  readonly disabled?: readonly string[];
  readonly enabled?: readonly string[];
}

/** Parses the feature gates of an install-config: `Name=true` or `Name=false`. */
export function customFeatures(featureGates: readonly string[]): CustomFeatures {
  const [enabled, disabled] = [gatesSetTo('true', featureGates), gatesSetTo('false', featureGates)];
  return { ...(disabled.length > 0 && { disabled }), ...(enabled.length > 0 && { enabled }) };
}

function gatesSetTo(value: 'true' | 'false', gates: readonly string[]): readonly string[] {
  const suffix = `=${value}`;
  return gates.filter((gate) => gate.endsWith(suffix)).map((gate) => gate.slice(0, -suffix.length));
}
