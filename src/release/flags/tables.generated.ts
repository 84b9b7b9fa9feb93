// Written by scripts/flag-tables from k8s.io/kubernetes 1.27.16, 1.28.15, 1.29.15, 1.30.14, 1.31.14, 1.32.13, 1.33.13, 1.34.4, 1.35.4, 1.36.3
// and go.etcd.io/etcd/server/v3 3.5.35, 3.6.16, 3.7.3; do not edit.

/** Flags by program, then by the range of minor versions that have them: 1.x of Kubernetes, 3.x of etcd. */
export const flagsByRange = {
  'etcd': {
    '4-4': `
      debug experimental-backend-bbolt-freelist-type log-output log-package-levels
    `,
    '4-5': `
      enable-v2 experimental-enable-v2v3 proxy proxy-dial-timeout proxy-failure-wait proxy-read-timeout
      proxy-refresh-interval proxy-write-timeout
    `,
    '4-6': `
      discovery discovery-proxy experimental-compaction-batch-limit experimental-corrupt-check-time
      experimental-enable-lease-checkpoint experimental-enable-lease-checkpoint-persist
      experimental-initial-corrupt-check experimental-peer-skip-client-san-verification
      experimental-warning-apply-duration experimental-watch-progress-notify-interval
    `,
    '4-7': `
      advertise-client-urls auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention auto-tls
      backend-batch-interval backend-batch-limit bcrypt-cost cert-file cipher-suites
      client-cert-allowed-hostname client-cert-auth client-crl-file config-file cors data-dir
      discovery-fallback discovery-srv discovery-srv-name election-timeout enable-grpc-gateway enable-pprof
      force-new-cluster grpc-keepalive-interval grpc-keepalive-min-time grpc-keepalive-timeout
      heartbeat-interval host-whitelist initial-advertise-peer-urls initial-cluster initial-cluster-state
      initial-cluster-token initial-election-tick-advance key-file listen-client-urls listen-metrics-urls
      listen-peer-urls log-level log-outputs logger max-concurrent-streams max-request-bytes max-snapshots
      max-txn-ops max-wals metrics name peer-auto-tls peer-cert-allowed-cn peer-cert-allowed-hostname
      peer-cert-file peer-client-cert-auth peer-crl-file peer-key-file peer-trusted-ca-file pre-vote
      quota-backend-bytes snapshot-count strict-reconfig-check trusted-ca-file unsafe-no-fsync version wal-dir
    `,
    '5-6': `
      experimental-bootstrap-defrag-threshold-megabytes experimental-compact-hash-check-enabled
      experimental-compact-hash-check-time experimental-compaction-sleep-interval
      experimental-distributed-tracing-address experimental-distributed-tracing-instance-id
      experimental-distributed-tracing-sampling-rate experimental-distributed-tracing-service-name
      experimental-downgrade-check-time experimental-enable-distributed-tracing experimental-memory-mlock
      experimental-snapshot-catchup-entries experimental-stop-grpc-service-on-defrag
      experimental-txn-mode-write-with-shared-buffer
    `,
    '5-7': `
      backend-bbolt-freelist-type client-cert-file client-key-file enable-log-rotation listen-client-http-urls
      log-rotation-config-json peer-client-cert-file peer-client-key-file raft-read-timeout raft-write-timeout
      self-signed-cert-validity socket-reuse-address socket-reuse-port tls-max-version tls-min-version
      v2-deprecation
    `,
    '6-6': `
      experimental-warning-unary-request-duration
    `,
    '6-7': `
      bootstrap-defrag-threshold-megabytes compact-hash-check-time compaction-batch-limit
      compaction-sleep-interval corrupt-check-time discovery-cacert discovery-cert discovery-dial-timeout
      discovery-endpoints discovery-insecure-skip-tls-verify discovery-insecure-transport
      discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password
      discovery-request-timeout discovery-token discovery-user distributed-tracing-address
      distributed-tracing-instance-id distributed-tracing-sampling-rate distributed-tracing-service-name
      downgrade-check-time enable-distributed-tracing feature-gates log-format max-learners memory-mlock
      peer-skip-client-san-verification snapshot-catchup-entries warning-apply-duration
      warning-unary-request-duration watch-progress-notify-interval
    `,
  },
  'kube-apiserver': {
    '27-30': `
      cloud-provider-gce-l7lb-src-cidrs cloud-provider-gce-lb-src-cidrs
    `,
    '27-32': `
      cloud-config cloud-provider
    `,
    '27-36': `
      admission-control admission-control-config-file advertise-address aggregator-reject-forwarding-redirect
      allow-metric-labels allow-privileged anonymous-auth api-audiences apiserver-count
      audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-max-wait
      audit-log-batch-throttle-burst audit-log-batch-throttle-enable audit-log-batch-throttle-qps
      audit-log-compress audit-log-format audit-log-maxage audit-log-maxbackup audit-log-maxsize
      audit-log-mode audit-log-path audit-log-truncate-enabled audit-log-truncate-max-batch-size
      audit-log-truncate-max-event-size audit-log-version audit-policy-file audit-webhook-batch-buffer-size
      audit-webhook-batch-initial-backoff audit-webhook-batch-max-size audit-webhook-batch-max-wait
      audit-webhook-batch-throttle-burst audit-webhook-batch-throttle-enable audit-webhook-batch-throttle-qps
      audit-webhook-config-file audit-webhook-initial-backoff audit-webhook-mode
      audit-webhook-truncate-enabled audit-webhook-truncate-max-batch-size
      audit-webhook-truncate-max-event-size audit-webhook-version authentication-token-webhook-cache-ttl
      authentication-token-webhook-config-file authentication-token-webhook-version authorization-mode
      authorization-policy-file authorization-webhook-cache-authorized-ttl
      authorization-webhook-cache-unauthorized-ttl authorization-webhook-config-file
      authorization-webhook-version bind-address cert-dir client-ca-file contention-profiling
      cors-allowed-origins debug-socket-path default-not-ready-toleration-seconds
      default-unreachable-toleration-seconds default-watch-cache-size delete-collection-workers
      disable-admission-plugins disabled-metrics egress-selector-config-file enable-admission-plugins
      enable-aggregator-routing enable-bootstrap-token-auth enable-garbage-collector enable-logs-handler
      enable-priority-and-fairness encryption-provider-config encryption-provider-config-automatic-reload
      endpoint-reconciler-type etcd-cafile etcd-certfile etcd-compaction-interval
      etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-keyfile
      etcd-prefix etcd-readycheck-timeout etcd-servers etcd-servers-overrides event-ttl external-hostname
      feature-gates goaway-chance help http2-max-streams-per-connection kubelet-certificate-authority
      kubelet-client-certificate kubelet-client-key kubelet-port kubelet-preferred-address-types
      kubelet-read-only-port kubelet-timeout kubernetes-service-node-port lease-reuse-duration-seconds
      livez-grace-period log-flush-frequency log-json-info-buffer-size log-json-split-stream logging-format
      max-connection-bytes-per-sec max-mutating-requests-inflight max-requests-inflight min-request-timeout
      oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url oidc-required-claim
      oidc-signing-algs oidc-username-claim oidc-username-prefix permit-address-sharing permit-port-sharing
      profiling proxy-client-cert-file proxy-client-key-file request-timeout requestheader-allowed-names
      requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
      requestheader-username-headers runtime-config secure-port service-account-extend-token-expiration
      service-account-issuer service-account-jwks-uri service-account-key-file service-account-lookup
      service-account-max-token-expiration service-account-signing-key-file service-cluster-ip-range
      service-node-port-range show-hidden-metrics-for-version shutdown-delay-duration
      shutdown-send-retry-after shutdown-watch-termination-grace-period storage-backend storage-media-type
      strict-transport-security-directives tls-cert-file tls-cipher-suites tls-min-version
      tls-private-key-file tls-sni-cert-key token-auth-file tracing-config-file v version vmodule watch-cache
      watch-cache-sizes
    `,
    '28-36': `
      peer-advertise-ip peer-advertise-port peer-ca-file
    `,
    '29-36': `
      allow-metric-labels-manifest authentication-config authorization-config
    `,
    '30-36': `
      log-text-info-buffer-size log-text-split-stream
    `,
    '31-36': `
      disable-http2-serving emulated-version storage-initialization-timeout
    `,
    '32-36': `
      requestheader-uid-headers service-account-signing-endpoint
    `,
    '33-36': `
      emulation-forward-compatible runtime-config-emulation-forward-compatible
    `,
    '34-36': `
      coordinated-leadership-lease-duration coordinated-leadership-renew-deadline
      coordinated-leadership-retry-period
    `,
    '35-36': `
      min-compatibility-version
    `,
    '36-36': `
      tls-curve-preferences
    `,
  },
  'kube-controller-manager': {
    '27-30': `
      cloud-provider-gce-lb-src-cidrs horizontal-pod-autoscaler-downscale-delay
      horizontal-pod-autoscaler-upscale-delay volume-host-allow-local-loopback volume-host-cidr-denylist
    `,
    '27-36': `
      allocate-node-cidrs allow-metric-labels allow-untagged-cloud attach-detach-reconcile-sync-period
      authentication-kubeconfig authentication-skip-lookup authentication-token-webhook-cache-ttl
      authentication-tolerate-lookup-failure authorization-always-allow-paths authorization-kubeconfig
      authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address
      cert-dir cidr-allocator-type client-ca-file cloud-config cloud-provider cluster-cidr cluster-name
      cluster-signing-cert-file cluster-signing-duration cluster-signing-key-file
      cluster-signing-kube-apiserver-client-cert-file cluster-signing-kube-apiserver-client-key-file
      cluster-signing-kubelet-client-cert-file cluster-signing-kubelet-client-key-file
      cluster-signing-kubelet-serving-cert-file cluster-signing-kubelet-serving-key-file
      cluster-signing-legacy-unknown-cert-file cluster-signing-legacy-unknown-key-file
      concurrent-deployment-syncs concurrent-endpoint-syncs concurrent-ephemeralvolume-syncs
      concurrent-gc-syncs concurrent-horizontal-pod-autoscaler-syncs concurrent-namespace-syncs
      concurrent-rc-syncs concurrent-replicaset-syncs concurrent-resource-quota-syncs
      concurrent-service-endpoint-syncs concurrent-service-syncs concurrent-serviceaccount-token-syncs
      concurrent-statefulset-syncs concurrent-ttl-after-finished-syncs configure-cloud-routes
      contention-profiling controller-start-interval controllers disable-attach-detach-reconcile-sync
      disabled-metrics enable-dynamic-provisioning enable-garbage-collector enable-hostpath-provisioner
      enable-leader-migration endpoint-updates-batch-period endpointslice-updates-batch-period
      external-cloud-volume-plugin feature-gates flex-volume-plugin-dir help
      horizontal-pod-autoscaler-cpu-initialization-period horizontal-pod-autoscaler-downscale-stabilization
      horizontal-pod-autoscaler-initial-readiness-delay horizontal-pod-autoscaler-sync-period
      horizontal-pod-autoscaler-tolerance http2-max-streams-per-connection kube-api-burst
      kube-api-content-type kube-api-qps kubeconfig large-cluster-size-threshold leader-elect
      leader-elect-lease-duration leader-elect-renew-deadline leader-elect-resource-lock
      leader-elect-resource-name leader-elect-resource-namespace leader-elect-retry-period
      leader-migration-config log-flush-frequency log-json-info-buffer-size log-json-split-stream
      logging-format master max-endpoints-per-slice min-resync-period
      mirroring-concurrent-service-endpoint-syncs mirroring-endpointslice-updates-batch-period
      mirroring-max-endpoints-per-subset namespace-sync-period node-cidr-mask-size node-cidr-mask-size-ipv4
      node-cidr-mask-size-ipv6 node-eviction-rate node-monitor-grace-period node-monitor-period
      node-startup-grace-period node-sync-period permit-address-sharing permit-port-sharing profiling
      pv-recycler-increment-timeout-nfs pv-recycler-minimum-timeout-hostpath pv-recycler-minimum-timeout-nfs
      pv-recycler-pod-template-filepath-hostpath pv-recycler-pod-template-filepath-nfs
      pv-recycler-timeout-increment-hostpath pvclaimbinder-sync-period requestheader-allowed-names
      requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
      requestheader-username-headers resource-quota-sync-period root-ca-file route-reconciliation-period
      secondary-node-eviction-rate secure-port service-account-private-key-file service-cluster-ip-range
      show-hidden-metrics-for-version terminated-pod-gc-threshold tls-cert-file tls-cipher-suites
      tls-min-version tls-private-key-file tls-sni-cert-key unhealthy-zone-threshold
      use-service-account-credentials v version vmodule
    `,
    '28-36': `
      concurrent-cron-job-syncs concurrent-job-syncs concurrent-validating-admission-policy-status-syncs
      legacy-service-account-token-clean-up-period
    `,
    '29-36': `
      allow-metric-labels-manifest
    `,
    '30-36': `
      disable-force-detach-on-timeout log-text-info-buffer-size log-text-split-stream
    `,
    '31-36': `
      disable-http2-serving emulated-version
    `,
    '32-36': `
      concurrent-daemonset-syncs requestheader-uid-headers
    `,
    '35-36': `
      concurrent-device-taint-eviction-syncs controller-shutdown-timeout min-compatibility-version
    `,
    '36-36': `
      concurrent-resourceclaim-syncs tls-curve-preferences
    `,
  },
  'kube-proxy': {
    '27-30': `
      proxy-port-range
    `,
    '27-36': `
      bind-address bind-address-hard-fail boot-id-file cleanup cluster-cidr config config-sync-period
      conntrack-max-per-core conntrack-min conntrack-tcp-timeout-close-wait conntrack-tcp-timeout-established
      detect-local-mode feature-gates healthz-bind-address healthz-port help hostname-override
      iptables-localhost-nodeports iptables-masquerade-bit iptables-min-sync-period iptables-sync-period
      ipvs-exclude-cidrs ipvs-min-sync-period ipvs-scheduler ipvs-strict-arp ipvs-sync-period ipvs-tcp-timeout
      ipvs-tcpfin-timeout ipvs-udp-timeout kube-api-burst kube-api-content-type kube-api-qps kubeconfig
      log-flush-frequency machine-id-file masquerade-all master metrics-bind-address metrics-port
      nodeport-addresses oom-score-adj pod-bridge-interface pod-interface-name-prefix profiling proxy-mode
      show-hidden-metrics-for-version v version vmodule write-config-to
    `,
    '28-36': `
      log-json-info-buffer-size log-json-split-stream logging-format
    `,
    '29-36': `
      conntrack-tcp-be-liberal conntrack-udp-timeout conntrack-udp-timeout-stream init-only
    `,
    '30-36': `
      log-text-info-buffer-size log-text-split-stream
    `,
  },
  'kube-scheduler': {
    '27-27': `
      lock-object-name lock-object-namespace
    `,
    '27-36': `
      allow-metric-labels authentication-kubeconfig authentication-skip-lookup
      authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure
      authorization-always-allow-paths authorization-kubeconfig authorization-webhook-cache-authorized-ttl
      authorization-webhook-cache-unauthorized-ttl bind-address cert-dir client-ca-file config
      contention-profiling disabled-metrics feature-gates help http2-max-streams-per-connection kube-api-burst
      kube-api-content-type kube-api-qps kubeconfig leader-elect leader-elect-lease-duration
      leader-elect-renew-deadline leader-elect-resource-lock leader-elect-resource-name
      leader-elect-resource-namespace leader-elect-retry-period log-flush-frequency log-json-info-buffer-size
      log-json-split-stream logging-format master permit-address-sharing permit-port-sharing
      pod-max-in-unschedulable-pods-duration profiling requestheader-allowed-names
      requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
      requestheader-username-headers secure-port show-hidden-metrics-for-version tls-cert-file
      tls-cipher-suites tls-min-version tls-private-key-file tls-sni-cert-key v version vmodule
      write-config-to
    `,
    '29-36': `
      allow-metric-labels-manifest
    `,
    '30-36': `
      log-text-info-buffer-size log-text-split-stream
    `,
    '31-36': `
      disable-http2-serving emulated-version
    `,
    '32-36': `
      requestheader-uid-headers
    `,
    '35-36': `
      min-compatibility-version
    `,
    '36-36': `
      tls-curve-preferences
    `,
  },
  'kubelet': {
    '27-29': `
      azure-container-registry-config
    `,
    '27-30': `
      iptables-drop-bit iptables-masquerade-bit keep-terminated-pod-volumes
    `,
    '27-33': `
      cloud-config register-schedulable
    `,
    '27-34': `
      pod-infra-container-image
    `,
    '27-36': `
      address allowed-unsafe-sysctls anonymous-auth application-metrics-count-limit
      authentication-token-webhook authentication-token-webhook-cache-ttl authorization-mode
      authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl boot-id-file
      bootstrap-kubeconfig cert-dir cgroup-driver cgroup-root cgroups-per-qos client-ca-file cloud-provider
      cluster-dns cluster-domain config container-hints container-log-max-files container-log-max-size
      container-runtime-endpoint containerd containerd-namespace contention-profiling cpu-cfs-quota
      cpu-cfs-quota-period cpu-manager-policy cpu-manager-policy-options cpu-manager-reconcile-period
      enable-controller-attach-detach enable-debugging-handlers enable-load-reader enable-server
      enforce-node-allocatable event-burst event-qps event-storage-age-limit event-storage-event-limit
      eviction-hard eviction-max-pod-grace-period eviction-minimum-reclaim eviction-pressure-transition-period
      eviction-soft eviction-soft-grace-period exit-on-lock-contention
      experimental-allocatable-ignore-eviction experimental-mounter-path fail-swap-on feature-gates
      file-check-frequency global-housekeeping-interval hairpin-mode healthz-bind-address healthz-port help
      hostname-override housekeeping-interval http-check-frequency image-credential-provider-bin-dir
      image-credential-provider-config image-gc-high-threshold image-gc-low-threshold image-service-endpoint
      kernel-memcg-notification kube-api-burst kube-api-content-type kube-api-qps kube-reserved
      kube-reserved-cgroup kubeconfig kubelet-cgroups local-storage-capacity-isolation lock-file
      log-cadvisor-usage log-flush-frequency log-json-info-buffer-size log-json-split-stream logging-format
      machine-id-file make-iptables-util-chains manifest-url manifest-url-header max-open-files max-pods
      maximum-dead-containers maximum-dead-containers-per-container memory-manager-policy
      minimum-container-ttl-duration minimum-image-ttl-duration node-ip node-labels node-status-max-images
      node-status-update-frequency oom-score-adj pod-cidr pod-manifest-path pod-max-pids pods-per-core port
      protect-kernel-defaults provider-id qos-reserved read-only-port register-node register-with-taints
      registry-burst registry-qps reserved-cpus reserved-memory resolv-conf root-dir rotate-certificates
      rotate-server-certificates runonce runtime-cgroups runtime-request-timeout seccomp-default
      serialize-image-pulls storage-driver-buffer-duration storage-driver-db storage-driver-host
      storage-driver-password storage-driver-secure storage-driver-table storage-driver-user
      streaming-connection-idle-timeout sync-frequency system-cgroups system-reserved system-reserved-cgroup
      tls-cert-file tls-cipher-suites tls-min-version tls-private-key-file topology-manager-policy
      topology-manager-policy-options topology-manager-scope v version vmodule volume-plugin-dir
      volume-stats-agg-period
    `,
    '28-36': `
      config-dir
    `,
    '30-36': `
      log-text-info-buffer-size log-text-split-stream
    `,
    '31-36': `
      fail-cgroupv1
    `,
  },
} as const;

/** The feature gates of Kubernetes 1.x, by the range of x. */
export const featureGatesByRange = {
  '27-27': `
    AdvancedAuditing CSIMigrationGCE CSIStorageCapacity DelegateFSGroupToCSIDriver DevicePlugins
    DisableAcceleratorUsageMetrics DryRun EndpointSliceTerminatingCondition KubeletCredentialProviders
    MixedProtocolLBService NetworkPolicyStatus PodHasNetworkCondition PodSecurity ServiceIPStaticSubrange
    ServiceInternalTrafficPolicy UserNamespacesStatelessPodsSupport WindowsHostProcessContainers
  `,
  '27-28': `
    CSIMigrationvSphere CronJobTimeZone DownwardAPIHugePages GRPCContainerProbe
    JobMutableNodeSchedulingDirectives JobTrackingWithFinalizers LegacyServiceAccountTokenNoAutoGeneration
    MultiCIDRRangeAllocator OpenAPIV3 ProbeTerminationGracePeriod RetroactiveDefaultStorageClass
    SeccompDefault TopologyManager
  `,
  '27-29': `
    APISelfSubjectReview CSIMigrationAzureFile ExpandedDNSConfig ExperimentalHostUserNamespaceDefaulting
    IPTablesOwnershipCleanup KubeletPodResources KubeletPodResourcesGetAllocatable
    LegacyServiceAccountTokenTracking MinimizeIPTablesRestore ProxyTerminatingEndpoints RemoveSelfLink
    SecurityContextDeny
  `,
  '27-30': `
    APIPriorityAndFairness CSIMigrationRBD CSINodeExpandSecret ConsistentHTTPGetHandlers
    CustomResourceValidationExpressions InTreePluginAWSUnregister InTreePluginAzureDiskUnregister
    InTreePluginAzureFileUnregister InTreePluginGCEUnregister InTreePluginOpenStackUnregister
    InTreePluginRBDUnregister InTreePluginvSphereUnregister JobReadyPods ReadWriteOncePod
    ServiceNodePortStaticSubrange
  `,
  '27-31': `
    CloudDualStackNodeIPs HPAContainerMetrics KMSv2 MinDomainsInPodTopologySpread
    NewVolumeManagerReconstruction NodeOutOfServiceVolumeDetach ServerSideApply ServerSideFieldValidation
    StableLoadBalancerNodeSet ValidatingAdmissionPolicy
  `,
  '27-32': `
    APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor CPUManager
    DisableCloudProviders DisableKubeletCloudCredentialProviders EfficientWatchResumption JobPodFailurePolicy
    PDBUnhealthyPodEvictionPolicy RemainingItemCount VolumeCapacityPriority WatchBookmark
  `,
  '27-33': `
    ElasticIndexedJob PodDisruptionConditions StatefulSetStartOrdinal
  `,
  '27-34': `
    ComponentSLIs SizeMemoryBackedVolumes StatefulSetAutoDeletePVC
  `,
  '27-35': `
    CSIMigrationPortworx HonorPVReclaimPolicy InTreePluginPortworxUnregister MemoryManager TopologyAwareHints
    WatchFromStorageWithoutResourceVersion
  `,
  '27-36': `
    APIResponseCompression APIServerIdentity APIServerTracing AllAlpha AllBeta AnyVolumeDataSource
    CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions CSIVolumeHealth
    CloudControllerManagerWebhook ClusterTrustBundle ContainerCheckpoint ContextualLogging
    CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod DynamicResourceAllocation EventedPLEG
    ExecProbeTimeout GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAScaleToZero
    InPlacePodVerticalScaling KubeletInUserNamespace KubeletPodResourcesDynamicResources
    KubeletPodResourcesGet KubeletTracing LocalStorageCapacityIsolationFSQuotaMonitoring LogarithmicScaleDown
    LoggingAlphaOptions LoggingBetaOptions MatchLabelKeysInPodTopologySpread MaxUnavailableStatefulSet
    MemoryQoS MultiCIDRServiceAllocator NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap
    OpenAPIEnums PodAndContainerStatsFromCRI PodDeletionCost PodSchedulingReadiness ProcMountType QOSReserved
    RecoverVolumeExpansionFailure RotateKubeletServerCertificate SELinuxMountReadWriteOncePod
    StorageVersionAPI StorageVersionHash TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions
    TopologyManagerPolicyOptions UnauthenticatedHTTP2DOSMitigation WatchList WinDSR WinOverlay
    WindowsHostNetwork
  `,
  '28-30': `
    DefaultHostNetworkHostPortsInPodTemplates SkipReadOnlyValidationGCE
  `,
  '28-31': `
    KMSv2KDF LegacyServiceAccountTokenCleanUp PodHostIPs
  `,
  '28-32': `
    KubeProxyDrainingTerminatingNodes PersistentVolumeLastPhaseTransitionTime
  `,
  '28-33': `
    DevicePluginCDIDevices
  `,
  '28-34': `
    CronJobsScheduledAnnotation PodIndexLabel
  `,
  '28-36': `
    CRDValidationRatcheting ConsistentListFromCache JobBackoffLimitPerIndex JobPodReplacementPolicy KMSv1
    KubeletCgroupDriverFromCRI PodReadyToStartContainersCondition SchedulerQueueingHints SeparateCacheWatchRPC
    SidecarContainers UnknownVersionInteroperabilityProxy UserNamespacesSupport
  `,
  '29-31': `
    ZeroLimitedNominalConcurrencyShares
  `,
  '29-34': `
    AllowServiceLBStatusOnNonLB LoadBalancerIPMode UserNamespacesPodSecurityStandards
  `,
  '29-35': `
    StructuredAuthorizationConfiguration
  `,
  '29-36': `
    ClusterTrustBundleProjection DisableNodeKubeProxyVersion ImageMaximumGCAge KubeletSeparateDiskGC
    MatchLabelKeysInPodAffinity NFTablesProxyMode PodLifecycleSleepAction RuntimeClassInImageCriApi
    SeparateTaintEvictionController ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
    ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
    StructuredAuthenticationConfiguration TranslateStreamCloseWebsocketRequests VolumeAttributesClass
  `,
  '30-32': `
    AppArmorFields
  `,
  '30-34': `
    StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks
  `,
  '30-35': `
    ServiceTrafficDistribution
  `,
  '30-36': `
    APIServingWithRoutine CustomResourceFieldSelectors InformerResourceVersion JobManagedBy JobSuccessPolicy
    MutatingAdmissionPolicy OrderedNamespaceDeletion PortForwardWebsockets RecursiveReadOnlyMounts
    RelaxedEnvironmentVariableValidation RetryGenerateName SELinuxMount StorageNamespaceIndex
    StorageVersionMigrator WatchListClient
  `,
  '31-31': `
    DRAControlPlaneController
  `,
  '31-36': `
    AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests AnonymousAuthConfigurableEndpoints
    AuthorizeNodeWithSelectors AuthorizeWithSelectors ConcurrentWatchObjectDecode CoordinatedLeaderElection
    DisableAllocatorDualWrite ImageVolume ReloadKubeletServerCertificateFile ResilientWatchCacheInitialization
    ResourceHealthStatus SupplementalGroupsPolicy WatchCacheInitializationPostStartHook
  `,
  '32-35': `
    InPlacePodVerticalScalingAllocatedStatus
  `,
  '32-36': `
    AllowOverwriteTerminationGracePeriodSeconds AllowUnsafeMalformedObjectDeletion BtreeWatchCache
    CBORServingAndStorage ClientsAllowCBOR ClientsPreferCBOR ComponentFlagz ComponentStatusz DRAAdminAccess
    DRAResourceClaimDeviceStatus ExternalServiceAccountTokenSigner InPlacePodVerticalScalingExclusiveCPUs
    KubeletCrashLoopBackOffMax KubeletFineGrainedAuthz KubeletRegistrationGetOnExistsOnly PodLevelResources
    PodLifecycleSleepActionAllowZero PodLogsQuerySplitStreams RelaxedDNSSearchValidation
    RemoteRequestHeaderUID SELinuxChangePolicy SchedulerAsyncPreemption ServiceAccountNodeAudienceRestriction
    SystemdWatchdog WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown
  `,
  '33-33': `
    LegacySidecarContainers
  `,
  '33-36': `
    AggregatedDiscoveryRemoveBetaType AllowParsingUserUIDFromCertAuth ContainerStopSignals DRADeviceTaints
    DRAPartitionableDevices DRAPrioritizedList DeclarativeValidation DeclarativeValidationTakeover
    DeploymentReplicaSetTerminatingReplicas DisableCPUQuotaWithExclusiveCPUs GitRepoVolumeDriver
    HPAConfigurableTolerance InOrderInformers KubeletEnsureSecretPulledImages KubeletPSI
    KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot MutableCSINodeAllocatableCount
    PodObservedGenerationTracking PodTopologyLabelsAdmission PreferSameTrafficDistribution
    ReduceDefaultCrashLoopBackOffDecay SchedulerPopFromBackoffQ StorageCapacityScoring
    StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StrictIPCIDRValidation
  `,
  '34-34': `
    ProbeHostPodSecurityStandards
  `,
  '34-36': `
    ClearingNominatedNodeNameAfterBinding ContainerRestartRules DRAConsumableCapacity
    DRADeviceBindingConditions DRAExtendedResource DRASchedulerFilterTimeout DetectCacheInconsistency EnvFiles
    HostnameOverride InPlacePodVerticalScalingExclusiveMemory KubeletPodResourcesListUseActivePods
    MatchLabelKeysInPodTopologySpreadSelectorMerge NominatedNodeNameForExpectation PodCertificateRequest
    PreventStaticPodAPIReferences RelaxedServiceNameValidation SchedulerAsyncAPICalls
    SizeBasedListCostEstimate StatefulSetSemanticRevisionComparison
    StructuredAuthenticationConfigurationEgressSelector TokenRequestServiceAccountUIDValidation
  `,
  '35-36': `
    AuthorizePodWebsocketUpgradeCreatePermission CRDObservedGenerationTracking CSIServiceAccountTokenSecrets
    ChangeContainerStatusOnKubeletRestart CloudControllerManagerWatchBasedRoutesReconciliation
    ConstrainedImpersonation DRADeviceTaintRules GangScheduling GenericWorkload InOrderInformersBatchProcess
    InPlacePodLevelResourcesVerticalScaling MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs
    MutableSchedulingDirectivesForSuspendedJobs NodeDeclaredFeatures OpportunisticBatching
    RestartAllContainersOnContainerExits StructuredAuthenticationConfigurationJWKSMetrics
    TaintTolerationComparisonOperators UserNamespacesHostNetworkSupport VolumeLimitScaling
  `,
  '36-36': `
    AllowServiceExternalIPs AtomicFIFO CRIListStreaming ClientsAllowCARotation ClientsAllowTLSCacheGC
    ControllerManagerReleaseLeaderElectionLockOnExit DRAListTypeAttributes DRANodeAllocatableResources
    DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus DRAWorkloadResourceClaims
    DeclarativeValidationBeta ExtendWebSocketsToKubelet ImageVolumeWithDigest
    InPlacePodVerticalScalingInitContainers ManifestBasedAdmissionControlConfig NativeHistograms
    PLEGOnDemandRelist PersistentVolumeClaimUnusedSinceTime PodLevelResourceManagers PodsAPI
    ReloadKubeletClientCAFile ResourceHealthStatusMessage ServiceCIDRStatusFieldWiping ShardedListAndWatch
    StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
    StaleControllerConsistencyStatefulSet TopologyAwareWorkloadScheduling UnlockWhileProcessingFIFO
    WorkloadAwarePreemption WorkloadWithJob
  `,
} as const;

/** The admission plugins of Kubernetes 1.x, by the range of x. */
export const admissionPluginsByRange = {
  '27-29': `
    SecurityContextDeny
  `,
  '27-30': `
    PersistentVolumeLabel
  `,
  '27-36': `
    AlwaysAdmit AlwaysDeny AlwaysPullImages CertificateApproval CertificateSigning
    CertificateSubjectRestriction ClusterTrustBundleAttest DefaultIngressClass DefaultStorageClass
    DefaultTolerationSeconds DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration
    ImagePolicyWebhook LimitPodHardAntiAffinityTopology LimitRanger MutatingAdmissionWebhook
    NamespaceAutoProvision NamespaceExists NamespaceLifecycle NodeRestriction
    OwnerReferencesPermissionEnforcement PersistentVolumeClaimResize PodNodeSelector PodSecurity
    PodTolerationRestriction Priority ResourceQuota RuntimeClass ServiceAccount StorageObjectInUseProtection
    TaintNodesByCondition ValidatingAdmissionPolicy ValidatingAdmissionWebhook
  `,
  '32-36': `
    MutatingAdmissionPolicy
  `,
  '33-36': `
    PodTopologyLabels
  `,
  '35-36': `
    NodeDeclaredFeatureValidator
  `,
  '36-36': `
    JobValidation PodGroupProtection PodGroupWorkloadExists PodResizeValidator
  `,
} as const;

/** The authorization modes of Kubernetes 1.x, by the range of x. */
export const authorizationModesByRange = {
  '27-36': `
    ABAC AlwaysAllow AlwaysDeny Node RBAC Webhook
  `,
} as const;

/** The feature gates among them that a program does not know, by the range of x. */
export const missingGatesByRange = {
  'kube-scheduler': {
    '36-36': `
      ControllerManagerReleaseLeaderElectionLockOnExit
    `,
  },
} as const;
