import { byCodeUnit } from '../../core/compare.js';
import { problem, type Problem } from '../../core/problem.js';
import { listAt, textAt } from '../../kube/fields.js';
import { conditionOf } from '../condition.js';
import type { ClusterReader } from '../reader.js';
import type { Facts, Goal, Sight } from '../wait.js';
import { noClusterVersion } from './no-cluster-version.js';

/**
 * The version operator has installed everything: Available, not Progressing, not Failing.
 * Problems: cluster/install-incomplete, cluster/no-cluster-version, and cluster/operator as a warning.
 */
export const installComplete: Goal = {
  outage: 'expected while it or the node restarts',
  look,
  overdue: async (message, reader) => [
    problem('cluster/install-incomplete', `not in time: ${message}`, {
      hint: 'look at the operators that are named here, then wait again: the cluster goes on',
    }),
    ...(await unwellOperators(reader)),
  ],
};

async function look(reader: ClusterReader): Promise<Sight> {
  const reading = await reader.clusterVersion();
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'found') return lookAtVersion(reading.object, reader);
  const never = await noClusterVersion(reading, reader);
  if (never !== undefined) return { kind: 'hopeless', problems: [never] };
  return { kind: 'waiting', message: 'the API answers and there is no ClusterVersion yet' };
}

/** Source: openshift/installer cmd/openshift-install/command/waitfor.go, which asks for the same three conditions. */
async function lookAtVersion(clusterVersion: object, reader: ClusterReader): Promise<Sight> {
  const [available, progressing, failing] = ['Available', 'Progressing', 'Failing'].map((type) =>
    conditionOf(clusterVersion, type),
  );
  const isDone =
    available?.status === 'True' && progressing?.status === 'False' && failing?.status !== 'True';
  if (isDone)
    return {
      kind: 'reached',
      facts: await factsOf(clusterVersion, reader),
      warnings: await unwellOperators(reader),
    };
  const said = [
    ...(failing?.status === 'True' ? [`it is failing: ${failing.message}`] : []),
    ...(progressing?.message ? [progressing.message] : []),
  ];
  const work = said.length === 0 ? 'it does not say at what' : said.join('; ');
  return { kind: 'waiting', message: `the version operator is at work: ${work}` };
}

async function factsOf(clusterVersion: object, reader: ClusterReader): Promise<Facts> {
  const version = textAt(clusterVersion, ['status', 'desired', 'version']);
  const console = await reader.consoleConfig();
  // Source: openshift/api config/v1 ConsoleStatus
  const consoleUrl = console.kind === 'found' ? textAt(console.object, ['status', 'consoleURL']) : undefined;
  return { ...(version !== undefined && { version }), ...(consoleUrl !== undefined && { consoleUrl }) };
}

/** Each operator that is not Available, or is Degraded, by name; none when the API does not tell. */
async function unwellOperators(reader: ClusterReader): Promise<readonly Problem[]> {
  const reading = await reader.clusterOperators();
  if (reading.kind !== 'found') return [];
  return listAt(reading.object, ['items'])
    .flatMap((operator) => unwell(operator))
    .sort((a, b) => byCodeUnit(a.message, b.message));
}

function unwell(operator: unknown): readonly Problem[] {
  const name = textAt(operator, ['metadata', 'name']) ?? '?';
  const [available, degraded] = [conditionOf(operator, 'Available'), conditionOf(operator, 'Degraded')];
  const says = ({ message }: { readonly message: string }): string => (message === '' ? '' : `: ${message}`);
  const ills = [
    ...(available.status === 'True' ? [] : [`is not Available${says(available)}`]),
    ...(degraded.status === 'True' ? [`is Degraded${says(degraded)}`] : []),
  ];
  if (ills.length === 0) return [];
  return [problem('cluster/operator', `operator ${name} ${ills.join(', and ')}`)];
}
