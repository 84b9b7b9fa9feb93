/**
 * Names of the manifests that this program and openshift-install generate, without those of the user. A file of the user with
 * such a name replaces the generated one, and is no addition.
 */
export function isGeneratedManifest(file: string): boolean {
  return names.has(file) || machineConfigs.test(file);
}

const names: ReadonlySet<string> = new Set([
  'cluster-config.yaml',
  'cluster-dns-02-config.yml',
  'cluster-infrastructure-02-config.yml',
  'cluster-ingress-02-config.yml',
  'cluster-network-01-crd.yml',
  'cluster-network-02-config.yml',
  'cluster-network-03-config.yml',
  'cluster-pki-02-config.yaml',
  'cluster-proxy-01-config.yaml',
  'cluster-scheduler-02-config.yml',
  'cvo-overrides.yaml',
  'image-content-source-policy.yaml',
  'image-digest-mirror-set.yaml',
  'internal-release-image-registry-auth-secret.yaml',
  'internal-release-image-tls-secret.yaml',
  'internal-release-image.yaml',
  'kube-cloud-config.yaml',
  'kube-system-configmap-root-ca.yaml',
  'machine-config-server-ca-configmap.yaml',
  'machine-config-server-ca-secret.yaml',
  'machine-config-server-tls-secret.yaml',
  'openshift-config-secret-pull-secret.yaml',
  'payload-image-digest-mirror-set.yaml',
  'payload-image-tag-mirror-set.yaml',
  'user-ca-bundle-config.yaml',
  '99_feature-gate.yaml',
  '99_kubeadmin-password-secret.yaml',
  '99_kubelet-graceful-shutdown.yaml',
  '99_openshift-cluster-api_master-user-data-secret.yaml',
  '99_openshift-cluster-api_worker-user-data-secret.yaml',
  '99_osimagestream.yaml',
  'openshift-install-manifests.yaml',
]);

const machineConfigs =
  /^99_openshift-machineconfig_(?:02-master-internalreleaseimage|10-master-node-ip-hint|99-master-sno-payload|50-master-dnsmasq-configuration|99-dual-stack-(?:master|worker)|99-(?:master|worker)-(?:ssh|fips|chrony|disk-encryption|hostname|network|node-labels|kernel-arguments|disable-hyperthreading))\.yaml$/;
