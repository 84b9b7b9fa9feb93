import { type ClusterFacts, isCapabilityEnabled } from '../checks/check-kinds.js';

/**
 * Namespaces that operators of the payload create before the installation is complete, in addition to those of manifests.
 * Without facts about the cluster, all that may exist.
 */
export function operandNamespaces(cluster: ClusterFacts | undefined): readonly string[] {
  return operands.filter((each) => !cluster || exists(each, cluster)).flatMap(({ names }) => names);
}

interface Operand {
  readonly names: readonly string[];
  readonly capability?: string;
  /** Network plugin that the namespaces belong to. */
  readonly plugin?: string;
  /** First minor of OpenShift 4 that has the namespaces. */
  readonly since?: number;
}

function exists({ capability, plugin, since = 0 }: Operand, { install, version }: ClusterFacts): boolean {
  return (
    (plugin === undefined || install.networking.networkType === plugin) &&
    (capability === undefined || isCapabilityEnabled(capability, install.capabilities, version)) &&
    (version?.minor ?? since) >= since
  );
}

/** Sources: Namespace manifests in the named folders of the operators' repositories below github.com/openshift. */
const operands: readonly Operand[] = [
  // The API server of OpenShift creates its shared namespace when it starts.
  { names: ['openshift'] },
  // cluster-openshift-apiserver-operator bindata, cluster-authentication-operator bindata
  { names: ['openshift-apiserver', 'openshift-authentication', 'openshift-oauth-apiserver'] },
  // cluster-openshift-controller-manager-operator bindata
  { names: ['openshift-controller-manager', 'openshift-route-controller-manager'] },
  // cluster-kube-scheduler-operator bindata, cluster-kube-storage-version-migrator-operator bindata, service-ca-operator bindata
  { names: ['openshift-kube-scheduler', 'openshift-kube-storage-version-migrator', 'openshift-service-ca'] },
  // cluster-dns-operator assets/dns
  { names: ['openshift-dns'] },
  // cluster-ingress-operator pkg/manifests/assets
  { names: ['openshift-ingress', 'openshift-ingress-canary'], capability: 'Ingress' },
  // cluster-network-operator bindata, manifests
  {
    names: [
      'openshift-cloud-network-config-controller',
      'openshift-multus',
      'openshift-network-diagnostics',
      'openshift-network-node-identity',
    ],
  },
  { names: ['openshift-host-network', 'openshift-ovn-kubernetes'], plugin: 'OVNKubernetes' },
  { names: ['openshift-network-console'], capability: 'Console', since: 17 },
  // machine-config-operator install
  { names: ['openshift-nutanix-infra'] },
];
