/**
 * Why the installation needs a file under exactly this path, or undefined where it can do without.
 * Source: the file names that openshift/installer's bootkube.sh and the render commands of the operators name.
 */
export function nodeNeeds(path: string): string | undefined {
  return neededFiles[path];
}

const neededFiles: Readonly<Record<string, string>> = {
  'manifests/cluster-config.yaml': 'etcd, the machine config operator and cluster-bootstrap read it by name',
  'manifests/cluster-dns-02-config.yml': 'the machine config operator reads the domain from it',
  'manifests/cluster-infrastructure-02-config.yml':
    'the config, etcd and API server operators read it by name',
  'manifests/cluster-network-02-config.yml':
    'the etcd, API server and controller manager operators read it by name',
  'manifests/cluster-proxy-01-config.yaml': 'the machine config operator reads the proxy from it',
  'manifests/cluster-scheduler-02-config.yml': 'without it no pod may run on the only node',
  'manifests/cvo-overrides.yaml': 'the cluster version operator reads it by name',
  'manifests/openshift-config-secret-pull-secret.yaml':
    'the machine config operator reads the pull secret from it',
  'openshift/99_feature-gate.yaml': 'the cluster version operator reads it by name',
};
