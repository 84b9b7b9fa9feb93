import { problem, type Problem } from '../../core/problem.js';
import { clusterField, placeOf, type Instance } from '../resources/instances.js';
import { textAt } from '../resources/resources.js';

const hint = 'import single-node clusters only';

/** Returns a problem if the cluster type is not SNO or the cluster does not have exactly one node. Problems: import/not-single-node. */
export function nodeCountProblem(instance: Instance): Problem | undefined {
  const { resource } = instance;
  const nodes = instance.nodes();
  const type = clusterField(instance, ['clusterType']);
  if (type?.node.kind === 'scalar' && type.node.text.toLowerCase() !== 'sno')
    return problem('import/not-single-node', 'clusterType is not SNO', { at: placeOf(instance, type), hint });
  if (nodes.length === 1) return undefined;
  const at = { file: resource.file, ...(nodes[1] ?? instance.parts()[0])?.root.span };
  return problem('import/not-single-node', `this cluster has ${nodes.length} nodes`, { at, hint });
}

/** Like `nodeCountProblem`, and also rejects a single node whose role is not master. Problems: import/not-single-node. */
export function singleNodeProblems(instance: Instance): readonly Problem[] {
  const several = nodeCountProblem(instance);
  if (several !== undefined) return [several];
  const { nodes, resource } = instance;
  const [first] = nodes();
  const role = textAt(first?.root, ['role']);
  if (role === undefined || role === 'master') return [];
  const at = { file: resource.file, ...first?.root.span };
  return [problem('import/not-single-node', 'the role of the node is not master', { at, hint })];
}
