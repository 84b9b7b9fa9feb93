import type {
  ControlPlaneTopology,
  DefaultPlacement,
  InfrastructureTopology,
} from '../kube/openshift-objects.js';

/**
 * How many copies the components of the control plane run.
 * A replica count that is not given counts as 3. Source: openshift/installer pkg/asset/manifests/topologies.go.
 */
export function controlPlaneTopology(
  replicas: number | undefined,
  arbiterReplicas: number,
): ControlPlaneTopology {
  const nodes = replicas ?? 3;
  if (nodes < 2) return 'SingleReplica';
  if (arbiterReplicas !== 0) return 'HighlyAvailableArbiter';
  return nodes === 2 ? 'DualReplica' : 'HighlyAvailable';
}

/**
 * How many replicas everything else runs, such as monitoring, on platform none. Nothing balances load there, so one
 * control-plane node gives `SingleReplica` whatever workers join, at installation or later.
 * Source: openshift/enhancements, single-node-openshift-day2-workers.
 */
export function infrastructureTopology(
  controlPlane: ControlPlaneTopology,
  computeReplicas: number,
): InfrastructureTopology {
  return controlPlane === 'SingleReplica' || computeReplicas === 1 ? 'SingleReplica' : 'HighlyAvailable';
}

/**
 * Where the default router runs on platform none: `*.apps` names one machine, and with one control-plane node that node
 * stays while workers come and go. Source: as above, and openshift/installer pkg/asset/manifests/ingress.go.
 */
export function defaultPlacement(controlPlane: ControlPlaneTopology): DefaultPlacement {
  return controlPlane === 'SingleReplica' ? 'ControlPlane' : 'Workers';
}
