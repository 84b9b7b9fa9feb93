/**
 * OLM packages by the API group that they define. The first package is the one of redhat-operators; another one is an alternative.
 * Sources: Subscriptions and objects in openshift-kni/telco-reference, telco-*\/configuration, and openshift-kni/cnf-features-deploy,
 * ztp/source-crs; alternatives: redhat-openshift-ecosystem/community-operators-prod, operators.
 */
export const operatorPackages: Readonly<Record<string, readonly string[]>> = {
  'argoproj.io': ['openshift-gitops-operator', 'argocd-operator'],
  'lca.openshift.io': ['lifecycle-agent'],
  'local.storage.openshift.io': ['local-storage-operator'],
  'logging.openshift.io': ['cluster-logging'],
  'lvm.topolvm.io': ['lvms-operator'],
  'metallb.io': ['metallb-operator'],
  'nmstate.io': ['kubernetes-nmstate-operator'],
  'nodetopology.openshift.io': ['numaresources-operator'],
  'oadp.openshift.io': ['redhat-oadp-operator', 'oadp-operator'],
  'observability.openshift.io': ['cluster-logging', 'cluster-observability-operator'],
  'ptp.openshift.io': ['ptp-operator'],
  'sriovfec.intel.com': ['sriov-fec'],
  'sriovnetwork.openshift.io': ['sriov-network-operator'],
  'sriovvrb.intel.com': ['sriov-fec'],
  'velero.io': ['redhat-oadp-operator', 'oadp-operator'],
};

/** The packages that define a group, or a group of which it is a subdomain, such as frrk8s.metallb.io. Empty for other groups. */
export function packagesOfGroup(group: string): readonly string[] {
  const found = Object.entries(operatorPackages).find(
    ([listed]) => group === listed || group.endsWith(`.${listed}`),
  );
  return found?.[1] ?? [];
}
