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
 * How many copies everything else runs, such as monitoring. Without workers that is as the control plane, except that
 * the topologies without a third full node count as highly available. Source: as above.
 */
export function infrastructureTopology(
  controlPlane: ControlPlaneTopology,
  computeReplicas: number,
): InfrastructureTopology {
  if (computeReplicas === 1) return 'SingleReplica';
  if (computeReplicas > 1) return 'HighlyAvailable';
  return controlPlane === 'SingleReplica' ? 'SingleReplica' : 'HighlyAvailable';
}

/**
 * Where the default router runs. On platform none nothing balances load, so `*.apps` names one machine, and with one
 * control-plane node that is the one to stay on when workers come. Source: openshift/installer
 * pkg/asset/manifests/ingress.go.
 */
export function defaultPlacement(platform: string, controlPlane: ControlPlaneTopology): DefaultPlacement {
  return platform === 'none' && controlPlane === 'SingleReplica' ? 'ControlPlane' : 'Workers';
}
