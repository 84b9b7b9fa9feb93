import type { Identity } from '../../kube/identity.js';

/** A generated file that the installation reads by its path. */
export interface NeededFile {
  readonly why: string;
  /** The object in the file, the same for every config. */
  readonly identity: Identity;
}

/** The reason why the installation needs the file at a path; undefined if it does not. */
export function neededAt(path: string): NeededFile | undefined {
  return neededFiles[path];
}

const config = { group: 'config.openshift.io', namespace: '', name: 'cluster' } as const;

/**
 * By path; each is generated from every config.
 * Source: the file names in openshift/installer's bootkube.sh and in the operators' render commands.
 */
export const neededFiles: Readonly<Record<string, NeededFile>> = {
  'manifests/cluster-config.yaml': {
    why: 'etcd, the machine config operator and cluster-bootstrap read it by name',
    identity: { group: '', kind: 'ConfigMap', namespace: 'kube-system', name: 'cluster-config-v1' },
  },
  'manifests/cluster-dns-02-config.yml': {
    why: 'the machine config operator reads the domain from it',
    identity: { ...config, kind: 'DNS' },
  },
  'manifests/cluster-infrastructure-02-config.yml': {
    why: 'the config, etcd and API server operators read it by name',
    identity: { ...config, kind: 'Infrastructure' },
  },
  'manifests/cluster-network-02-config.yml': {
    why: 'the etcd, API server and controller manager operators read it by name',
    identity: { ...config, kind: 'Network' },
  },
  'manifests/cluster-proxy-01-config.yaml': {
    why: 'the machine config operator reads the proxy from it',
    identity: { ...config, kind: 'Proxy' },
  },
  'manifests/cluster-scheduler-02-config.yml': {
    why: 'without it no pod may run on the only node',
    identity: { ...config, kind: 'Scheduler' },
  },
  'manifests/cvo-overrides.yaml': {
    why: 'the cluster version operator reads it by name',
    identity: {
      ...config,
      kind: 'ClusterVersion',
      namespace: 'openshift-cluster-version',
      name: 'version',
    },
  },
  'manifests/openshift-config-secret-pull-secret.yaml': {
    why: 'the machine config operator reads the pull secret from it',
    identity: { group: '', kind: 'Secret', namespace: 'openshift-config', name: 'pull-secret' },
  },
  'openshift/99_feature-gate.yaml': {
    why: 'the cluster version operator reads it by name',
    identity: { ...config, kind: 'FeatureGate' },
  },
};
