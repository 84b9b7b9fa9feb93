import { quoted } from '../../../core/quoted.js';
import { textAt } from '../../../kube/fields.js';
import type { ClusterReader } from '../reader.js';
import type { Goal, CheckResult } from '../wait.js';
import { noClusterVersion } from './no-cluster-version.js';
import { overdueOnNode } from './overdue-on-node.js';

/**
 * The node has rebooted from its disk, and its API server reports that bootstrapping is complete.
 * Problems: cluster/bootstrap-incomplete, cluster/no-cluster-version.
 */
export const bootstrapComplete: Goal = {
  outage: 'expected while the node reboots',
  look,
  overdue: overdueOnNode('cluster/bootstrap-incomplete', 'bootkube'),
};

async function look(reader: ClusterReader): Promise<CheckResult> {
  const reading = await reader.bootstrapConfigMap();
  switch (reading.kind) {
    case 'fault':
      return reading;
    case 'found': {
      // Source: openshift/installer cmd/openshift-install/create.go, waitForBootstrapConfigMap
      const status = textAt(reading.object, ['data', 'status']);
      if (status === 'complete') return { kind: 'reached', facts: {}, warnings: [] };
      return {
        kind: 'waiting',
        message: `the bootstrap status is ${quoted(status ?? '')}, not "complete"`,
      };
    }
    case 'absent': {
      const never = await noClusterVersion(await reader.clusterVersion(), reader);
      if (never !== undefined) return { kind: 'hopeless', problems: [never] };
      return { kind: 'waiting', message: 'the API answers, but the bootstrap is not complete' };
    }
  }
}
