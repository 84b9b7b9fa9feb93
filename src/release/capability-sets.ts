/**
 * What each numbered set adds to the one before it.
 * Source: openshift/api config/v1 types_cluster_version.go, ClusterVersionCapabilitySets; the sets of older releases are the same on every branch.
 */
const additions = [
  { set: 'v4.11', adds: ['baremetal', 'marketplace', 'openshift-samples', 'MachineAPI'] },
  { set: 'v4.12', adds: ['Console', 'Insights', 'Storage', 'CSISnapshot'] },
  { set: 'v4.13', adds: ['NodeTuning'] },
  { set: 'v4.14', adds: ['Build', 'DeploymentConfig', 'ImageRegistry'] },
  { set: 'v4.15', adds: ['OperatorLifecycleManager', 'CloudCredential'] },
  { set: 'v4.16', adds: ['Ingress', 'CloudControllerManager'] },
  { set: 'v4.17', adds: [] },
  { set: 'v4.18', adds: ['OperatorLifecycleManagerV1'] },
] as const satisfies readonly { readonly set: string; readonly adds: readonly string[] }[];

/** Capabilities that only the set vCurrent has; a release that has them names them in `gatedCapabilities`. */
const withoutSet = ['CompatibilityRequirements', 'ClusterAPI'] as const;

/** A capability of any release. */
export type Capability = (typeof additions)[number]['adds'][number] | (typeof withoutSet)[number];

/** A baseline set that is named after a release. */
export type NumberedSet = (typeof additions)[number]['set'];

/** What ClusterVersion of a release accepts as capabilities. */
export interface CapabilitiesOfRelease {
  /** The newest numbered baseline set; no later set has a number. */
  readonly capabilitySet: NumberedSet;
  /** Capabilities beyond that set, each with the feature gates of which one must be enabled to name it. */
  readonly gatedCapabilities: Readonly<Partial<Record<Capability, readonly string[]>>>;
  /** Whether it refuses `baremetal` without `MachineAPI` when both are added to the set None. */
  readonly baremetalNeedsMachineApi: boolean;
}

/** The baseline sets of any release, oldest first. */
export const capabilitySets: readonly ['None', ...NumberedSet[], 'vCurrent'] = [
  'None',
  ...additions.map(({ set }) => set),
  'vCurrent',
];

/** The capabilities of any release, in the order in which they came. */
export const allCapabilities: readonly Capability[] = [
  ...additions.flatMap(({ adds }): readonly Capability[] => adds),
  ...withoutSet,
];

/** The capabilities of a release: all that its ClusterVersion accepts, some of them only with a feature gate. */
export function capabilitiesOf(release: CapabilitiesOfRelease): ReadonlySet<string> {
  return new Set([...upTo(release.capabilitySet), ...Object.keys(release.gatedCapabilities)]);
}

/** The capabilities of a baseline set in a release; undefined if the release has no such set. */
export function capabilitiesIn(set: string, release: CapabilitiesOfRelease): ReadonlySet<string> | undefined {
  if (set === 'None') return new Set();
  if (set === 'vCurrent') return capabilitiesOf(release);
  const index = indexOf(set);
  return index === -1 || index > indexOf(release.capabilitySet) ? undefined : new Set(upTo(set));
}

function upTo(set: string): readonly Capability[] {
  return additions.slice(0, indexOf(set) + 1).flatMap(({ adds }): readonly Capability[] => adds);
}

function indexOf(set: string): number {
  return additions.findIndex((entry) => entry.set === set);
}
