import { describe, expect, it } from 'vitest';

import { bootstrapComplete } from '../../../../src/remote/kubernetes/goals/bootstrap-complete.js';
import { installComplete } from '../../../../src/remote/kubernetes/goals/install-complete.js';
import { nodeReady } from '../../../../src/remote/kubernetes/goals/node-ready.js';
import { waitFor, type Goal, type CheckResult } from '../../../../src/remote/kubernetes/wait.js';
import {
  clusterVersion,
  condition,
  configured,
  fakeCluster,
  node,
  operator,
  pool,
  present,
  refused,
  settledOperator,
  type Step,
} from '../fake-cluster.js';

function look(goal: Goal, state: Omit<Step, 'fromSeconds'>): Promise<CheckResult> {
  return goal.look(fakeCluster([{ fromSeconds: 0, ...state }]).reader, present);
}

/** Problems of a goal that times out in this state, as `code: message`. */
async function overdue(goal: Goal, state: Omit<Step, 'fromSeconds'>): Promise<readonly string[]> {
  const { reader, clock } = fakeCluster([{ fromSeconds: 0, ...state }]);
  const stop = new AbortController().signal;
  const outcome = await waitFor(goal, { reader, clock, timeoutMs: 0, stop, onMoment: () => undefined });
  if (outcome.kind !== 'failed') throw new Error(`the wait ended as ${outcome.kind}`);
  return outcome.problems.map(({ code, message }) => `${code}: ${message}`);
}

const hopeless = {
  kind: 'hopeless',
  problems: [
    {
      code: 'cluster/no-cluster-version',
      severity: 'error',
      message:
        'the cluster at https://api.site1.example.com:6443 has nodes but no ClusterVersion: it is a control plane without the OpenShift operators',
      hint: 'use `sno-install wait-for node-ready`',
    },
  ],
};
const allInOne = { isOpenShift: false, objects: { nodes: { items: [node('sno1', 'True')] } } };
const done = [condition('Available', 'True'), condition('Progressing', 'False', 'Cluster version is 4.18.3')];

describe('bootstrap-complete', () => {
  const cases: readonly { name: string; state: Omit<Step, 'fromSeconds'>; want: CheckResult | object }[] = [
    {
      name: 'is reached when the ConfigMap says so',
      state: { objects: { bootstrapConfigMap: { data: { status: 'complete' } } } },
      want: { kind: 'reached', facts: {}, warnings: [] },
    },
    {
      name: 'waits for another status',
      state: { objects: { bootstrapConfigMap: { data: { status: 'begun' } } } },
      want: { kind: 'waiting', message: 'the bootstrap status is "begun", not "complete"' },
    },
    {
      name: 'waits for a ConfigMap without a status',
      state: { objects: { bootstrapConfigMap: {} } },
      want: { kind: 'waiting', message: 'the bootstrap status is "", not "complete"' },
    },
    {
      name: 'waits while the kinds of OpenShift are not there and no node is',
      state: { isOpenShift: false },
      want: { kind: 'waiting', message: 'the API answers, but the bootstrap is not complete' },
    },
    { name: 'never comes without OpenShift', state: allInOne, want: hopeless },
    { name: 'hands a fault on', state: { fault: refused }, want: { kind: 'fault', fault: refused } },
  ];
  it.each(cases)('$name', async ({ state, want }) => {
    expect(await look(bootstrapComplete, state)).toEqual(want);
  });

  it('prints a hint after the timeout', async () => {
    expect(await overdue(bootstrapComplete, {})).toEqual([
      'cluster/bootstrap-incomplete: timed out: the API answers, but the bootstrap is not complete',
    ]);
  });
});

const atRest = {
  clusterVersion: clusterVersion(...done, condition('Failing', 'False')),
  clusterOperators: { items: [settledOperator('dns'), settledOperator('insights')] },
  machineConfigPools: { items: [pool('master'), pool('worker')] },
  nodes: { items: [configured('sno1', 'Done')] },
};

/** Parts that can still be open once the version operator is done, and the message about each. */
const openParts: readonly { name: string; objects: object; message: string }[] = [
  {
    name: 'waits for an operator that is Degraded',
    objects: {
      clusterOperators: { items: [settledOperator('insights', condition('Degraded', 'True', 'no upload'))] },
    },
    message: 'operator insights is Degraded: no upload',
  },
  {
    name: 'waits for one that rolls out another revision',
    objects: {
      clusterOperators: {
        items: [
          settledOperator(
            'kube-apiserver',
            condition('Progressing', 'True', '0 nodes have achieved new revision 4'),
          ),
        ],
      },
    },
    message: 'operator kube-apiserver is Progressing: 0 nodes have achieved new revision 4',
  },
  {
    name: 'waits for one that was done a moment ago',
    objects: {
      clusterOperators: {
        items: [settledOperator('etcd', condition('Progressing', 'False', '', '2026-01-02T03:59:31Z'))],
      },
    },
    message: 'operator etcd finished less than 30 s ago',
  },
  {
    name: 'waits for one whose clock is ahead of the one here, and says so',
    objects: {
      clusterOperators: {
        items: [settledOperator('etcd', condition('Progressing', 'False', '', '2026-01-02T05:00:00Z'))],
      },
    },
    message: 'operator etcd finished at 2026-01-02T05:00:00Z, which is ahead of the local clock',
  },
  {
    name: 'waits for one that has no transition time for Progressing',
    objects: {
      clusterOperators: {
        items: [settledOperator('etcd', { type: 'Progressing', status: 'False' })],
      },
    },
    message: 'operator etcd has no transition time for Progressing',
  },
  {
    name: 'waits for one that says nothing, and names each',
    objects: { clusterOperators: { items: [operator('network'), operator('dns')] } },
    message:
      'operator dns is not Available, and is Progressing; operator network is not Available, and is Progressing',
  },
  {
    name: 'waits for operators',
    objects: { clusterOperators: { items: [] } },
    message: 'no operators exist yet',
  },
  {
    name: 'waits for a pool that is not Updated, and for one that is Degraded',
    objects: {
      machineConfigPools: {
        items: [
          pool('worker', condition('Updated', 'False')),
          pool('master', condition('Degraded', 'True', 'no')),
        ],
      },
    },
    message: 'the machine config pool master is Degraded: no; the machine config pool worker is not Updated',
  },
  {
    name: 'waits for the pools',
    objects: { machineConfigPools: undefined },
    message: 'no machine config pools exist yet',
  },
  {
    name: 'waits for a node that is to restart',
    objects: { nodes: { items: [configured('sno1', 'Done', 'rendered-1', 'rendered-2')] } },
    message: 'node sno1 will reboot into another machine config',
  },
  {
    name: 'waits for a node that is at work',
    objects: { nodes: { items: [configured('sno1', 'Working')] } },
    message: 'node sno1 is applying its machine config (Working)',
  },
  {
    name: 'waits for a node that the machine-config daemon has not seen',
    objects: { nodes: { items: [node('sno1', 'True')] } },
    message: 'node sno1 has no machine config yet',
  },
];

describe('install-complete', () => {
  const waiting = (message: string): CheckResult => ({ kind: 'waiting', message });
  const cases: readonly { name: string; state: Omit<Step, 'fromSeconds'>; want: CheckResult | object }[] = [
    {
      name: 'is reached when everything is at rest, and names version, console and who signs for the router',
      state: {
        objects: {
          ...atRest,
          consoleConfig: { status: { consoleURL: 'https://console.apps.site1.example.com' } },
          routerAuthority: { data: { 'ca-bundle.crt': 'PEM' } },
        },
      },
      want: {
        kind: 'reached',
        facts: {
          version: '4.18.3',
          consoleUrl: 'https://console.apps.site1.example.com',
          routerAuthorityPem: 'PEM',
        },
        warnings: [],
      },
    },
    {
      name: 'is reached without console and router',
      state: { objects: atRest },
      want: { kind: 'reached', facts: { version: '4.18.3' }, warnings: [] },
    },
    ...openParts.map(({ name, objects, message }) => ({
      name,
      state: { objects: { ...atRest, ...objects } },
      want: waiting(message),
    })),
    {
      name: 'waits while it progresses, though Available',
      state: {
        objects: {
          clusterVersion: clusterVersion(
            condition('Available', 'True'),
            condition('Progressing', 'True', 'Working towards 4.18.3: 7 of 900 done'),
          ),
        },
      },
      want: waiting('cluster version operator: Working towards 4.18.3: 7 of 900 done'),
    },
    {
      name: 'waits while it fails, and says at what',
      state: {
        objects: {
          clusterVersion: clusterVersion(
            ...done,
            condition('Failing', 'True', 'operator dns is not available'),
          ),
        },
      },
      want: waiting(
        'cluster version operator: failing: operator dns is not available; Cluster version is 4.18.3',
      ),
    },
    {
      name: 'waits for what does not say whether it progresses',
      state: { objects: { clusterVersion: clusterVersion(condition('Available', 'True')) } },
      want: waiting('cluster version operator: no status message'),
    },
    {
      name: 'waits for a ClusterVersion without conditions',
      state: { objects: { clusterVersion: {} } },
      want: waiting('cluster version operator: no status message'),
    },
    {
      name: 'waits for the ClusterVersion',
      state: {},
      want: waiting('the API answers, but ClusterVersion does not exist yet'),
    },
    {
      name: 'waits for the kind while no node is registered',
      state: { isOpenShift: false },
      want: waiting('the API answers, but ClusterVersion does not exist yet'),
    },
    { name: 'never comes without OpenShift', state: allInOne, want: hopeless },
    { name: 'hands a fault on', state: { fault: refused }, want: { kind: 'fault', fault: refused } },
  ];
  it.each(cases)('$name', async ({ state, want }) => {
    expect(await look(installComplete, state)).toEqual(want);
  });

  it('names the operators that are not well when time has run out', async () => {
    const progressing = condition('Progressing', 'True', 'Working towards 4.18.3');
    const clusterOperators = {
      items: [
        operator('network', condition('Available', 'True'), condition('Degraded', 'False')),
        operator(
          'console',
          condition('Available', 'False', 'route not admitted'),
          condition('Degraded', 'True', 'RouteHealth:\n\tfailed to GET'),
        ),
        operator('authentication', condition('Available', 'False')),
        operator('baremetal'),
      ],
    };
    const state = { objects: { clusterVersion: clusterVersion(progressing), clusterOperators } };

    expect(await overdue(installComplete, state)).toEqual([
      'cluster/install-incomplete: timed out: cluster version operator: Working towards 4.18.3',
      'cluster/operator: operator authentication is not Available',
      'cluster/operator: operator baremetal is not Available',
      'cluster/operator: operator console is not Available: route not admitted, and is Degraded: RouteHealth: failed to GET',
    ]);
  });
});

describe('node-ready', () => {
  const cases: readonly { name: string; items: readonly object[]; want: CheckResult }[] = [
    {
      name: 'waits for a node',
      items: [],
      want: { kind: 'waiting', message: 'the API answers, but no node is registered' },
    },
    {
      name: 'is reached when every node is Ready',
      items: [node('b', 'True'), node('a', 'True')],
      want: { kind: 'reached', facts: { nodes: ['a', 'b'] }, warnings: [] },
    },
    {
      name: 'names each node that is not, and why',
      items: [node('c', 'False', 'no CNI'), node('b', 'True'), { metadata: { name: 'a' } }],
      want: {
        kind: 'waiting',
        message: 'a is not Ready (no reason given), c is not Ready (no CNI)',
      },
    },
  ];
  it.each(cases)('$name', async ({ items, want }) => {
    expect(await look(nodeReady, { objects: { nodes: { items } } })).toEqual(want);
  });

  it('reports a node that is not Ready after the timeout', async () => {
    const state = { objects: { nodes: { items: [node('sno1', 'False', 'no CNI')] } } };
    expect(await overdue(nodeReady, state)).toEqual([
      'cluster/node-not-ready: timed out: the node is not Ready (no CNI)',
    ]);
    expect(await look(nodeReady, { fault: refused })).toEqual({ kind: 'fault', fault: refused });
  });
});
