/**
 * Capabilities that each numbered set adds to the previous one.
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

/** Capabilities that are only in the set vCurrent. Releases with them list them in `gatedCapabilities`. */
const withoutSet = ['CompatibilityRequirements', 'ClusterAPI'] as const;

export type Capability = (typeof additions)[number]['adds'][number] | (typeof withoutSet)[number];

/** A baseline set named after a release. */
export type NumberedSet = (typeof additions)[number]['set'];

/** Capabilities that a release's ClusterVersion accepts. */
export interface CapabilitiesOfRelease {
  /** The newest numbered baseline set. */
  readonly capabilitySet: NumberedSet;
  /** Capabilities outside that set. Naming one requires one of its feature gates. */
  readonly gatedCapabilities: Readonly<Partial<Record<Capability, readonly string[]>>>;
  /** Whether ClusterVersion rejects `baremetal` without `MachineAPI` when both are added to the set None. */
  readonly baremetalNeedsMachineApi: boolean;
}

/** The baseline sets of all releases, oldest first. */
export const capabilitySets: readonly ['None', ...NumberedSet[], 'vCurrent'] = [
  'None',
  ...additions.map(({ set }) => set),
  'vCurrent',
];

/** The capabilities of all releases, in the order of their introduction. */
export const allCapabilities: readonly Capability[] = [
  ...additions.flatMap(({ adds }): readonly Capability[] => adds),
  ...withoutSet,
];

/** All capabilities that a release's ClusterVersion accepts, including those that need a feature gate. */
export function capabilitiesOf(release: CapabilitiesOfRelease): ReadonlySet<string> {
  return new Set([...upTo(release.capabilitySet), ...Object.keys(release.gatedCapabilities)]);
}

/** The capabilities of a baseline set in a release; undefined if the release does not have the set. */
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
