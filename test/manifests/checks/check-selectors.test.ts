import { describe, expect, it } from 'vitest';

import { selectorProblems } from '../../../src/manifests/checks/check-selectors.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function found(text: string, workers: number | 'unknown' = 0): readonly string[] {
  const given = workers === 'unknown' ? undefined : workers;
  return selectorProblems(objectsOf(text), { workers: given }).map(showProblem);
}

function object(apiVersion: string, kind: string, spec: unknown): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata: { name: a, namespace: b }
spec: ${JSON.stringify(spec)}
`;
}

const config = 'machineconfiguration.openshift.io/v1';
const pool = 'pools.operator.machineconfiguration.openshift.io';
const role = 'machineconfiguration.openshift.io/role';
const nodeRole = 'node-role.kubernetes.io';
const forWorkers = 'is for workers, and this installation has none';
const noPool = 'matches no MachineConfigPool';

const performance = (spec: unknown) => object('performance.openshift.io/v2', 'PerformanceProfile', spec);
const tuned = (...recommend: readonly unknown[]) =>
  object('tuned.openshift.io/v1', 'Tuned', { profile: [], recommend });
const router = (spec: unknown) => object('operator.openshift.io/v1', 'IngressController', spec);
const selecting = (kind: string, machineConfigPoolSelector: unknown) =>
  object(config, kind, { machineConfigPoolSelector });

describe('selectors that match the single node', () => {
  it.each([
    ['the pool by its own label', selecting('KubeletConfig', { matchLabels: { [`${pool}/master`]: '' } })],
    [
      'both pools',
      selecting('ContainerRuntimeConfig', {
        matchExpressions: [
          { key: 'machineconfiguration.openshift.io/mco-built-in', operator: 'Exists' },
          { key: `${pool}/infra`, operator: 'DoesNotExist' },
        ],
      }),
    ],
    [
      'a label that the user gives the pool',
      `${selecting('KubeletConfig', { matchLabels: { custom: 'yes' } })}---
apiVersion: ${config}
kind: MachineConfigPool
metadata: { name: master, labels: { custom: 'yes' } }
`,
    ],
    ['a profile for masters', performance({ nodeSelector: { [`${nodeRole}/master`]: '' } })],
    [
      'a profile by its pool',
      performance({
        machineConfigPoolSelector: { [`${pool}/master`]: '' },
        nodeSelector: { [`${nodeRole}/worker`]: '' },
      }),
    ],
    ['tuning by the pool', tuned({ machineConfigLabels: { [role]: 'master' }, profile: 'a' })],
    ['tuning by the role', tuned({ match: [{ label: `${nodeRole}/worker` }], profile: 'a' })],
    ['tuning by pods', tuned({ match: [{ label: `${nodeRole}/infra`, type: 'pod' }], profile: 'a' })],
    ['tuning of any node', tuned({ profile: 'a' })],
    [
      'tuning of two pools',
      tuned({ machineConfigLabels: { [role]: 'worker' } }, { machineConfigLabels: { [role]: 'master' } }),
    ],
    ['one router', router({ replicas: 1 })],
    [
      'routers without host network',
      router({ replicas: 2, endpointPublishingStrategy: { type: 'Private' } }),
    ],
    ['a pod on workers', object('v1', 'Pod', { nodeSelector: { [`${nodeRole}/worker`]: '' } })],
    ['a pod on nodes with a label of its own', object('v1', 'Pod', { nodeSelector: { gpu: 'yes' } })],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('selectors that match no node', () => {
  it.each<readonly [text: string, because: string]>([
    [selecting('KubeletConfig', { matchLabels: { [`${pool}/worker`]: '' } }), forWorkers],
    [selecting('ContainerRuntimeConfig', { matchLabels: { [`${pool}/worker`]: '' } }), forWorkers],
    [
      selecting('KubeletConfig', {
        matchExpressions: [{ key: `${pool}/worker`, operator: 'In', values: [''] }],
      }),
      forWorkers,
    ],
    [performance({ nodeSelector: { [`${nodeRole}/worker`]: '' } }), forWorkers],
    [performance({ machineConfigPoolSelector: { [`${pool}/worker`]: '' } }), forWorkers],
    [performance({ machineConfigLabel: { [role]: 'worker' } }), forWorkers],
    [tuned({ machineConfigLabels: { [role]: 'worker' }, profile: 'a' }), forWorkers],
    [
      tuned({ match: [{ label: `${nodeRole}/infra` }], profile: 'a' }),
      `selects nodes with "${nodeRole}/infra", which the single node does not have`,
    ],
    [router({ replicas: 2 }), 'has 2 routers, but a node can run only one'],
    ...[
      router({ nodePlacement: { nodeSelector: { matchLabels: { [`${nodeRole}/infra`]: '' } } } }),
      object('apps/v1', 'Deployment', {
        template: { spec: { nodeSelector: { [`${nodeRole}/infra`]: '' } } },
      }),
      object('batch/v1', 'CronJob', {
        jobTemplate: { spec: { template: { spec: { nodeSelector: { [`${nodeRole}/infra`]: '' } } } } },
      }),
      object('operators.coreos.com/v1alpha1', 'Subscription', {
        config: { nodeSelector: { [`${nodeRole}/infra`]: '' } },
      }),
      object('config.openshift.io/v1', 'Scheduler', { defaultNodeSelector: `${nodeRole}/infra=` }),
      `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  annotations: { openshift.io/node-selector: '${nodeRole}/infra=' }\n`,
    ].map((text): readonly [string, string] => [
      text,
      `selects nodes with "${nodeRole}/infra", which the single node does not have`,
    ]),
    [
      object('v1', 'Pod', { nodeSelector: { [`${nodeRole}/worker`]: 'true' } }),
      `selects nodes with "${nodeRole}/worker: true", which the single node does not have`,
    ],
  ])('%s', (text, because) => {
    expect(found(text)).toMatchObject([expect.stringContaining(` a ${because}`)]);
    expect(found(text, 2)).toEqual([]);
    expect(found(text, 'unknown')).toEqual([]);
  });

  it.each([
    selecting('KubeletConfig', { matchLabels: { [role]: 'master' } }),
    selecting('KubeletConfig', { matchLabels: { 'custom-kubelet': 'set-max-pods' } }),
    selecting('ContainerRuntimeConfig', undefined),
    selecting('KubeletConfig', {}),
    performance({ nodeSelector: { [`${nodeRole}/control-plane`]: '' } }),
    performance({ machineConfigPoolSelector: { [role]: 'master' } }),
    tuned({ machineConfigLabels: { [role]: 'infra' }, profile: 'a' }),
  ])('with or without workers: %s', (text) => {
    for (const workers of [0, 2, 'unknown'] as const)
      expect(found(text, workers)).toMatchObject([expect.stringContaining(` a ${noPool}`)]);
  });

  it('are accepted for workers if the same kind also configures the node', () => {
    const [worker, master] = ['worker', 'master'].map((name) =>
      selecting('KubeletConfig', { matchLabels: { [`${pool}/${name}`]: '' } }),
    );
    expect(found(`${worker ?? ''}---\n${master ?? ''}`)).toEqual([]);
  });

  it('is shown at the key, with the text to write', () => {
    const [profile] = selectorProblems(
      objectsOf(`apiVersion: performance.openshift.io/v2
kind: PerformanceProfile
metadata:
  name: a
spec:
  nodeSelector:
    node-role.kubernetes.io/worker: ""
`),
      { workers: 0 },
    );
    expect(profile).toMatchObject({
      code: 'manifest/selects-no-node',
      severity: 'warning',
      at: { line: 7, col: 5 },
      hint: 'write node-role.kubernetes.io/master: ""',
    });
  });
});
