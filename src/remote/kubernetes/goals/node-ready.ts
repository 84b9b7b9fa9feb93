import { byName } from '../../../core/compare.js';
import { listAt, textAt } from '../../../kube/fields.js';
import { conditionOf } from '../condition.js';
import type { ClusterReader } from '../reader.js';
import type { Goal, CheckResult } from '../wait.js';
import { overdueOnNode } from './overdue-on-node.js';

/** At least one node is registered, and every node is Ready. Problems: cluster/node-not-ready. */
export const nodeReady: Goal = {
  outage: 'expected while it or the node restarts',
  look,
  overdue: overdueOnNode('cluster/node-not-ready', 'kubelet'),
};

async function look(reader: ClusterReader): Promise<CheckResult> {
  const reading = await reader.nodes();
  if (reading.kind === 'fault') return reading;
  const items = reading.kind === 'found' ? listAt(reading.object, ['items']) : [];
  const nodes = items
    .map((node) => ({ name: textAt(node, ['metadata', 'name']) ?? '?', ready: conditionOf(node, 'Ready') }))
    .sort(byName);
  const unready = nodes.filter(({ ready }) => ready.status !== 'True');
  if (nodes.length === 0) return { kind: 'waiting', message: 'the API answers, but no node is registered' };
  if (unready.length === 0)
    return { kind: 'reached', facts: { nodes: nodes.map(({ name }) => name) }, warnings: [] };
  // Use the same words for every single-node cluster, so that a fleet groups equal messages.
  const nameOf = (name: string): string => (nodes.length === 1 ? 'the node' : name);
  const states = unready.map(
    ({ name, ready }) => `${nameOf(name)} is not Ready (${ready.message || 'no reason given'})`,
  );
  return { kind: 'waiting', message: states.join(', ') };
}
