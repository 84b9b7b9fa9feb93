/** Kinds of one API group that are served in the same versions. */
export interface ServedKinds {
  /** Empty for the core group. */
  readonly group: string;
  readonly versions: readonly string[];
  readonly namespaced?: readonly string[];
  readonly cluster?: readonly string[];
  /** First and last minor of Kubernetes 1.x that serves them, where these are within 1.27 to 1.36. */
  readonly kubernetes?: Minors;
  /** The same of OpenShift 4.x, within 4.14 to 4.23. */
  readonly openshift?: Minors;
}

interface Minors {
  readonly from?: number;
  readonly to?: number;
}

/**
 * The kinds of Kubernetes that can be created and read again. A version that is served only with a feature gate counts as served.
 * Sources: kubernetes/kubernetes api/discovery; kubernetes.io/docs/reference/using-api/deprecation-guide
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
    versions: ['v1beta1', 'v1alpha1'],
    cluster: ['IPAddress', 'ServiceCIDR'],
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
    versions: ['v1beta1', 'v1alpha1'],
    cluster: ['VolumeAttributesClass'],
    kubernetes: { from: 29 },
  },
  { group: 'scheduling.k8s.io', versions: ['v1'], cluster: ['PriorityClass'] },
  {
    group: 'scheduling.k8s.io',
    versions: ['v1alpha1', 'v1alpha2', 'v1alpha3'],
    namespaced: ['PodGroup', 'Workload'],
    kubernetes: { from: 35 },
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
    versions: ['v1beta1', 'v1alpha1'],
    cluster: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1'],
    cluster: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    kubernetes: { from: 36 },
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1beta1', 'v1alpha1'],
    cluster: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
    kubernetes: { from: 32 },
  },
  { group: 'certificates.k8s.io', versions: ['v1'], cluster: ['CertificateSigningRequest'] },
  { group: 'certificates.k8s.io', versions: ['v1beta1', 'v1alpha1'], cluster: ['ClusterTrustBundle'] },
  {
    group: 'certificates.k8s.io',
    versions: ['v1beta1', 'v1alpha1'],
    namespaced: ['PodCertificateRequest'],
    kubernetes: { from: 34 },
  },
  { group: 'coordination.k8s.io', versions: ['v1'], namespaced: ['Lease'] },
  {
    group: 'coordination.k8s.io',
    versions: ['v1beta1', 'v1alpha2', 'v1alpha1'],
    namespaced: ['LeaseCandidate'],
    kubernetes: { from: 31 },
  },
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
  {
    group: 'resource.k8s.io',
    versions: ['v1', 'v1beta2', 'v1beta1', 'v1alpha3', 'v1alpha2'],
    namespaced: [
      ...['PodSchedulingContext', 'ResourceClaim', 'ResourceClaimParameters', 'ResourceClaimTemplate'],
      'ResourceClassParameters',
    ],
    cluster: ['DeviceClass', 'DeviceTaintRule', 'ResourceClass', 'ResourceSlice'],
  },
  {
    group: 'storagemigration.k8s.io',
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    cluster: ['StorageVersionMigration'],
    kubernetes: { from: 30 },
  },
  // Their kinds are questions to the API server, and none can be read again, which cluster-bootstrap does first.
  { group: 'authentication.k8s.io', versions: ['v1'] },
  { group: 'authorization.k8s.io', versions: ['v1'] },
  { group: 'internal.apiserver.k8s.io', versions: ['v1alpha1'], cluster: ['StorageVersion'] },
];

/**
 * The kinds whose definitions the payload brings, whatever its feature set.
 * Sources, by the branches release-4.14 to release-4.23: openshift/api payload-manifests and the definitions beside the types;
 * cluster-node-tuning-operator manifests; operator-framework/api crds; metal3-io/baremetal-operator config/crd;
 * prometheus-operator; kubernetes-sigs/kube-storage-version-migrator manifests
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
  { group: 'config.openshift.io', versions: ['v1alpha1'], cluster: ['Backup'] },
  {
    group: 'config.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterImagePolicy'],
    namespaced: ['ImagePolicy'],
    openshift: { from: 16, to: 21 },
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
  },
  {
    group: 'config.openshift.io',
    versions: ['v1', 'v1alpha1'],
    cluster: ['CRIOCredentialProviderConfig', 'PKI'],
    openshift: { from: 22 },
  },
  {
    group: 'config.openshift.io',
    versions: ['v1', 'v1alpha2', 'v1alpha1'],
    cluster: ['InsightsDataGather'],
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
    cluster: ['EtcdBackup', 'ImageContentSourcePolicy'],
  },
  { group: 'operator.openshift.io', versions: ['v1', 'v1alpha1'], cluster: ['OLM'] },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterVersionOperator'],
    openshift: { from: 19 },
  },
  {
    group: 'operator.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['ClusterAPI', 'Ingress'],
    openshift: { from: 22 },
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
  {
    group: 'machineconfiguration.openshift.io',
    versions: ['v1', 'v1alpha1'],
    cluster: [
      ...['InternalReleaseImage', 'MachineConfigNode', 'MachineOSBuild', 'MachineOSConfig', 'OSImageStream'],
      'PinnedImageSet',
    ],
  },
  { group: 'apiextensions.openshift.io', versions: ['v1alpha1'], cluster: ['CompatibilityRequirement'] },
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
    openshift: { to: 20 },
  },
  {
    group: 'controlplane.operator.openshift.io',
    versions: ['v1alpha1'],
    namespaced: ['PodNetworkConnectivityCheck'],
  },
  { group: 'etcd.openshift.io', versions: ['v1', 'v1alpha1'], cluster: ['PacemakerCluster'] },
  {
    group: 'helm.openshift.io',
    versions: ['v1beta1'],
    cluster: ['HelmChartRepository'],
    namespaced: ['ProjectHelmChartRepository'],
  },
  { group: 'imageregistry.operator.openshift.io', versions: ['v1'], cluster: ['Config', 'ImagePruner'] },
  { group: 'ingress.operator.openshift.io', versions: ['v1'], namespaced: ['DNSRecord'] },
  { group: 'insights.openshift.io', versions: ['v1', 'v1alpha2', 'v1alpha1'], cluster: ['DataGather'] },
  { group: 'machine.openshift.io', versions: ['v1'], namespaced: ['ControlPlaneMachineSet'] },
  {
    group: 'machine.openshift.io',
    versions: ['v1beta1'],
    namespaced: ['Machine', 'MachineHealthCheck', 'MachineSet'],
  },
  { group: 'monitoring.openshift.io', versions: ['v1'], namespaced: ['AlertRelabelConfig', 'AlertingRule'] },
  { group: 'network.openshift.io', versions: ['v1alpha1'], namespaced: ['DNSNameResolver'] },
  { group: 'network.operator.openshift.io', versions: ['v1'], namespaced: ['EgressRouter', 'OperatorPKI'] },
  { group: 'performance.openshift.io', versions: ['v2', 'v1', 'v1alpha1'], cluster: ['PerformanceProfile'] },
  {
    group: 'platform.openshift.io',
    versions: ['v1alpha1'],
    cluster: ['PlatformOperator'],
    openshift: { to: 19 },
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
      ...['BMCEventSubscription', 'BareMetalHost', 'DataImage', 'FirmwareSchema', 'HardwareData'],
      ...['HostDeployPolicy', 'HostFirmwareComponents', 'HostFirmwareSettings', 'HostUpdatePolicy'],
      'PreprovisioningImage',
    ],
  },
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
  {
    group: 'olm.operatorframework.io',
    versions: ['v1', 'v1alpha1'],
    cluster: [
      ...['BundleDeployment', 'Catalog', 'ClusterCatalog', 'ClusterExtension', 'ClusterExtensionRevision'],
      'Operator',
    ],
  },
];

/** Every kind that an API server of a known release serves while the cluster bootstraps. */
export const servedKinds: readonly ServedKinds[] = [...kubernetesKinds, ...openShiftKinds];
