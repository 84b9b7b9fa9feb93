// Written by scripts/flag-tables; do not edit.
/** Names by the range of versions that know them: Kubernetes minors, and etcd minors of 3. */
export const flagsByRange = {
  'etcd': {
    '4-6': `
      auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention auto-tls
      backend-batch-interval backend-batch-limit backend-bbolt-freelist-type bcrypt-cost
      bootstrap-defrag-threshold-megabytes cert-file client-cert-auth client-cert-file client-crl-file
      client-key-file compact-hash-check-time compaction-batch-limit compaction-sleep-interval config-file
      corrupt-check-time data-dir discovery discovery-cacert discovery-cert discovery-dial-timeout
      discovery-fallback discovery-insecure-skip-tls-verify discovery-insecure-transport
      discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password
      discovery-proxy discovery-request-timeout discovery-srv discovery-srv-name discovery-token
      discovery-user distributed-tracing-address distributed-tracing-instance-id
      distributed-tracing-sampling-rate distributed-tracing-service-name downgrade-check-time
      election-timeout enable-distributed-tracing enable-grpc-gateway enable-log-rotation enable-pprof
      experimental-bootstrap-defrag-threshold-megabytes experimental-compact-hash-check-enabled
      experimental-compact-hash-check-time experimental-compaction-batch-limit
      experimental-compaction-sleep-interval experimental-corrupt-check-time
      experimental-distributed-tracing-address experimental-distributed-tracing-instance-id
      experimental-distributed-tracing-sampling-rate experimental-distributed-tracing-service-name
      experimental-downgrade-check-time experimental-enable-distributed-tracing
      experimental-enable-lease-checkpoint experimental-enable-lease-checkpoint-persist
      experimental-initial-corrupt-check experimental-memory-mlock
      experimental-peer-skip-client-san-verification experimental-snapshot-catchup-entries
      experimental-stop-grpc-service-on-defrag experimental-txn-mode-write-with-shared-buffer
      experimental-warning-apply-duration experimental-warning-unary-request-duration
      experimental-watch-progress-notify-interval force-new-cluster grpc-keepalive-interval
      grpc-keepalive-min-time grpc-keepalive-timeout heartbeat-interval initial-cluster
      initial-cluster-state initial-cluster-token initial-election-tick-advance key-file log-format
      log-level log-outputs log-rotation-config-json logger max-concurrent-streams max-learners
      max-request-bytes max-snapshots max-txn-ops max-wals memory-mlock metrics name peer-auto-tls
      peer-cert-file peer-client-cert-auth peer-client-cert-file peer-client-key-file peer-crl-file
      peer-key-file peer-skip-client-san-verification peer-trusted-ca-file pre-vote quota-backend-bytes
      raft-read-timeout raft-write-timeout self-signed-cert-validity snapshot-catchup-entries
      snapshot-count socket-reuse-address socket-reuse-port strict-reconfig-check tls-max-version
      tls-min-version trusted-ca-file unsafe-no-fsync v2-deprecation version wal-dir
      warning-apply-duration warning-unary-request-duration watch-progress-notify-interval`,
  },
  'kube-apiserver': {
    '27-36': `
      admission-control admission-control-config-file advertise-address
      aggregator-reject-forwarding-redirect allow-metric-labels allow-metric-labels-manifest
      allow-privileged anonymous-auth api-audiences audit-log-batch-buffer-size audit-log-batch-max-size
      audit-log-batch-max-wait audit-log-batch-throttle-burst audit-log-batch-throttle-enable
      audit-log-batch-throttle-qps audit-log-compress audit-log-format audit-log-maxage
      audit-log-maxbackup audit-log-maxsize audit-log-mode audit-log-path audit-log-truncate-enabled
      audit-log-truncate-max-batch-size audit-log-truncate-max-event-size audit-log-version
      audit-policy-file audit-webhook-batch-buffer-size audit-webhook-batch-max-size
      audit-webhook-batch-max-wait audit-webhook-batch-throttle-burst audit-webhook-batch-throttle-enable
      audit-webhook-batch-throttle-qps audit-webhook-config-file audit-webhook-initial-backoff
      audit-webhook-mode audit-webhook-truncate-enabled audit-webhook-truncate-max-batch-size
      audit-webhook-truncate-max-event-size audit-webhook-version authentication-config
      authentication-token-webhook-cache-ttl authentication-token-webhook-config-file
      authentication-token-webhook-version authorization-config authorization-mode
      authorization-policy-file authorization-webhook-cache-authorized-ttl
      authorization-webhook-cache-unauthorized-ttl authorization-webhook-config-file
      authorization-webhook-version bind-address cert-dir client-ca-file contention-profiling
      coordinated-leadership-lease-duration coordinated-leadership-renew-deadline
      coordinated-leadership-retry-period cors-allowed-origins debug-socket-path
      default-not-ready-toleration-seconds default-unreachable-toleration-seconds
      delete-collection-workers disable-admission-plugins disable-http2-serving disabled-metrics
      egress-selector-config-file emulated-version emulation-forward-compatible enable-admission-plugins
      enable-aggregator-routing enable-bootstrap-token-auth enable-garbage-collector enable-logs-handler
      enable-priority-and-fairness encryption-provider-config encryption-provider-config-automatic-reload
      endpoint-reconciler-type etcd-cafile etcd-certfile etcd-compaction-interval
      etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-keyfile
      etcd-prefix etcd-readycheck-timeout etcd-servers etcd-servers-overrides event-ttl external-hostname
      feature-gates goaway-chance help http2-max-streams-per-connection kubelet-certificate-authority
      kubelet-client-certificate kubelet-client-key kubelet-preferred-address-types kubelet-timeout
      kubernetes-service-node-port lease-reuse-duration-seconds livez-grace-period log-flush-frequency
      log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream
      logging-format max-connection-bytes-per-sec max-mutating-requests-inflight max-requests-inflight
      min-compatibility-version min-request-timeout oidc-ca-file oidc-client-id oidc-groups-claim
      oidc-groups-prefix oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim
      oidc-username-prefix peer-advertise-ip peer-advertise-port peer-ca-file permit-address-sharing
      permit-port-sharing profiling proxy-client-cert-file proxy-client-key-file request-timeout
      requestheader-allowed-names requestheader-client-ca-file requestheader-extra-headers-prefix
      requestheader-group-headers requestheader-uid-headers requestheader-username-headers runtime-config
      runtime-config-emulation-forward-compatible secure-port service-account-extend-token-expiration
      service-account-issuer service-account-jwks-uri service-account-key-file service-account-lookup
      service-account-max-token-expiration service-account-signing-endpoint
      service-account-signing-key-file service-cluster-ip-range service-node-port-range
      show-hidden-metrics-for-version shutdown-delay-duration shutdown-send-retry-after
      shutdown-watch-termination-grace-period storage-backend storage-initialization-timeout
      storage-media-type strict-transport-security-directives tls-cert-file tls-cipher-suites
      tls-curve-preferences tls-min-version tls-private-key-file tls-sni-cert-key token-auth-file
      tracing-config-file v version vmodule watch-cache watch-cache-sizes`,
  },
  'kube-controller-manager': {
    '27-36': `
      allocate-node-cidrs allow-metric-labels allow-metric-labels-manifest
      attach-detach-reconcile-sync-period authentication-kubeconfig authentication-skip-lookup
      authentication-token-webhook-cache-ttl authentication-tolerate-lookup-failure
      authorization-always-allow-paths authorization-kubeconfig authorization-webhook-cache-authorized-ttl
      authorization-webhook-cache-unauthorized-ttl bind-address cert-dir cidr-allocator-type
      client-ca-file cloud-config cloud-provider cluster-cidr cluster-name cluster-signing-cert-file
      cluster-signing-duration cluster-signing-key-file cluster-signing-kube-apiserver-client-cert-file
      cluster-signing-kube-apiserver-client-key-file cluster-signing-kubelet-client-cert-file
      cluster-signing-kubelet-client-key-file cluster-signing-kubelet-serving-cert-file
      cluster-signing-kubelet-serving-key-file cluster-signing-legacy-unknown-cert-file
      cluster-signing-legacy-unknown-key-file concurrent-cron-job-syncs concurrent-daemonset-syncs
      concurrent-deployment-syncs concurrent-device-taint-eviction-syncs concurrent-endpoint-syncs
      concurrent-ephemeralvolume-syncs concurrent-gc-syncs concurrent-horizontal-pod-autoscaler-syncs
      concurrent-job-syncs concurrent-namespace-syncs concurrent-rc-syncs concurrent-replicaset-syncs
      concurrent-resource-quota-syncs concurrent-resourceclaim-syncs concurrent-service-endpoint-syncs
      concurrent-service-syncs concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs
      concurrent-ttl-after-finished-syncs concurrent-validating-admission-policy-status-syncs
      configure-cloud-routes contention-profiling controller-shutdown-timeout controller-start-interval
      controllers disable-attach-detach-reconcile-sync disable-force-detach-on-timeout
      disable-http2-serving disabled-metrics emulated-version enable-dynamic-provisioning
      enable-garbage-collector enable-hostpath-provisioner enable-leader-migration
      endpoint-updates-batch-period endpointslice-updates-batch-period external-cloud-volume-plugin
      feature-gates flex-volume-plugin-dir help horizontal-pod-autoscaler-cpu-initialization-period
      horizontal-pod-autoscaler-downscale-stabilization horizontal-pod-autoscaler-initial-readiness-delay
      horizontal-pod-autoscaler-sync-period horizontal-pod-autoscaler-tolerance
      http2-max-streams-per-connection kube-api-burst kube-api-content-type kube-api-qps kubeconfig
      large-cluster-size-threshold leader-elect leader-elect-lease-duration leader-elect-renew-deadline
      leader-elect-resource-lock leader-elect-resource-name leader-elect-resource-namespace
      leader-elect-retry-period leader-migration-config legacy-service-account-token-clean-up-period
      log-flush-frequency log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size
      log-text-split-stream logging-format master max-endpoints-per-slice min-compatibility-version
      min-resync-period mirroring-concurrent-service-endpoint-syncs
      mirroring-endpointslice-updates-batch-period mirroring-max-endpoints-per-subset
      namespace-sync-period node-cidr-mask-size node-cidr-mask-size-ipv4 node-cidr-mask-size-ipv6
      node-eviction-rate node-monitor-grace-period node-monitor-period node-startup-grace-period
      permit-address-sharing permit-port-sharing profiling pv-recycler-increment-timeout-nfs
      pv-recycler-minimum-timeout-hostpath pv-recycler-minimum-timeout-nfs
      pv-recycler-pod-template-filepath-hostpath pv-recycler-pod-template-filepath-nfs
      pv-recycler-timeout-increment-hostpath pvclaimbinder-sync-period requestheader-allowed-names
      requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
      requestheader-uid-headers requestheader-username-headers resource-quota-sync-period root-ca-file
      route-reconciliation-period secondary-node-eviction-rate secure-port
      service-account-private-key-file service-cluster-ip-range show-hidden-metrics-for-version
      terminated-pod-gc-threshold tls-cert-file tls-cipher-suites tls-curve-preferences tls-min-version
      tls-private-key-file tls-sni-cert-key unhealthy-zone-threshold use-service-account-credentials v
      version vmodule`,
  },
  'kube-scheduler': {
    '27-36': `
      allow-metric-labels allow-metric-labels-manifest authentication-kubeconfig
      authentication-skip-lookup authentication-token-webhook-cache-ttl
      authentication-tolerate-lookup-failure authorization-always-allow-paths authorization-kubeconfig
      authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address
      cert-dir client-ca-file config contention-profiling disable-http2-serving disabled-metrics
      emulated-version feature-gates help http2-max-streams-per-connection kube-api-burst
      kube-api-content-type kube-api-qps kubeconfig leader-elect leader-elect-lease-duration
      leader-elect-renew-deadline leader-elect-resource-lock leader-elect-resource-name
      leader-elect-resource-namespace leader-elect-retry-period log-flush-frequency
      log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream
      logging-format master min-compatibility-version permit-address-sharing permit-port-sharing
      pod-max-in-unschedulable-pods-duration profiling requestheader-allowed-names
      requestheader-client-ca-file requestheader-extra-headers-prefix requestheader-group-headers
      requestheader-uid-headers requestheader-username-headers secure-port show-hidden-metrics-for-version
      tls-cert-file tls-cipher-suites tls-curve-preferences tls-min-version tls-private-key-file
      tls-sni-cert-key v version vmodule write-config-to`,
  },
  'kube-proxy': {
    '27-36': `
      bind-address bind-address-hard-fail boot-id-file cleanup cluster-cidr config config-sync-period
      conntrack-max-per-core conntrack-min conntrack-tcp-be-liberal conntrack-tcp-timeout-close-wait
      conntrack-tcp-timeout-established conntrack-udp-timeout conntrack-udp-timeout-stream
      detect-local-mode feature-gates healthz-bind-address help hostname-override init-only
      iptables-localhost-nodeports iptables-masquerade-bit iptables-min-sync-period iptables-sync-period
      ipvs-exclude-cidrs ipvs-min-sync-period ipvs-scheduler ipvs-strict-arp ipvs-sync-period
      ipvs-tcp-timeout ipvs-tcpfin-timeout ipvs-udp-timeout kube-api-burst kube-api-content-type
      kube-api-qps kubeconfig log-flush-frequency log-json-info-buffer-size log-json-split-stream
      log-text-info-buffer-size log-text-split-stream logging-format machine-id-file masquerade-all master
      metrics-bind-address nodeport-addresses oom-score-adj pod-bridge-interface pod-interface-name-prefix
      profiling proxy-mode show-hidden-metrics-for-version v version vmodule write-config-to`,
  },
  'kubelet': {
    '27-36': `
      address allowed-unsafe-sysctls anonymous-auth application-metrics-count-limit
      authentication-token-webhook authentication-token-webhook-cache-ttl authorization-mode
      authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl boot-id-file
      bootstrap-kubeconfig cert-dir cgroup-driver cgroup-root cgroups-per-qos client-ca-file
      cloud-provider cluster-dns cluster-domain config config-dir container-hints container-log-max-files
      container-log-max-size container-runtime-endpoint containerd containerd-namespace
      contention-profiling cpu-cfs-quota cpu-cfs-quota-period cpu-manager-policy
      cpu-manager-policy-options cpu-manager-reconcile-period enable-controller-attach-detach
      enable-debugging-handlers enable-load-reader enable-server enforce-node-allocatable event-burst
      event-qps event-storage-age-limit event-storage-event-limit eviction-hard
      eviction-max-pod-grace-period eviction-minimum-reclaim eviction-pressure-transition-period
      eviction-soft eviction-soft-grace-period exit-on-lock-contention
      experimental-allocatable-ignore-eviction experimental-mounter-path fail-cgroupv1 fail-swap-on
      feature-gates file-check-frequency global-housekeeping-interval hairpin-mode healthz-bind-address
      healthz-port help hostname-override housekeeping-interval http-check-frequency
      image-credential-provider-bin-dir image-credential-provider-config image-gc-high-threshold
      image-gc-low-threshold image-service-endpoint kernel-memcg-notification kube-api-burst
      kube-api-content-type kube-api-qps kube-reserved kube-reserved-cgroup kubeconfig kubelet-cgroups
      local-storage-capacity-isolation lock-file log-cadvisor-usage log-flush-frequency
      log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream
      logging-format machine-id-file make-iptables-util-chains manifest-url manifest-url-header
      max-open-files max-pods maximum-dead-containers maximum-dead-containers-per-container
      memory-manager-policy minimum-container-ttl-duration minimum-image-ttl-duration node-ip node-labels
      node-status-max-images node-status-update-frequency oom-score-adj pod-cidr pod-manifest-path
      pod-max-pids pods-per-core port protect-kernel-defaults provider-id qos-reserved read-only-port
      register-node register-with-taints registry-burst registry-qps reserved-cpus reserved-memory
      resolv-conf root-dir rotate-certificates rotate-server-certificates runonce runtime-cgroups
      runtime-request-timeout seccomp-default serialize-image-pulls storage-driver-buffer-duration
      storage-driver-db storage-driver-host storage-driver-password storage-driver-secure
      storage-driver-table storage-driver-user streaming-connection-idle-timeout sync-frequency
      system-cgroups system-reserved system-reserved-cgroup tls-cert-file tls-cipher-suites
      tls-min-version tls-private-key-file topology-manager-policy topology-manager-policy-options
      topology-manager-scope v version vmodule volume-plugin-dir volume-stats-agg-period`,
  },
} as const;

export const featureGatesByRange = {
  '27-36': `
      APIResponseCompression APIServerIdentity APIServingWithRoutine AllAlpha AllBeta
      AllowParsingUserUIDFromCertAuth AllowUnsafeMalformedObjectDeletion AtomicFIFO
      AuthorizePodWebsocketUpgradeCreatePermission CBORServingAndStorage CPUManagerPolicyAlphaOptions
      CPUManagerPolicyBetaOptions CRDObservedGenerationTracking CRIListStreaming CSIVolumeHealth
      ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation ClientsAllowCBOR ClientsAllowTLSCacheGC
      ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook
      ClusterTrustBundle ClusterTrustBundleProjection ComponentFlagz ComponentStatusz
      ConcurrentWatchObjectDecode ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules
      ContainerStopSignals ContextualLogging ControllerManagerReleaseLeaderElectionLockOnExit
      CoordinatedLeaderElection CrossNamespaceVolumeDataSource DRAConsumableCapacity
      DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints DRAExtendedResource
      DRAListTypeAttributes DRANodeAllocatableResources DRAPartitionableDevices
      DRAResourceClaimDeviceStatus DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus
      DRASchedulerFilterTimeout DRAWorkloadResourceClaims DeclarativeValidationBeta
      DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency EnvFiles EventedPLEG
      ExtendWebSocketsToKubelet GangScheduling GenericWorkload GracefulNodeShutdown
      GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HPAScaleToZero HostnameOverride
      ImageVolumeWithDigest InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling
      InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory
      InPlacePodVerticalScalingInitContainers KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages
      KubeletInUserNamespace KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders
      ListFromCacheSnapshot LocalStorageCapacityIsolationFSQuotaMonitoring LoggingAlphaOptions
      LoggingBetaOptions ManifestBasedAdmissionControlConfig MatchLabelKeysInPodTopologySpread
      MatchLabelKeysInPodTopologySpreadSelectorMerge MaxUnavailableStatefulSet MemoryQoS
      MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs
      MutableSchedulingDirectivesForSuspendedJobs NativeHistograms NodeDeclaredFeatures
      NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching PLEGOnDemandRelist
      PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodCertificateRequest
      PodDeletionCost PodLevelResourceManagers PodLevelResources PodLogsQuerySplitStreams
      PodReadyToStartContainersCondition PodTopologyLabelsAdmission PodsAPI PortForwardWebsockets
      PreventStaticPodAPIReferences QOSReserved ReduceDefaultCrashLoopBackOffDecay
      RelaxedServiceNameValidation ReloadKubeletClientCAFile ReloadKubeletServerCertificateFile
      RemoteRequestHeaderUID ResourceHealthStatus ResourceHealthStatusMessage
      RestartAllContainersOnContainerExits RotateKubeletServerCertificate RuntimeClassInImageCriApi
      SELinuxMount SchedulerAsyncAPICalls SchedulerAsyncPreemption SchedulerPopFromBackoffQ
      ServiceAccountNodeAudienceRestriction ShardedListAndWatch SizeBasedListCostEstimate
      StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob
      StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
      StatefulSetSemanticRevisionComparison StorageCapacityScoring StorageVersionAPI StorageVersionHash
      StorageVersionMigrator StrictIPCIDRValidation StructuredAuthenticationConfigurationEgressSelector
      StructuredAuthenticationConfigurationJWKSMetrics TaintTolerationComparisonOperators
      TokenRequestServiceAccountUIDValidation TopologyAwareWorkloadScheduling
      TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions
      TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
      UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO UserNamespacesHostNetworkSupport
      VolumeLimitScaling WatchCacheInitializationPostStartHook WatchList WatchListClient
      WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown WorkloadAwarePreemption WorkloadWithJob
      featureC`,
} as const;

export const admissionPluginsByRange = {
  '27-36': `
      AlwaysAdmit AlwaysDeny AlwaysPullImages CertificateApproval CertificateSigning
      CertificateSubjectRestriction ClusterTrustBundleAttest DefaultIngressClass DefaultStorageClass
      DefaultTolerationSeconds DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration
      ImagePolicyWebhook JobValidation LimitPodHardAntiAffinityTopology LimitRanger
      MutatingAdmissionPolicy MutatingAdmissionWebhook NamespaceAutoProvision NamespaceExists
      NamespaceLifecycle NodeDeclaredFeatureValidator NodeRestriction OwnerReferencesPermissionEnforcement
      PersistentVolumeClaimResize PodGroupProtection PodGroupWorkloadExists PodNodeSelector
      PodResizeValidator PodSecurity PodTolerationRestriction PodTopologyLabels Priority ResourceQuota
      RuntimeClass ServiceAccount StorageObjectInUseProtection TaintNodesByCondition
      ValidatingAdmissionPolicy ValidatingAdmissionWebhook`,
} as const;

export const authorizationModesByRange = {
  '27-36': `
      ABAC AlwaysAllow AlwaysDeny Node RBAC Webhook`,
} as const;
