import { computeReplicas } from '../../config/compute-replicas.js';
import type { Scheduler } from '../../kube/openshift-objects.js';
import { installConfig } from '../config/install-config.js';
import { defineManifests } from './family.js';

/** Allows workloads on the control-plane node, unless the installation includes workers. */
export const scheduler = defineManifests({
  name: 'manifests/scheduler',
  needs: { install: installConfig },
  make: ({ install }) => {
    const object: Scheduler = {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Scheduler',
      metadata: { name: 'cluster' },
      spec: { mastersSchedulable: computeReplicas(install) === 0 },
    };
    return [{ path: 'manifests/cluster-scheduler-02-config.yml', object }];
  },
});
