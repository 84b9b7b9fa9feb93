/** Kinds of one API group that are served in the same versions. */
export interface ServedKinds {
  /** Empty for the core group. */
  readonly group: string;
  readonly versions: readonly string[];
  readonly namespaced?: readonly string[];
  readonly cluster?: readonly string[];
  /** First and last minor of Kubernetes 1.x with these kinds, if within 1.27 to 1.36. */
  readonly kubernetes?: Minors;
  /** First and last minor of OpenShift 4.x with these kinds, if within 4.14 to 4.23. */
  readonly openshift?: Minors;
  /** The definition is only in the payload of the preview feature sets, not in Default or OKD. */
  readonly isPreview?: true;
}

interface Minors {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Kubernetes kinds that can be created and read. Alpha and beta versions count as served, although they need a
 * feature gate of OpenShift.
 * Source: kubernetes/api, the branches release-1.27 to release-1.36: types.go (genclient tags) and
 * zz_generated.prerelease-lifecycle.go (APILifecycleRemoved)
 */
const kubernetesKinds: readonly ServedKinds[] = [
  {
    group: '',
    versions: ['v1'],
    namespaced: [
      ...['ConfigMap', 'Endpoints', 'Event', 'LimitRange', 'PersistentVolumeClaim', 'Pod', 'PodTemplate'],
      ...['ReplicationController', 'ResourceQuota', 'Secret', 'Service', 'ServiceAccount'],
    ],
    cluster: ['Namespace', 'Node', 'PersistentVolume'],
  },
  {
    group: 'apps',
    versions: ['v1'],
    namespaced: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  },
  { group: 'batch', versions: ['v1'], namespaced: ['CronJob', 'Job'] },
  { group: 'autoscaling', versions: ['v2', 'v1'], namespaced: ['HorizontalPodAutoscaler'] },
  { group: 'policy', versions: ['v1'], namespaced: ['PodDisruptionBudget'] },
  {
    group: 'rbac.authorization.k8s.io',
    versions: ['v1'],
    namespaced: ['Role', 'RoleBinding'],
    cluster: ['ClusterRole', 'ClusterRoleBinding'],
  },
  { group: 'networking.k8s.io', versions: ['v1'], namespaced: ['Ingress', 'NetworkPolicy'] },
  { group: 'networking.k8s.io', versions: ['v1'], cluster: ['IngressClass'] },
  {
    group: 'networking.k8s.io',
    versions: ['v1'],
    cluster: ['IPAddress', 'ServiceCIDR'],
    kubernetes: { from: 33 },
  },
  {
    group: 'networking.k8s.io',
    versions: ['v1beta1'],
    cluster: ['IPAddress', 'ServiceCIDR'],
    kubernetes: { from: 31 },
  },
  { group: 'networking.k8s.io', versions: ['v1alpha1'], cluster: ['IPAddress'], kubernetes: { to: 32 } },
  {
    group: 'networking.k8s.io',
    versions: ['v1alpha1'],
    cluster: ['ServiceCIDR'],
    kubernetes: { from: 29, to: 32 },
  },
  { group: 'networking.k8s.io', versions: ['v1alpha1'], cluster: ['ClusterCIDR'], kubernetes: { to: 28 } },
  {
    group: 'storage.k8s.io',
    versions: ['v1'],
    namespaced: ['CSIStorageCapacity'],
    cluster: ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'],
  },
  { group: 'storage.k8s.io', versions: ['v1'], cluster: ['VolumeAttributesClass'], kubernetes: { from: 34 } },
  {
    group: 'storage.k8s.io',
    versions: ['v1beta1'],
    cluster: ['VolumeAttributesClass'],
    kubernetes: { from: 31 },
  },
  {
    group: 'storage.k8s.io',
    versions: ['v1alpha1'],
    cluster: ['VolumeAttributesClass'],
    kubernetes: { from: 29, to: 34 },
  },
  { group: 'scheduling.k8s.io', versions: ['v1'], cluster: ['PriorityClass'] },
  {
    group: 'scheduling.k8s.io',
    versions: ['v1alpha1'],
    namespaced: ['Workload'],
    kubernetes: { from: 35, to: 35 },
  },
  {
    group: 'scheduling.k8s.io',
    versions: ['v1alpha2'],
    namespaced: ['PodGroup', 'Workload'],
    kubernetes: { from: 36 },
  },
  { group: 'node.k8s.io', versions: ['v1'], cluster: ['RuntimeClass'] },
  { group: 'apiextensions.k8s.io', versions: ['v1'], cluster: ['CustomResourceDefinition'] },
  { group: 'apiregistration.k8s.io', versions: ['v1'], cluster: ['APIService'] },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1'],
    cluster: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1'],
    cluster: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    kubernetes: { from: 30 },
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1beta1'],
    cluster: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    kubernetes: { from: 28, to: 33 },
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1alpha1'],
    cluster: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    kubernetes: { to: 31 },
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1'],
    cluster: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    kubernetes: { from: 36 },
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1beta1'],
    cluster: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    kubernetes: { from: 34 },
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1alpha1'],
    cluster: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    kubernetes: { from: 32 },
  },
  { group: 'certificates.k8s.io', versions: ['v1'], cluster: ['CertificateSigningRequest'] },
  {
    group: 'certificates.k8s.io',
    versions: ['v1beta1'],
    cluster: ['ClusterTrustBundle'],
    kubernetes: { from: 33 },
  },
  { group: 'certificates.k8s.io', versions: ['v1alpha1'], cluster: ['ClusterTrustBundle'] },
  {
    group: 'certificates.k8s.io',
    versions: ['v1beta1'],
    namespaced: ['PodCertificateRequest'],
    kubernetes: { from: 35 },
  },
  {
    group: 'certificates.k8s.io',
    versions: ['v1alpha1'],
    namespaced: ['PodCertificateRequest'],
    kubernetes: { from: 34, to: 34 },
  },
  { group: 'coordination.k8s.io', versions: ['v1'], namespaced: ['Lease'] },
  ...(
    [
      ['v1beta1', { from: 33 }],
      ['v1alpha2', { from: 32 }],
      ['v1alpha1', { from: 31, to: 31 }],
    ] as const
  ).map(([version, kubernetes]) => ({
    group: 'coordination.k8s.io',
    versions: [version],
    namespaced: ['LeaseCandidate'],
    kubernetes,
  })),
  { group: 'discovery.k8s.io', versions: ['v1'], namespaced: ['EndpointSlice'] },
  { group: 'events.k8s.io', versions: ['v1'], namespaced: ['Event'] },
  ...(
    [
      ['v1', { from: 29 }],
      ['v1beta3', { to: 31 }],
      ['v1beta2', { to: 28 }],
    ] as const
  ).map(([version, kubernetes]) => ({
    group: 'flowcontrol.apiserver.k8s.io',
    versions: [version],
    cluster: ['FlowSchema', 'PriorityLevelConfiguration'],
    kubernetes,
  })),
  ...(
    [
      ['v1', { from: 34 }],
      ['v1beta2', { from: 33 }],
      ['v1beta1', { from: 32 }],
      ['v1alpha3', { from: 31, to: 33 }],
    ] as const
  ).map(([version, kubernetes]) => ({
    group: 'resource.k8s.io',
    versions: [version],
    namespaced: ['ResourceClaim', 'ResourceClaimTemplate'],
    cluster: ['DeviceClass', 'ResourceSlice'],
    kubernetes,
  })),
  {
    group: 'resource.k8s.io',
    versions: ['v1alpha2'],
    namespaced: ['PodSchedulingContext', 'ResourceClaim', 'ResourceClaimTemplate'],
    cluster: ['ResourceClass'],
    kubernetes: { to: 30 },
  },
  {
    group: 'resource.k8s.io',
    versions: ['v1alpha2'],
    namespaced: ['ResourceClaimParameters', 'ResourceClassParameters'],
    cluster: ['ResourceSlice'],
    kubernetes: { from: 30, to: 30 },
  },
  {
    group: 'resource.k8s.io',
    versions: ['v1alpha3'],
    namespaced: ['PodSchedulingContext'],
    kubernetes: { from: 31, to: 31 },
  },
  {
    group: 'resource.k8s.io',
    versions: ['v1alpha3'],
    cluster: ['DeviceTaintRule'],
    kubernetes: { from: 33 },
  },
  { group: 'resource.k8s.io', versions: ['v1beta2'], cluster: ['DeviceTaintRule'], kubernetes: { from: 36 } },
  {
    group: 'resource.k8s.io',
    versions: ['v1alpha3'],
    cluster: ['ResourcePoolStatusRequest'],
    kubernetes: { from: 36 },
  },
  {
    group: 'storagemigration.k8s.io',
    versions: ['v1beta1'],
    cluster: ['StorageVersionMigration'],
    kubernetes: { from: 35 },
  },
  {
    group: 'storagemigration.k8s.io',
    versions: ['v1alpha1'],
    cluster: ['StorageVersionMigration'],
    kubernetes: { from: 30, to: 34 },
  },
  // Review requests to the API server. They cannot be read, and cluster-bootstrap reads each object first.
  { group: 'authentication.k8s.io', versions: ['v1'] },
  { group: 'authorization.k8s.io', versions: ['v1'] },
  { group: 'internal.apiserver.k8s.io', versions: ['v1alpha1'], cluster: ['StorageVersion'] },
];

/**
 * Kinds whose definitions are manifests of the payload. absent-kinds.ts maps definitions to capabilities.
 * Sources, on the branches release-4.14 to release-4.23 of github.com/openshift (versions with `served: true`, annotation
 * release.openshift.io/feature-set):
 * - most groups: api payload-manifests/crds; before 4.16 the definitions next to the types
 * - autoscaling: cluster-autoscaler-operator install
 * - cloudcredential: cloud-credential-operator manifests
 * - console, helm: the definitions next to the types in the vendored api of console-operator, which its image copies
 * - ingress, IngressController: cluster-ingress-operator manifests
 * - insights, InsightsDataGather: insights-operator manifests until 4.20, then api payload-manifests
 * - machine: machine-api-operator install
 * - metal3: baremetal-operator config/crd/ocp (Provisioning: cluster-baremetal-operator manifests)
 * - migration: cluster-kube-storage-version-migrator-operator manifests
 * - monitoring: cluster-monitoring-operator manifests
 * - OLM: operator-framework-olm manifests; operator.openshift.io OLM: cluster-olm-operator, vendored api
 * - performance, tuned: cluster-node-tuning-operator manifests
 */
const openShiftKinds: readonly ServedKinds[] = [
  {
    group: 'config.openshift.io',
    versions: ['v1'],
    cluster: [
      ...['APIServer', 'Authentication', 'Build', 'ClusterOperator', 'ClusterVersion', 'Console', 'DNS'],
      ...['FeatureGate', 'Image', 'ImageContentPolicy', 'ImageDigestMirrorSet', 'ImageTagMirrorSet'],
      ...['Infrastructure', 'Ingress', 'Network', 'Node', 'OAuth', 'OperatorHub', 'Project', 'Proxy'],
      'Scheduler',
    ],
  },
  { group: 'config.openshift.io', versions: ['v1alpha1'], cluster: ['Backup'], isPreview: true },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterImagePolicy'],
    namespaced: ['ImagePolicy'],
    openshift: { from: 16, to: 19 },
    isPreview: true,
  },
  {
    group: 'config.openshift.io',
    versions: ['v1'],
    cluster: ['ClusterImagePolicy'],
    namespaced: ['ImagePolicy'],
    openshift: { from: 20 },
  },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterMonitoring'],
    openshift: { from: 19 },
    isPreview: true,
  },
  {
    group: 'config.openshift.io',
    versions: ['v1'],
    cluster: ['CRIOCredentialProviderConfig'],
    openshift: { from: 23 },
  },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['CRIOCredentialProviderConfig'],
    openshift: { from: 22, to: 22 },
    isPreview: true,
  },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['PKI'],
    openshift: { from: 22 },
    isPreview: true,
  },
  {
    group: 'config.openshift.io',
    versions: ['v1'],
    cluster: ['InsightsDataGather'],
    openshift: { from: 22 },
  },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha2'],
    cluster: ['InsightsDataGather'],
    openshift: { from: 20, to: 21 },
    isPreview: true,
  },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['InsightsDataGather'],
    openshift: { to: 19 },
    isPreview: true,
  },
  {
    group: 'operator.openshift.io',
    versions: ['v1'],
    cluster: [
      ...[
        'Authentication',
        'CSISnapshotController',
        'CloudCredential',
        'ClusterCSIDriver',
        'Config',
        'Console',
      ],
      ...['DNS', 'Etcd', 'InsightsOperator', 'KubeAPIServer', 'KubeControllerManager', 'KubeScheduler'],
      ...['KubeStorageVersionMigrator', 'MachineConfiguration', 'Network', 'OpenShiftAPIServer'],
      ...['OpenShiftControllerManager', 'ServiceCA', 'Storage'],
    ],
    namespaced: ['IngressController'],
  },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ImageContentSourcePolicy'],
  },
  { group: 'operator.openshift.io', versions: ['v1alpha1'], cluster: ['EtcdBackup'], isPreview: true },
  { group: 'operator.openshift.io', versions: ['v1'], cluster: ['OLM'], openshift: { from: 18 } },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['OLM'],
    openshift: { to: 17 },
    isPreview: true,
  },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterVersionOperator'],
    openshift: { from: 19 },
    isPreview: true,
  },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterAPI'],
    openshift: { from: 22 },
  },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['Ingress'],
    openshift: { from: 23 },
    isPreview: true,
  },
  {
    group: 'machineconfiguration.openshift.io',
    versions: ['v1'],
    cluster: [
      'ContainerRuntimeConfig',
      'ControllerConfig',
      'KubeletConfig',
      'MachineConfig',
      'MachineConfigPool',
    ],
  },
  ...(
    [
      ['v1', ['MachineOSBuild', 'MachineOSConfig'], { from: 18 }],
      ['v1', ['MachineConfigNode', 'PinnedImageSet'], { from: 19 }],
      ['v1', ['InternalReleaseImage'], { from: 22 }],
      ['v1', ['OSImageStream'], { from: 23 }],
    ] as const
  ).map(([version, cluster, openshift]) => ({
    group: 'machineconfiguration.openshift.io',
    versions: [version],
    cluster,
    openshift,
  })),
  ...(
    [
      ['v1alpha1', ['MachineConfigNode'], { from: 15, to: 18 }],
      ['v1alpha1', ['MachineOSBuild', 'MachineOSConfig'], { from: 16, to: 17 }],
      ['v1alpha1', ['PinnedImageSet'], { from: 16, to: 18 }],
      ['v1alpha1', ['InternalReleaseImage'], { from: 21, to: 21 }],
      ['v1alpha1', ['OSImageStream'], { from: 21, to: 22 }],
    ] as const
  ).map(([version, cluster, openshift]) => ({
    group: 'machineconfiguration.openshift.io',
    versions: [version],
    cluster,
    openshift,
    isPreview: true as const,
  })),
  {
    group: 'apiextensions.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['CompatibilityRequirement'],
    openshift: { from: 22 },
  },
  { group: 'apiserver.openshift.io', versions: ['v1'], cluster: ['APIRequestCount'] },
  { group: 'authorization.openshift.io', versions: ['v1'], namespaced: ['RoleBindingRestriction'] },
  { group: 'autoscaling.openshift.io', versions: ['v1'], cluster: ['ClusterAutoscaler'] },
  { group: 'autoscaling.openshift.io', versions: ['v1beta1'], namespaced: ['MachineAutoscaler'] },
  { group: 'cloud.network.openshift.io', versions: ['v1'], cluster: ['CloudPrivateIPConfig'] },
  { group: 'cloudcredential.openshift.io', versions: ['v1'], namespaced: ['CredentialsRequest'] },
  {
    group: 'console.openshift.io',
    versions: ['v1'],
    cluster: [
      ...['ConsoleCLIDownload', 'ConsoleExternalLogLink', 'ConsoleLink', 'ConsoleNotification'],
      ...['ConsolePlugin', 'ConsoleQuickStart', 'ConsoleSample', 'ConsoleYAMLSample'],
    ],
  },
  {
    group: 'console.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ConsolePlugin'],
    openshift: { to: 17 },
  },
  // The definition of 4.18 has no v1alpha1.
  {
    group: 'console.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ConsolePlugin'],
    openshift: { from: 19, to: 19 },
  },
  {
    group: 'controlplane.operator.openshift.io',
    versions: ['v1alpha1'],
    namespaced: ['PodNetworkConnectivityCheck'],
  },
  {
    group: 'etcd.openshift.io',
    versions: ['v1', 'v1alpha1'],
    cluster: ['PacemakerCluster'],
    openshift: { from: 22 },
  },
  {
    group: 'helm.openshift.io',
    versions: ['v1beta1'],
    cluster: ['HelmChartRepository'],
    namespaced: ['ProjectHelmChartRepository'],
  },
  { group: 'imageregistry.operator.openshift.io', versions: ['v1'], cluster: ['Config', 'ImagePruner'] },
  { group: 'ingress.operator.openshift.io', versions: ['v1'], namespaced: ['DNSRecord'] },
  { group: 'insights.openshift.io', versions: ['v1'], cluster: ['DataGather'], openshift: { from: 22 } },
  {
    group: 'insights.openshift.io',
    versions: ['v1alpha2'],
    cluster: ['DataGather'],
    openshift: { from: 20, to: 21 },
    isPreview: true,
  },
  {
    group: 'insights.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['DataGather'],
    openshift: { to: 19 },
    isPreview: true,
  },
  { group: 'machine.openshift.io', versions: ['v1'], namespaced: ['ControlPlaneMachineSet'] },
  {
    group: 'machine.openshift.io',
    versions: ['v1beta1'],
    namespaced: ['Machine', 'MachineHealthCheck', 'MachineSet'],
  },
  { group: 'monitoring.openshift.io', versions: ['v1'], namespaced: ['AlertRelabelConfig', 'AlertingRule'] },
  {
    group: 'network.openshift.io',
    versions: ['v1alpha1'],
    namespaced: ['DNSNameResolver'],
    openshift: { from: 15 },
    isPreview: true,
  },
  { group: 'network.operator.openshift.io', versions: ['v1'], namespaced: ['EgressRouter', 'OperatorPKI'] },
  { group: 'performance.openshift.io', versions: ['v2', 'v1', 'v1alpha1'], cluster: ['PerformanceProfile'] },
  {
    group: 'platform.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['PlatformOperator'],
    openshift: { to: 19 },
    isPreview: true,
  },
  { group: 'quota.openshift.io', versions: ['v1'], cluster: ['ClusterResourceQuota'] },
  { group: 'samples.operator.openshift.io', versions: ['v1'], cluster: ['Config'] },
  { group: 'security.internal.openshift.io', versions: ['v1'], cluster: ['RangeAllocation'] },
  { group: 'security.openshift.io', versions: ['v1'], cluster: ['SecurityContextConstraints'] },
  {
    group: 'sharedresource.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['SharedConfigMap', 'SharedSecret'],
  },
  { group: 'tuned.openshift.io', versions: ['v1'], namespaced: ['Profile', 'Tuned'] },
  {
    group: 'metal3.io',
    versions: ['v1alpha1'],
    cluster: ['Provisioning'],
    namespaced: [
      ...['BMCEventSubscription', 'BareMetalHost', 'FirmwareSchema', 'HardwareData'],
      ...['HostFirmwareSettings', 'PreprovisioningImage'],
    ],
  },
  ...(
    [
      [['DataImage', 'HostFirmwareComponents'], { from: 16 }],
      [['HostUpdatePolicy'], { from: 18 }],
      [['HostClaim', 'HostDeployPolicy'], { from: 22 }],
      [['BareMetalSwitch'], { from: 23 }],
    ] as const
  ).map(([namespaced, openshift]) => ({
    group: 'metal3.io',
    versions: ['v1alpha1'],
    namespaced,
    openshift,
  })),
  { group: 'migration.k8s.io', versions: ['v1alpha1'], cluster: ['StorageState', 'StorageVersionMigration'] },
  {
    group: 'monitoring.coreos.com',
    versions: ['v1'],
    namespaced: [
      ...['Alertmanager', 'PodMonitor', 'Probe', 'Prometheus', 'PrometheusRule', 'ServiceMonitor'],
      'ThanosRuler',
    ],
  },
  { group: 'monitoring.coreos.com', versions: ['v1beta1', 'v1alpha1'], namespaced: ['AlertmanagerConfig'] },
  {
    group: 'operators.coreos.com',
    versions: ['v1alpha1'],
    namespaced: ['CatalogSource', 'ClusterServiceVersion', 'InstallPlan', 'Subscription'],
  },
  { group: 'operators.coreos.com', versions: ['v1', 'v1alpha2'], namespaced: ['OperatorGroup'] },
  { group: 'operators.coreos.com', versions: ['v1', 'v2'], namespaced: ['OperatorCondition'] },
  { group: 'operators.coreos.com', versions: ['v1'], cluster: ['OLMConfig', 'Operator'] },
];

/** All kinds that an API server of a known release serves during bootstrap. */
export const servedKinds: readonly ServedKinds[] = [...kubernetesKinds, ...openShiftKinds];
