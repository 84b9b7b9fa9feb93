import type { ControlPlaneRender } from '../../config/reading/control-plane-render.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { formatAddress, parseAddress } from '../../formats/cidr.js';

/** Folder that is reserved for the etcd snapshot, which replaces the placeholder `snapshot.db` there. */
export const etcdSnapshotFolder = '/opt/openshift/etcd-snapshot';

/** etcd's default, which no operator changes: the restored member has the cluster ID of the original one. Source: etcd --initial-cluster-token */
const initialClusterToken = 'etcd-cluster';

/** The description of the snapshot; the node fills the fields that are null. */
export interface EtcdSnapshot {
  readonly apiVersion: 'sno-install/v1alpha1';
  readonly kind: 'EtcdSnapshot';
  readonly clusterID: string;
  /** Hostname and address at the time of the snapshot. */
  readonly node: { readonly hostname: string | null; readonly address: string | null };
  readonly member: {
    readonly name: string | null;
    readonly peerURL: string | null;
    readonly initialClusterToken: string;
    readonly dataDir: string;
  };
  readonly snapshot: {
    /** Name of the compressed snapshot in the same folder. */
    readonly file: string;
    /** This and the next four fields describe the uncompressed snapshot. */
    readonly sha256: string | null;
    readonly sizeBytes: number | null;
    readonly revision: number | null;
    readonly totalKeys: number | null;
    readonly etcdVersion: string | null;
    readonly etcdImage: string | null;
    readonly takenAt: string | null;
  };
}

/** The description before the node fills it. */
export function etcdSnapshot(
  {
    hostname,
    nodeIP,
    renderedBy,
  }: Pick<SnoConfig, 'hostname' | 'nodeIP'> & { readonly renderedBy: ControlPlaneRender['by'] },
  clusterID: string,
): EtcdSnapshot {
  return {
    apiVersion: 'sno-install/v1alpha1',
    kind: 'EtcdSnapshot',
    clusterID,
    node: { hostname: hostname ?? null, address: nodeIP ?? null },
    member: {
      name: hostname === undefined ? null : memberName(hostname, renderedBy),
      peerURL: nodeIP === undefined ? null : peerUrl(nodeIP),
      initialClusterToken,
      dataDir: '/var/lib/etcd',
    },
    snapshot: {
      file: 'snapshot.db.gz',
      sha256: null,
      sizeBytes: null,
      revision: null,
      totalKeys: null,
      etcdVersion: null,
      etcdImage: null,
      takenAt: null,
    },
  };
}

/** Source of the prefix: cluster-etcd-operator render, from 4.14 on, if the install-config has bootstrapInPlace */
function memberName(hostname: string, renderedBy: ControlPlaneRender['by']): string {
  return renderedBy === 'Installer' ? hostname : `etcd-${hostname}`;
}

function peerUrl(nodeIP: string): string {
  const address = parseAddress(nodeIP);
  if (address === undefined) throw new Error('internal error: nodeIP is no address');
  const host = formatAddress(address);
  return `https://${address.family === 'IPv6' ? `[${host}]` : host}:2380`;
}
