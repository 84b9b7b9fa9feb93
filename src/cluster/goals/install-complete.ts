import { problem, type Problem } from '../../core/problem.js';
import { listAt, textAt } from '../../kube/fields.js';
import { conditionOf } from '../condition.js';
import type { ClusterReader, Reading } from '../reader.js';
import type { Facts, Goal, Sight } from '../wait.js';
import { poolsAtWork, restartsDue } from './machine-config-pools.js';
import { noClusterVersion } from './no-cluster-version.js';
import { unsettled, unwell } from './operators.js';

/**
 * The version operator has installed everything (Available, not Progressing, not Failing), every operator is Available, not
 * Degraded and settled, every machine config pool is Updated, and no node is to restart.
 * Problems: cluster/install-incomplete, cluster/no-cluster-version, and cluster/operator as a warning.
 */
export const installComplete: Goal = {
  outage: 'expected while it or the node restarts',
  look,
  overdue: async (message, reader) => [
    problem('cluster/install-incomplete', `not in time: ${message}`, {
      hint: 'look at what is named here, then wait again: the cluster goes on',
    }),
    ...(await unwellOperators(reader)),
  ],
};

async function look(reader: ClusterReader, present: Date): Promise<Sight> {
  const reading = await reader.clusterVersion();
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'absent') {
    const never = await noClusterVersion(reading, reader);
    if (never !== undefined) return { kind: 'hopeless', problems: [never] };
    return { kind: 'waiting', message: 'the API answers and there is no ClusterVersion yet' };
  }
  const work = workOf(reading.object);
  if (work !== undefined) return { kind: 'waiting', message: `the version operator is at work: ${work}` };
  return (await lookAtParts(reader, present)) ?? reached(reading.object, reader);
}

/**
 * What the version operator is still doing, or undefined when it is done.
 * Source: openshift/installer cmd/openshift-install/command/waitfor.go, which asks for the same three conditions.
 */
function workOf(clusterVersion: object): string | undefined {
  const [available, progressing, failing] = ['Available', 'Progressing', 'Failing'].map((type) =>
    conditionOf(clusterVersion, type),
  );
  const isDone =
    available?.status === 'True' && progressing?.status === 'False' && failing?.status !== 'True';
  if (isDone) return undefined;
  const said = [
    ...(failing?.status === 'True' ? [`it is failing: ${failing.message}`] : []),
    ...(progressing?.message ? [progressing.message] : []),
  ];
  return said.length === 0 ? 'it does not say at what' : said.join('; ');
}

/** What the cluster is made of, in the order in which it comes to rest: the first list with something that is not. */
async function lookAtParts(reader: ClusterReader, present: Date): Promise<Sight | undefined> {
  const parts: readonly Part[] = [
    { what: 'operators', ask: () => reader.clusterOperators(), open: (list) => unsettled(list, present) },
    { what: 'machine config pools', ask: () => reader.machineConfigPools(), open: poolsAtWork },
    { what: 'nodes', ask: () => reader.nodes(), open: restartsDue },
  ];
  for (const { what, ask, open } of parts) {
    const reading = await ask();
    if (reading.kind === 'fault') return reading;
    const list = reading.kind === 'found' ? reading.object : {};
    const message = listAt(list, ['items']).length === 0 ? `there are no ${what} yet` : open(list).join('; ');
    if (message !== '') return { kind: 'waiting', message };
  }
  return undefined;
}

interface Part {
  readonly what: string;
  readonly ask: () => Promise<Reading>;
  /** What is not at rest, in words. */
  readonly open: (list: object) => readonly string[];
}

async function reached(clusterVersion: object, reader: ClusterReader): Promise<Sight> {
  return { kind: 'reached', facts: await factsOf(clusterVersion, reader), warnings: [] };
}

async function factsOf(clusterVersion: object, reader: ClusterReader): Promise<Facts> {
  const version = textAt(clusterVersion, ['status', 'desired', 'version']);
  const [console, authority] = [await reader.consoleConfig(), await reader.routerAuthority()];
  // Source: openshift/api config/v1 ConsoleStatus
  const consoleUrl = console.kind === 'found' ? textAt(console.object, ['status', 'consoleURL']) : undefined;
  const routerAuthorityPem =
    authority.kind === 'found' ? textAt(authority.object, ['data', 'ca-bundle.crt']) : undefined;
  return {
    ...(version !== undefined && { version }),
    ...(consoleUrl !== undefined && { consoleUrl }),
    ...(routerAuthorityPem !== undefined && { routerAuthorityPem }),
  };
}

/** None when the API does not tell. */
async function unwellOperators(reader: ClusterReader): Promise<readonly Problem[]> {
  const reading = await reader.clusterOperators();
  return reading.kind === 'found' ? unwell(reading.object) : [];
}
