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
    { controlPlane: 'SingleReplica', workers: 2, want: 'SingleReplica' },
    { controlPlane: 'HighlyAvailable', workers: 2, want: 'HighlyAvailable' },
  ] as const)(
    '$controlPlane control plane and $workers workers: $want',
    ({ controlPlane, workers, want }) => {
      expect(infrastructureTopology(controlPlane, workers)).toBe(want);
    },
  );
});

/** Rows of platform none: topology, placement, routers. Source: openshift/enhancements, table of "Single-node day-2 workers" */
describe('one control-plane node, in the scenarios of the day-2-workers document', () => {
  it.each([
    { scenario: 'no workers', workers: 0 },
    { scenario: '1 worker on day 1', workers: 1 },
    { scenario: '2 or more workers on day 1', workers: 2 },
    // Only workers of the installation count.
    { scenario: 'workers on day 2 only', workers: 0 },
  ])('$scenario: SingleReplica, one router on the control-plane node', ({ workers }) => {
    const controlPlane = controlPlaneTopology(1, 0);
    expect(infrastructureTopology(controlPlane, workers)).toBe('SingleReplica');
    expect(defaultPlacement(controlPlane, 'None')).toBe('ControlPlane');
    expect(defaultPlacement(controlPlane, 'External')).toBe('Workers');
  });
});
