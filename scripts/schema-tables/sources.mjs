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

/** Definitions of the payload. `files` selects the YAML files; other documents in them are skipped. */
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
      /^(bindata\/network\/(additional-networks\/crd|ovn-kubernetes\/common)\/|manifests\/)[^/]*crd\.yaml$/,
  },
  { repository: 'openshift/cloud-credential-operator', files: /^manifests\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/machine-api-operator', files: /^install\/[^/]*crd\.yaml$/ },
  { repository: 'openshift/cluster-autoscaler-operator', files: /^install\/[^/]*crd\.yaml$/ },
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
  { repository: 'openshift/cert-manager-operator', files: baseFiles, branches: { HEAD: 'cert-manager' } },
  { repository: 'redhat-developer/gitops-operator', files: baseFiles, branches: { HEAD: 'gitops' } },
];

function ofReleases() {
  return Object.fromEntries(openShiftReleases.map((version) => [`release-${version}`, version]));
}
