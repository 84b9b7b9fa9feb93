// The published sources of the schemas. A release branch of a repository holds the definitions of that release.

/** Releases of OpenShift with a branch `release-X.Y` in each repository. */
export const openShiftReleases = [
  ...['4.14', '4.15', '4.16', '4.17', '4.18', '4.19', '4.20', '4.21', '4.22', '4.23', '5.0'],
];

/** The last patch of each minor of Kubernetes whose module is published. */
export const kubernetesVersions = [
  ...[
    '1.27.16',
    '1.28.15',
    '1.29.6',
    '1.30.14',
    '1.31.14',
    '1.32.13',
    '1.33.13',
    '1.34.4',
    '1.35.4',
    '1.36.3',
  ],
];

/** Source: openshift/api config/v1, FeatureSet */
const previewSets = ['CustomNoUpgrade', 'DevPreviewNoUpgrade', 'TechPreviewNoUpgrade'];

/**
 * Definitions of the payload. `files` selects the YAML files; other documents in them are skipped. `sets`: feature sets of definitions
 * that do not name them. `releases`: the releases whose payload has them; all by default.
 */
export const payload = [
  {
    repository: 'openshift/api',
    // payload-manifests/crds has copies of some of these files.
    files: /^(?!example\/)\w+\/v\w+\/(zz_generated\.crd-manifests\/)?[^/]+\.ya?ml$/,
    // API servers of OpenShift that are not defined by a CustomResourceDefinition.
    openApi: 'openapi/openapi.json',
  },
  { repository: 'openshift/machine-config-operator', files: /^(install|manifests)\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/cluster-node-tuning-operator', files: /^manifests\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/operator-framework-olm', files: /^manifests\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/cluster-monitoring-operator', files: /^manifests\/[^/]*definition\.yaml$/ },
  {
    repository: 'openshift/cluster-network-operator',
    files:
      /^(bindata\/network\/(additional-networks\/crd|ovn-kubernetes\/common|frr-k8s|multus-networkpolicy)\/|manifests\/)[^/]*(crd|scheme)\.yaml$/,
  },
  { repository: 'openshift/cloud-credential-operator', files: /^manifests\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/machine-api-operator', files: /^install\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/cluster-autoscaler-operator', files: /^install\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/baremetal-operator', files: /^config\/(base\/)?crds?\/bases\/[^/]+\.yaml$/ },
  { repository: 'openshift/cluster-baremetal-operator', files: /^manifests\/[^/]*crd\.yaml$/ },
  {
    repository: 'openshift/cluster-csi-snapshot-controller-operator',
    files: /^assets\/volume[^/]+\.yaml$/,
  },
  {
    repository: 'openshift/cluster-ingress-operator',
    files: /^pkg\/manifests\/assets\/gateway-api\/[^/]+\.yaml$/,
  },
  {
    repository: 'openshift/cluster-kube-storage-version-migrator-operator',
    files: /^manifests\/[^/]*crd\.yaml$/,
  },
  {
    repository: 'openshift/operator-framework-operator-controller',
    files: /^openshift\/[\w-]+\/manifests-experimental\.yaml$/,
    sets: previewSets,
  },
  {
    repository: 'openshift/operator-framework-operator-controller',
    files:
      /^openshift\/([\w-]+\/manifests\.yaml|([\w-]+\/)?manifests\/[^/]*customresourcedefinition[^/]*\.yml)$/,
  },
  {
    repository: 'openshift/operator-framework-catalogd',
    files: /^openshift\/manifests\/[^/]*customresourcedefinition[^/]*\.ya?ml$/,
    releases: ['4.16', '4.17', '4.18'],
  },
];

const baseFiles = /^(bundle\/manifests|config\/crd\/bases|config\/manifests\/stable)\/[^/]+\.ya?ml$/;

/** Operators that sites install. `branches` maps a branch to its name in the table. */
export const operators = [
  { repository: 'openshift/ptp-operator', files: baseFiles, branches: ofReleases() },
  { repository: 'openshift/sriov-network-operator', files: baseFiles, branches: ofReleases() },
  { repository: 'openshift/lvm-operator', files: baseFiles, branches: ofReleases() },
  { repository: 'openshift/local-storage-operator', files: baseFiles, branches: ofReleases() },
  { repository: 'openshift/metallb-operator', files: baseFiles, branches: ofReleases() },
  {
    repository: 'openshift/kubernetes-nmstate',
    files: /^deploy\/crds\/[^/]+\.ya?ml$/,
    branches: ofReleases(),
  },
  {
    repository: 'openshift/cluster-logging-operator',
    files: baseFiles,
    branches: Object.fromEntries(
      ['5.7', '5.8', '5.9', '6.0', '6.1', '6.2', '6.3', '6.4', '6.5', '6.6'].map((version) => [
        `release-${version}`,
        `logging ${version}`,
      ]),
    ),
  },
  {
    repository: 'openshift/loki',
    files: /^operator\/bundle\/openshift\/manifests\/[^/]+\.yaml$/,
    branches: Object.fromEntries(
      ['5.8', '5.9', '6.0', '6.1', '6.2', '6.3', '6.4', '6.5', '6.6'].map((version) => [
        `release-${version}`,
        `Loki ${version}`,
      ]),
    ),
  },
  { repository: 'openshift-kni/lifecycle-agent', files: baseFiles, branches: ofReleases('4.23') },
  { repository: 'openshift-kni/numaresources-operator', files: baseFiles, branches: ofReleases('4.23') },
  { repository: 'openshift/cluster-nfd-operator', files: baseFiles, branches: ofReleases() },
  {
    repository: 'openshift/oadp-operator',
    files: /^bundle\/manifests\/[^/]+\.yaml$/,
    branches: Object.fromEntries(
      ['1.2', '1.3', '1.4', '1.5'].map((version) => [`oadp-${version}`, `OADP ${version}`]),
    ),
  },
  { repository: 'openshift/cert-manager-operator', files: baseFiles, branches: { HEAD: 'cert-manager' } },
  { repository: 'redhat-developer/gitops-operator', files: baseFiles, branches: { HEAD: 'gitops' } },
];

/** Releases before `end`, or all. */
function ofReleases(end) {
  const versions = openShiftReleases.slice(0, end === undefined ? undefined : openShiftReleases.indexOf(end));
  return Object.fromEntries(versions.map((version) => [`release-${version}`, version]));
}
