import { describe, expect, it } from 'vitest';

import { bootstrapComplete } from '../../../src/cluster/goals/bootstrap-complete.js';
import { installComplete } from '../../../src/cluster/goals/install-complete.js';
import { nodeReady } from '../../../src/cluster/goals/node-ready.js';
import { waitFor, type Goal, type Sight } from '../../../src/cluster/wait.js';
import {
  clusterVersion,
  condition,
  fakeCluster,
  node,
  operator,
  refused,
  type Step,
} from '../fake-cluster.js';

function look(goal: Goal, state: Omit<Step, 'fromSeconds'>): Promise<Sight> {
  return goal.look(fakeCluster([{ fromSeconds: 0, ...state }]).reader);
}

/** Problems when time runs out in a state, as `code: message`. */
async function overdue(goal: Goal, state: Omit<Step, 'fromSeconds'>): Promise<readonly string[]> {
  const { reader, clock } = fakeCluster([{ fromSeconds: 0, ...state }]);
  const stop = new AbortController().signal;
  const ending = await waitFor(goal, { reader, clock, timeoutMs: 0, stop, onMoment: () => undefined });
  if (ending.kind !== 'failed') throw new Error(`the wait ended as ${ending.kind}`);
  return ending.problems.map(({ code, message }) => `${code}: ${message}`);
}

const hopeless = {
  kind: 'hopeless',
  problems: [
    {
      code: 'cluster/no-cluster-version',
      severity: 'error',
      message:
        "the cluster at https://api.site1.example.com:6443 has nodes but no ClusterVersion: it is a control plane without OpenShift's operators",
      hint: 'use `sno-install wait-for node-ready`',
    },
  ],
};
const allInOne = { isOpenShift: false, objects: { nodes: { items: [node('sno1', 'True')] } } };
const done = [condition('Available', 'True'), condition('Progressing', 'False', 'Cluster version is 4.18.3')];

describe('bootstrap-complete', () => {
  const cases: readonly { name: string; state: Omit<Step, 'fromSeconds'>; want: Sight | object }[] = [
    {
      name: 'is reached when the ConfigMap says so',
      state: { objects: { bootstrapConfigMap: { data: { status: 'complete' } } } },
      want: { kind: 'reached', facts: {}, warnings: [] },
    },
    {
      name: 'waits for another status',
      state: { objects: { bootstrapConfigMap: { data: { status: 'begun' } } } },
      want: { kind: 'waiting', message: 'the bootstrap says "begun", not "complete"' },
    },
    {
      name: 'waits for a ConfigMap without a status',
      state: { objects: { bootstrapConfigMap: {} } },
      want: { kind: 'waiting', message: 'the bootstrap says "", not "complete"' },
    },
    {
      name: 'waits while the kinds of OpenShift are not there and no node is',
      state: { isOpenShift: false },
      want: { kind: 'waiting', message: 'the API answers and the bootstrap is not complete' },
    },
    { name: 'never comes without OpenShift', state: allInOne, want: hopeless },
    { name: 'hands a fault on', state: { fault: refused }, want: { kind: 'fault', fault: refused } },
  ];
  it.each(cases)('$name', async ({ state, want }) => {
    expect(await look(bootstrapComplete, state)).toEqual(want);
  });

  it('says what to look at when time has run out', async () => {
    expect(await overdue(bootstrapComplete, {})).toEqual([
      'cluster/bootstrap-incomplete: not in time: the API answers and the bootstrap is not complete',
    ]);
  });
});

describe('install-complete', () => {
  const waiting = (message: string): Sight => ({ kind: 'waiting', message });
  const cases: readonly { name: string; state: Omit<Step, 'fromSeconds'>; want: Sight | object }[] = [
    {
      name: 'is reached when Available and not Progressing, and names version and console',
      state: {
        objects: {
          clusterVersion: clusterVersion(...done, condition('Failing', 'False')),
          consoleConfig: { status: { consoleURL: 'https://console.apps.site1.example.com' } },
        },
      },
      want: {
        kind: 'reached',
        facts: { version: '4.18.3', consoleUrl: 'https://console.apps.site1.example.com' },
        warnings: [],
      },
    },
    {
      name: 'warns of degraded operators when it is reached',
      state: {
        objects: {
          clusterVersion: clusterVersion(...done),
          clusterOperators: {
            items: [
              operator(
                'insights',
                condition('Available', 'True'),
                condition('Degraded', 'True', 'no upload'),
              ),
              operator('dns', condition('Available', 'True'), condition('Degraded', 'False')),
            ],
          },
        },
      },
      want: {
        kind: 'reached',
        facts: { version: '4.18.3' },
        warnings: [
          {
            code: 'cluster/operator',
            severity: 'warning',
            message: 'operator insights is Degraded: no upload',
          },
        ],
      },
    },
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
      want: waiting('the version operator is at work: Working towards 4.18.3: 7 of 900 done'),
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
        'the version operator is at work: it is failing: operator dns is not available; Cluster version is 4.18.3',
      ),
    },
    {
      name: 'waits for what does not say whether it progresses',
      state: { objects: { clusterVersion: clusterVersion(condition('Available', 'True')) } },
      want: waiting('the version operator is at work: it does not say at what'),
    },
    {
      name: 'waits for a ClusterVersion without conditions',
      state: { objects: { clusterVersion: {} } },
      want: waiting('the version operator is at work: it does not say at what'),
    },
    {
      name: 'waits for the ClusterVersion',
      state: {},
      want: waiting('the API answers and there is no ClusterVersion yet'),
    },
    {
      name: 'waits for the kind while no node is registered',
      state: { isOpenShift: false },
      want: waiting('the API answers and there is no ClusterVersion yet'),
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
      'cluster/install-incomplete: not in time: the version operator is at work: Working towards 4.18.3',
      'cluster/operator: operator authentication is not Available',
      'cluster/operator: operator baremetal is not Available',
      'cluster/operator: operator console is not Available: route not admitted, and is Degraded: RouteHealth: failed to GET',
    ]);
  });
});

describe('node-ready', () => {
  const cases: readonly { name: string; items: readonly object[]; want: Sight }[] = [
    {
      name: 'waits for a node',
      items: [],
      want: { kind: 'waiting', message: 'the API answers and no node is registered' },
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
        message: 'node a is not Ready (it does not say why), c is not Ready (no CNI)',
      },
    },
  ];
  it.each(cases)('$name', async ({ items, want }) => {
    expect(await look(nodeReady, { objects: { nodes: { items } } })).toEqual(want);
  });

  it('says which node is not when time has run out', async () => {
    const state = { objects: { nodes: { items: [node('sno1', 'False', 'no CNI')] } } };
    expect(await overdue(nodeReady, state)).toEqual([
      'cluster/node-not-ready: not in time: node sno1 is not Ready (no CNI)',
    ]);
    expect(await look(nodeReady, { fault: refused })).toEqual({ kind: 'fault', fault: refused });
  });
});
