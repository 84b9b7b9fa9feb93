import { byCodeUnit, byName } from '../../../core/compare.js';
import { type Problem, problem } from '../../../core/problem.js';
import { rfc3339 } from '../../../core/rfc3339.js';
import { fieldAt, listAt, textAt } from '../../../kube/fields.js';
import { type Condition, conditionOf } from '../condition.js';
import type { ClusterReader, Reading } from '../reader.js';
import type { ClusterFacts, Goal, CheckResult } from '../wait.js';
import { noClusterVersion } from './no-cluster-version.js';

/**
 * The cluster version operator has finished (Available, not Progressing, not Failing). Every operator is Available, not
 * Degraded and settled. Every machine config pool is Updated, and no node is about to restart.
 * Problems: cluster/install-incomplete, cluster/no-cluster-version, and cluster/operator as a warning.
 */
export const installComplete: Goal = {
  outage: 'expected while it or the node restarts',
  look,
  overdue: async (message, reader) => [
    problem('cluster/install-incomplete', `timed out: ${message}`, {
      hint: 'check the named components, then run the command again; the installation continues in the meantime',
    }),
    ...(await readUnhealthyOperators(reader)),
  ],
};

async function look(reader: ClusterReader, present: Date): Promise<CheckResult> {
  const reading = await reader.clusterVersion();
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'absent') {
    const never = await noClusterVersion(reading, reader);
    if (never !== undefined) return { kind: 'hopeless', problems: [never] };
    return { kind: 'waiting', message: 'the API answers, but ClusterVersion does not exist yet' };
  }
  const work = remainingWork(reading.object);
  if (work !== undefined) return { kind: 'waiting', message: `cluster version operator: ${work}` };
  return (await checkParts(reader, present)) ?? reached(reading.object, reader);
}

/**
 * Current work of the cluster version operator; undefined when it is done.
 * Source: openshift/installer cmd/openshift-install/command/waitfor.go, which checks the same three conditions.
 */
function remainingWork(clusterVersion: object): string | undefined {
  const [available, progressing, failing] = ['Available', 'Progressing', 'Failing'].map((type) =>
    conditionOf(clusterVersion, type),
  );
  const isDone =
    available?.status === 'True' && progressing?.status === 'False' && failing?.status !== 'True';
  if (isDone) return undefined;
  const said = [
    ...(failing?.status === 'True' ? [`failing: ${failing.message}`] : []),
    ...(progressing?.message ? [progressing.message] : []),
  ];
  return said.length === 0 ? 'no status message' : said.join('; ');
}

/** Checks the parts of the cluster in the order in which they settle. Reports the first kind of which one is not settled. */
async function checkParts(reader: ClusterReader, present: Date): Promise<CheckResult | undefined> {
  const parts: readonly Part[] = [
    { what: 'operators', ask: () => reader.clusterOperators(), open: (list) => unsettled(list, present) },
    { what: 'machine config pools', ask: () => reader.machineConfigPools(), open: unsettledPools },
    { what: 'nodes', ask: () => reader.nodes(), open: pendingRestarts },
  ];
  for (const { what, ask, open } of parts) {
    const reading = await ask();
    if (reading.kind === 'fault') return reading;
    const list = reading.kind === 'found' ? reading.object : {};
    const message = listAt(list, ['items']).length === 0 ? `no ${what} exist yet` : open(list).join('; ');
    if (message !== '') return { kind: 'waiting', message };
  }
  return undefined;
}

interface Part {
  readonly what: string;
  readonly ask: () => Promise<Reading>;
  /** Describes each part that is not settled. */
  readonly open: (list: object) => readonly string[];
}

async function reached(clusterVersion: object, reader: ClusterReader): Promise<CheckResult> {
  return { kind: 'reached', facts: await factsOf(clusterVersion, reader), warnings: [] };
}

async function factsOf(clusterVersion: object, reader: ClusterReader): Promise<ClusterFacts> {
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

/** Empty if the API does not answer. */
async function readUnhealthyOperators(reader: ClusterReader): Promise<readonly Problem[]> {
  const reading = await reader.clusterOperators();
  return reading.kind === 'found' ? unhealthyOperators(reading.object) : [];
}

/** Describes each pool that is Degraded or not Updated. Source: openshift/api machineconfiguration/v1 */
function unsettledPools(list: object): readonly string[] {
  return listAt(list, ['items'])
    .flatMap((pool) => {
      const name = textAt(pool, ['metadata', 'name']) ?? '?';
      const [updated, degraded] = [conditionOf(pool, 'Updated'), conditionOf(pool, 'Degraded')];
      if (degraded.status === 'True') {
        return [
          `the machine config pool ${name} is Degraded${degraded.message === '' ? '' : `: ${degraded.message}`}`,
        ];
      }
      return updated.status === 'True' ? [] : [`the machine config pool ${name} is not Updated`];
    })
    .sort(byCodeUnit);
}

/** Source: openshift/machine-config-operator pkg/daemon/constants/constants.go */
const annotation = {
  current: 'machineconfiguration.openshift.io/currentConfig',
  desired: 'machineconfiguration.openshift.io/desiredConfig',
  state: 'machineconfiguration.openshift.io/state',
} as const;

/** Describes each node that does not run its desired configuration yet and may therefore restart. */
function pendingRestarts(list: object): readonly string[] {
  return listAt(list, ['items'])
    .flatMap((node) => {
      const name = textAt(node, ['metadata', 'name']) ?? '?';
      const said = fieldAt(node, ['metadata', 'annotations']);
      const [current, desired, state] = [annotation.current, annotation.desired, annotation.state].map(
        (key) => textAt(said, [key]),
      );
      if (desired === undefined) return [`node ${name} has no machine config yet`];
      if (current !== desired) return [`node ${name} will reboot into another machine config`];
      return state === 'Done'
        ? []
        : [`node ${name} is applying its machine config (${state ?? 'no state given'})`];
    })
    .sort(byCodeUnit);
}

/**
 * How long an operator must be done before it counts as settled; one that has just finished often starts again.
 * Source: openshift/installer cmd/openshift-install/command/waitfor.go, coStabilityThreshold.
 */
const settledMs = 30_000;

/** Describes each operator that is not Available, not settled, or Degraded. */
function unsettled(list: object, present: Date): readonly string[] {
  return operatorsOf(list).flatMap((operator) => {
    const missing = [...operatorFaults(operator), ...settlingState(operator, present)];
    return missing.length === 0 ? [] : [`operator ${operator.name} ${missing.join(', and ')}`];
  });
}

/** Warns of each operator that is not Available, or is Degraded, by name. Problems: cluster/operator, a warning. */
export function unhealthyOperators(list: object): readonly Problem[] {
  return operatorsOf(list).flatMap((operator) => {
    const ills = operatorFaults(operator);
    return ills.length === 0
      ? []
      : [problem('cluster/operator', `operator ${operator.name} ${ills.join(', and ')}`)];
  });
}

interface Operator {
  readonly name: string;
  readonly available: Condition;
  readonly degraded: Condition;
  readonly progressing: Condition;
}

/** Source of the conditions: openshift/api config/v1 types_cluster_operator.go */
function operatorsOf(list: object): readonly Operator[] {
  return listAt(list, ['items'])
    .map((operator) => ({
      name: textAt(operator, ['metadata', 'name']) ?? '?',
      available: conditionOf(operator, 'Available'),
      degraded: conditionOf(operator, 'Degraded'),
      progressing: conditionOf(operator, 'Progressing'),
    }))
    .sort(byName);
}

function operatorFaults({ available, degraded }: Operator): readonly string[] {
  return [
    ...(available.status === 'True' ? [] : [`is not Available${messageSuffix(available)}`]),
    ...(degraded.status === 'True' ? [`is Degraded${messageSuffix(degraded)}`] : []),
  ];
}

function settlingState({ progressing }: Operator, present: Date): readonly string[] {
  if (progressing.status !== 'False') return [`is Progressing${messageSuffix(progressing)}`];
  if (progressing.since === undefined) return ['has no transition time for Progressing'];
  if (progressing.since > present)
    return [`finished at ${rfc3339(progressing.since)}, which is ahead of the local clock`];
  const isSettled = present.getTime() - progressing.since.getTime() >= settledMs;
  return isSettled ? [] : [`finished less than ${settledMs / 1000} s ago`];
}

function messageSuffix({ message }: Condition): string {
  return message === '' ? '' : `: ${message}`;
}
