import type {
  ControlPlaneTopology,
  DefaultPlacement,
  InfrastructureTopology,
  PlatformSpec,
} from '../kube/openshift-objects.js';

/** Topology of the control plane components. `replicas` defaults to 3. Source: openshift/installer pkg/asset/manifests/topologies.go. */
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
 * Topology of all other components, such as monitoring, on platform none. Platform none has no load balancer, so one
 * control plane node means `SingleReplica`, however many workers join during or after installation.
 * Source: openshift/enhancements, single-node-openshift-day2-workers.
 */
export function infrastructureTopology(
  controlPlane: ControlPlaneTopology,
  computeReplicas: number,
): InfrastructureTopology {
  return controlPlane === 'SingleReplica' || computeReplicas === 1 ? 'SingleReplica' : 'HighlyAvailable';
}

/**
 * Placement of the default router. On platform none, `*.apps` resolves to one machine: with one control plane node it is that node,
 * because workers may be removed. Platform external may have a load balancer. A single node without workers is a worker too.
 * Source: as above, and openshift/installer pkg/asset/manifests/ingress.go.
 */
export function defaultPlacement(
  controlPlane: ControlPlaneTopology,
  platform: PlatformSpec['type'],
): DefaultPlacement {
  return controlPlane === 'SingleReplica' && platform === 'None' ? 'ControlPlane' : 'Workers';
}
