/** What each set adds to the one before it. Source: openshift/api config/v1 types_cluster_version.go, ClusterVersionCapabilitySets. */
const additions = [
  { set: 'None', adds: [] },
  { set: 'v4.11', adds: ['baremetal', 'marketplace', 'openshift-samples', 'MachineAPI'] },
  { set: 'v4.12', adds: ['Console', 'Insights', 'Storage', 'CSISnapshot'] },
  { set: 'v4.13', adds: ['NodeTuning'] },
  { set: 'v4.14', adds: ['Build', 'DeploymentConfig', 'ImageRegistry'] },
  { set: 'v4.15', adds: ['OperatorLifecycleManager', 'CloudCredential'] },
  { set: 'v4.16', adds: ['Ingress', 'CloudControllerManager'] },
  { set: 'v4.17', adds: [] },
  { set: 'v4.18', adds: ['OperatorLifecycleManagerV1'] },
  { set: 'vCurrent', adds: ['CompatibilityRequirements', 'ClusterAPI'] },
] as const satisfies readonly { readonly set: string; readonly adds: readonly string[] }[];

/** The baseline sets, oldest first. */
export const capabilitySets = additions.map(({ set }) => set);

/** Every capability, in the order in which they came. */
export const allCapabilities = additions.flatMap(({ adds }): readonly Capability[] => adds);

type CapabilitySet = (typeof additions)[number]['set'];
type Capability = (typeof additions)[number]['adds'][number];

/** The capabilities of a baseline set; undefined when there is no such set. */
export function capabilitiesOf(set: string): ReadonlySet<string> | undefined {
  const last = additions.findIndex((entry) => entry.set === set);
  return last === -1
    ? undefined
    : new Set(additions.slice(0, last + 1).flatMap(({ adds }): readonly string[] => adds));
}

/** The first baseline set that has a capability. */
export function firstSetWith(capability: Capability): CapabilitySet {
  const found = additions.find(({ adds }) => adds.some((each) => each === capability));
  if (found === undefined) throw new Error(`internal error: no set has the capability ${capability}`);
  return found.set;
}
