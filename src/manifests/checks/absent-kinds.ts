/**
 * Kinds that cannot be created during bootstrap. cluster-bootstrap would retry for an hour and fail; with bootstrap-in-place,
 * nothing can install their definitions in the meantime.
 */
export interface AbsentKinds {
  readonly groups: readonly string[];
  /** Absent for all kinds of the groups. */
  readonly kinds?: readonly string[];
  /** Kinds of the groups that exist during bootstrap. */
  readonly except?: readonly string[];
  /** Completes the message after `because`. */
  readonly because: string;
  readonly hint: string;
  /** The capability whose component defines the kinds. They are absent only if install-config.yaml excludes it. */
  readonly capability?: string;
  /** First minor of OpenShift 4.x whose definitions name the capability, if the capability is older. */
  readonly since?: number;
  /** `later`: a component of the release serves the kinds after the installation; `with-operator`: an operator of the user does. */
  readonly comes?: 'later' | 'with-operator';
  /** The capability whose operator serves kinds that come `later`. */
  readonly operatorCapability?: string;
  /** A definition among the user's files does not help. */
  readonly isFinal?: boolean;
}

/** Completes a hint. */
export const toPostInstall = 'move the file to post-install/: the node applies it when the kind is served';

/**
 * The first match wins. Sources: openshift/enhancements single-node-installation-bootstrap-in-place.md, "Resource
 * dependencies"; for capabilities, the annotation capability.openshift.io/name of the definitions in the manifests of
 * each operator and in openshift/api. The definitions of imageregistry.operator.openshift.io,
 * samples.operator.openshift.io, helm.openshift.io, monitoring.coreos.com and the operators' Console do not have the annotation: they
 * are installed even without their operators.
 */
export const absentKinds: readonly AbsentKinds[] = [
  {
    groups: ['network.openshift.io'],
    kinds: ['ClusterNetwork', 'EgressNetworkPolicy', 'HostSubnet', 'NetNamespace'],
    because: 'it belongs to OpenShift SDN, which single-node clusters do not run',
    hint: 'with OVN-Kubernetes use EgressFirewall instead of EgressNetworkPolicy, in post-install/',
    isFinal: true,
  },
  {
    groups: ['machineconfiguration.openshift.io'],
    kinds: ['ControllerConfig'],
    because: 'the machine config operator makes it itself',
    hint: 'use MachineConfig, KubeletConfig or ContainerRuntimeConfig',
    isFinal: true,
  },
  {
    groups: ['whereabouts.cni.cncf.io', 'k8s.cni.cncf.io', 'k8s.ovn.org', 'policy.networking.k8s.io'],
    because: 'the cluster network operator defines it, and that operator starts after the bootstrap',
    hint: toPostInstall,
    comes: 'later',
  },
  {
    groups: ['snapshot.storage.k8s.io', 'groupsnapshot.storage.k8s.io'],
    because: 'the CSI snapshot operator defines it, and that operator starts after the bootstrap',
    hint: toPostInstall,
    comes: 'later',
    // Source: openshift/cluster-csi-snapshot-controller-operator manifests, the annotation of the deployment
    operatorCapability: 'CSISnapshot',
  },
  {
    groups: ['gateway.networking.k8s.io'],
    because: 'the ingress operator defines it, and that operator starts after the bootstrap',
    hint: toPostInstall,
    comes: 'later',
  },
  ...['route', 'image', 'build', 'apps', 'template', 'project', 'user', 'oauth'].map((name) =>
    aggregated(`${name}.openshift.io`),
  ),
  aggregated('authorization.openshift.io', ['RoleBindingRestriction']),
  aggregated('security.openshift.io', ['SecurityContextConstraints']),
  aggregated('quota.openshift.io', ['ClusterResourceQuota']),
  // Source: openshift/cluster-olm-operator manifests, the deployment: init containers copy the definitions from the operands.
  {
    groups: ['olm.operatorframework.io'],
    because: 'the OLM operator defines it, and that operator starts after the bootstrap',
    hint: toPostInstall,
    comes: 'later',
  },
  {
    groups: ['packages.operators.coreos.com'],
    because: 'its API server runs in a pod, and no pod runs during the bootstrap',
    hint: toPostInstall,
    comes: 'later',
    isFinal: true,
  },
  {
    groups: [
      'agent-install.openshift.io',
      'compliance.openshift.io',
      'extensions.hive.openshift.io',
      'fileintegrity.openshift.io',
      'hive.openshift.io',
      'hypershift.openshift.io',
      'kataconfiguration.openshift.io',
      'lca.openshift.io',
      'local.storage.openshift.io',
      'logging.openshift.io',
      'lvm.topolvm.io',
      'metallb.io',
      'nfd.openshift.io',
      'nmstate.io',
      'nodetopology.openshift.io',
      'oadp.openshift.io',
      'observability.openshift.io',
      'ocs.openshift.io',
      'ptp.openshift.io',
      'ran.openshift.io',
      'sriovfec.intel.com',
      'sriovnetwork.openshift.io',
      'topology.node.k8s.io',
    ],
    because: 'an operator that is installed later defines it',
    hint: `keep the Namespace, OperatorGroup and Subscription of its operator here, and ${toPostInstall}`,
    comes: 'with-operator',
  },
  gated('MachineAPI', ['machine.openshift.io', 'autoscaling.openshift.io']),
  gated('baremetal', ['metal3.io']),
  gated('NodeTuning', ['performance.openshift.io', 'tuned.openshift.io']),
  gated('OperatorLifecycleManager', ['operators.coreos.com']),
  gated('OperatorLifecycleManagerV1', ['operator.openshift.io'], ['OLM']),
  gated('marketplace', ['config.openshift.io'], ['OperatorHub']),
  gated('Ingress', ['operator.openshift.io'], ['IngressController']),
  gated('Ingress', ['ingress.operator.openshift.io']),
  gated('CloudCredential', ['operator.openshift.io'], ['CloudCredential']),
  gated('CloudCredential', ['cloudcredential.openshift.io']),
  gated('Build', ['config.openshift.io'], ['Build']),
  { ...gated('Insights', ['config.openshift.io'], ['InsightsDataGather']), since: 22 },
  gated('Insights', ['operator.openshift.io'], ['InsightsOperator']),
  { ...gated('Insights', ['insights.openshift.io']), since: 22 },
  gated('Console', ['console.openshift.io']),
];

export function isMatch({ groups, kinds, except }: AbsentKinds, group: string, kind: string): boolean {
  return groups.includes(group) && (kinds?.includes(kind) ?? true) && except?.includes(kind) !== true;
}

/** Kinds of OpenShift's aggregated API servers; definitions cannot replace them. */
function aggregated(group: string, except: readonly string[] = []): AbsentKinds {
  return {
    groups: [group],
    except,
    because: 'its API server runs in a pod, and no pod runs during the bootstrap',
    hint: toPostInstall,
    comes: 'later',
    isFinal: true,
  };
}

function gated(capability: string, groups: readonly string[], kinds?: readonly string[]): AbsentKinds {
  return {
    groups,
    ...(kinds && { kinds }),
    because: `install-config.yaml leaves the capability ${capability} out`,
    hint: `add ${capability} to capabilities.additionalEnabledCapabilities`,
    capability,
  };
}
