import { describe, expect, it } from 'vitest';

import {
  controlPlaneTopology,
  defaultPlacement,
  infrastructureTopology,
} from '../../src/manifests/topology.js';

describe('controlPlaneTopology', () => {
  it.each([
    { replicas: 1, arbiters: 0, want: 'SingleReplica' },
    { replicas: 1, arbiters: 1, want: 'SingleReplica' },
    { replicas: 2, arbiters: 0, want: 'DualReplica' },
    { replicas: 2, arbiters: 1, want: 'HighlyAvailableArbiter' },
    { replicas: 3, arbiters: 1, want: 'HighlyAvailableArbiter' },
    { replicas: 3, arbiters: 0, want: 'HighlyAvailable' },
    { replicas: 5, arbiters: 0, want: 'HighlyAvailable' },
    { replicas: undefined, arbiters: 0, want: 'HighlyAvailable' },
  ])('$replicas control-plane nodes and $arbiters arbiters: $want', ({ replicas, arbiters, want }) => {
    expect(controlPlaneTopology(replicas, arbiters)).toBe(want);
  });
});

describe('infrastructureTopology', () => {
  it.each([
    { controlPlane: 'SingleReplica', workers: 0, want: 'SingleReplica' },
    { controlPlane: 'DualReplica', workers: 0, want: 'HighlyAvailable' },
    { controlPlane: 'HighlyAvailableArbiter', workers: 0, want: 'HighlyAvailable' },
    { controlPlane: 'HighlyAvailable', workers: 0, want: 'HighlyAvailable' },
    { controlPlane: 'SingleReplica', workers: 1, want: 'SingleReplica' },
    { controlPlane: 'HighlyAvailable', workers: 1, want: 'SingleReplica' },
    { controlPlane: 'SingleReplica', workers: 2, want: 'HighlyAvailable' },
    { controlPlane: 'HighlyAvailable', workers: 2, want: 'HighlyAvailable' },
  ] as const)(
    '$controlPlane control plane and $workers workers: $want',
    ({ controlPlane, workers, want }) => {
      expect(infrastructureTopology(controlPlane, workers)).toBe(want);
    },
  );
});

/**
 * The table of "Single-node day-2 workers" (openshift/enhancements), with what its text proposes and what the installer
 * does today, which is what we do. Since that text, placement has become a field of its own, so it no longer hangs on
 * the infrastructure topology: where the two differ, `differs` says in which of the two answers.
 */
const scenarios = [
  { scenario: 'none, no workers', platform: 'none', workers: 0, proposed: 'SR/M', today: 'SR/M', routers: 1 },
  {
    scenario: 'cloud, no workers',
    platform: 'aws',
    workers: 0,
    proposed: 'SR/M',
    today: 'SR/W',
    routers: 1,
    differs: 'placement',
  },
  {
    scenario: 'none, 1 worker on day 1',
    platform: 'none',
    workers: 1,
    proposed: 'SR/M',
    today: 'SR/M',
    routers: 1,
  },
  {
    scenario: 'cloud, 1 worker on day 1',
    platform: 'aws',
    workers: 1,
    proposed: 'HA/W',
    today: 'SR/W',
    routers: 1,
    differs: 'topology',
  },
  {
    scenario: 'none, 2 workers on day 1',
    platform: 'none',
    workers: 2,
    proposed: 'SR/M',
    today: 'HA/M',
    routers: 1,
    differs: 'topology',
  },
  {
    scenario: 'cloud, 2 workers on day 1',
    platform: 'aws',
    workers: 2,
    proposed: 'HA/W',
    today: 'HA/W',
    routers: 2,
  },
  {
    scenario: 'none, workers on day 2 only',
    platform: 'none',
    workers: 0,
    proposed: 'SR/M',
    today: 'SR/M',
    routers: 1,
  },
  {
    scenario: 'cloud, workers on day 2 only',
    platform: 'aws',
    workers: 0,
    proposed: 'SR/M',
    today: 'SR/W',
    routers: 1,
    differs: 'placement',
  },
] as const;

describe('one control-plane node, in the scenarios of the day-2-workers document', () => {
  it.each(scenarios)('$scenario: $today', (row) => {
    const controlPlane = controlPlaneTopology(1, 0);
    const topology = infrastructureTopology(controlPlane, row.workers);
    const placement = defaultPlacement(row.platform, controlPlane);

    const short = `${topology === 'SingleReplica' ? 'SR' : 'HA'}/${placement === 'ControlPlane' ? 'M' : 'W'}`;
    expect(short).toBe(row.today);
    expect(routerReplicas(placement === 'ControlPlane' ? controlPlane : topology)).toBe(row.routers);
    expect(differenceOf(row.proposed, row.today)).toBe('differs' in row ? row.differs : undefined);
  });
});

/** The ingress operator's rule over the topology that belongs to the placement. Source: openshift/api config/v1 Ingress. */
function routerReplicas(topology: string): number {
  return topology === 'SingleReplica' ? 1 : 2;
}

function differenceOf(proposed: string, today: string): string | undefined {
  const [proposedTopology, proposedPlacement] = proposed.split('/');
  const [topology, placement] = today.split('/');
  if (proposedTopology !== topology) return 'topology';
  return proposedPlacement === placement ? undefined : 'placement';
}
