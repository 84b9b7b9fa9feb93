import type { Capabilities } from '../../config/install-config-model.js';
import type { Release } from '../../config/release.js';

/** What of a release a cluster may do without. Source: openshift/api config/v1/types_cluster_version.go. */
export type Capability = keyof typeof memberSince;

/**
 * Whether a component is installed: by default all are; with `capabilities` in install-config.yaml those of its
 * baseline and those named beside it. A release that does not know the capability yet installs the component always.
 */
export function isEnabled(
  capability: Capability,
  given: Capabilities | undefined,
  version: Release['version'],
): boolean {
  if (given === undefined || given.baselineCapabilitySet === 'vCurrent') return true;
  if (given.additionalEnabledCapabilities.includes(capability)) return true;
  const since = memberSince[capability];
  if (version?.major === 4 && version.minor < since) return true;
  const baseline = /^v4\.(\d+)$/.exec(given.baselineCapabilitySet)?.[1];
  return baseline !== undefined && since <= Number(baseline);
}

/** The minor version of the first baseline set of 4.x that a capability is in; it is in every later one. */
const memberSince = {
  baremetal: 11,
  marketplace: 11,
  'openshift-samples': 11,
  MachineAPI: 11,
  Console: 12,
  Insights: 12,
  Storage: 12,
  CSISnapshot: 12,
  NodeTuning: 13,
  Build: 14,
  DeploymentConfig: 14,
  ImageRegistry: 14,
  OperatorLifecycleManager: 15,
  CloudCredential: 15,
  Ingress: 16,
  CloudControllerManager: 16,
  OperatorLifecycleManagerV1: 18,
} as const;
