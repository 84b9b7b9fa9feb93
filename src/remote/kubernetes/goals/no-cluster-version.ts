import { problem, type Problem } from '../../../core/problem.js';
import { listAt } from '../../../kube/fields.js';
import type { ClusterReader, Reading } from '../reader.js';

/**
 * The problem of a cluster that will never have a ClusterVersion; undefined while it may still get one. During the installation
 * the kind may be unknown, but then no node is registered: the kubelet of the live system runs standalone, and
 * the installed node starts with a database that has the kind. Problems: cluster/no-cluster-version.
 */
export async function noClusterVersion(
  version: Reading,
  reader: ClusterReader,
): Promise<Problem | undefined> {
  if (version.kind !== 'absent' || version.isKindServed) return undefined;
  const nodes = await reader.nodes();
  if (nodes.kind !== 'found' || listAt(nodes.object, ['items']).length === 0) return undefined;
  const message = `the cluster at ${reader.server} has nodes but no ClusterVersion: it is a control plane without the OpenShift operators`;
  return problem('cluster/no-cluster-version', message, { hint: 'use `sno-install wait-for node-ready`' });
}
