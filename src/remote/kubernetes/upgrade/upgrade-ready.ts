import type { ClusterClient } from '../reader.js';
import type { Goal } from '../wait.js';
import { faultProblem } from '../fault-problem.js';
import type { TargetRelease } from './cluster-version.js';
import { upgradePreflight } from './upgrade-preflight.js';

/** The cluster meets all conditions of `upgradePreflight`, or has the release. An API that does not answer fails at once. */
export function upgradeReady(target: TargetRelease): Goal<ClusterClient> {
  return {
    outage: '',
    overdue: () => Promise.resolve([]),
    look: async (client) => {
      const found = await upgradePreflight(client, target);
      switch (found.kind) {
        case 'fault':
          return { kind: 'hopeless', problems: [faultProblem(found.fault, client)] };
        case 'refused':
          return { kind: 'hopeless', problems: found.problems };
        case 'requested': {
          const changes = found.isComplete ? 'has the release' : 'upgrades to the release';
          return { kind: 'reached', facts: { changes }, warnings: [] };
        }
        case 'ready': {
          const changes = `now ${found.from ?? 'an unknown release'}`;
          return { kind: 'reached', facts: { changes }, warnings: found.warnings };
        }
      }
    },
  };
}
