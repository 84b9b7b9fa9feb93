import { describe, expect, it } from 'vitest';

import { postInstallComplete } from '../../../../src/remote/kubernetes/goals/post-install-complete.js';
import { waitFor, type CheckResult } from '../../../../src/remote/kubernetes/wait.js';
import {
  clusterVersion,
  condition,
  configured,
  fakeCluster,
  pool,
  present,
  refused,
  settledOperator,
  type Step,
} from '../fake-cluster.js';

type State = Omit<Step, 'fromSeconds'>;

function reported(data: Readonly<Record<string, string>>): State {
  return { objects: { postInstallConfigMap: { data } } };
}

const installed: State = {
  objects: {
    clusterVersion: clusterVersion(condition('Available', 'True'), condition('Progressing', 'False')),
    clusterOperators: { items: [settledOperator('dns')] },
    machineConfigPools: { items: [pool('master')] },
    nodes: { items: [configured('sno1', 'Done')] },
  },
};

const reached = { kind: 'reached', facts: {}, warnings: [] };

interface Case {
  readonly name: string;
  readonly state: State;
  /** Default: true. */
  readonly hasManifests?: boolean;
  readonly want: CheckResult | object;
}

const cases: readonly Case[] = [
  { name: 'an API that does not answer', state: { fault: refused }, want: { kind: 'fault', fault: refused } },
  {
    name: 'an installed cluster whose node has not begun',
    state: installed,
    want: {
      kind: 'waiting',
      message: 'the API answers, but the node does not apply post-install manifests yet',
    },
  },
  {
    name: 'a running wave',
    state: reported({ status: 'running', wave: '10', waves: '0/2', waiting: '' }),
    want: { kind: 'waiting', message: 'applying wave 10 of the post-install manifests (0/2 complete)' },
  },
  {
    name: 'a wave that waits',
    state: reported({
      status: 'running',
      wave: '20',
      waves: '1/2',
      waiting:
        'PtpConfig openshift-ptp/slave: kind PtpConfig of ptp.openshift.io/v1 is not served\nLVMCluster a/b: CRD x is not Established\n',
    }),
    want: {
      kind: 'waiting',
      message:
        'wave 20 of the post-install manifests (1/2 complete) waits for PtpConfig openshift-ptp/slave: kind PtpConfig of ptp.openshift.io/v1 is not served; LVMCluster a/b: CRD x is not Established',
    },
  },
  {
    name: 'a complete set',
    state: reported({ status: 'complete', wave: 'last', waves: '2/2' }),
    want: reached,
  },
  {
    name: 'a complete set of a directory without manifests',
    state: reported({ status: 'complete' }),
    hasManifests: false,
    want: reached,
  },
  {
    name: 'failed objects, in text that is safe for a terminal',
    state: reported({
      status: 'failed',
      wave: '10',
      waves: '0/1',
      failed:
        'post-install/10-a.yaml#1: ConfigMap a/b: \u001b[31mInvalid password=hunter2\npost-install/10-a.yaml#2: Secret a/c: Conflict',
    }),
    want: {
      kind: 'hopeless',
      problems: [
        {
          code: 'cluster/post-install-failed',
          severity: 'error',
          message:
            'wave 10 of the post-install manifests failed: post-install/10-a.yaml#1: ConfigMap a/b: ·[31mInvalid password=[redacted]',
          hint: 'fix the manifest or the operator, then run `sno-install apply`',
        },
        {
          code: 'cluster/post-install-failed',
          severity: 'error',
          message:
            'wave 10 of the post-install manifests failed: post-install/10-a.yaml#2: Secret a/c: Conflict',
          hint: 'fix the manifest or the operator, then run `sno-install apply`',
        },
      ],
    },
  },
  {
    name: 'an installed cluster of a directory without manifests',
    state: installed,
    hasManifests: false,
    want: { kind: 'reached', facts: { version: '4.18.3' }, warnings: [] },
  },
  {
    name: 'a cluster that is not installed, of a directory without manifests',
    state: {},
    hasManifests: false,
    want: { kind: 'waiting', message: 'the API answers, but ClusterVersion does not exist yet' },
  },
];

describe('post-install-complete', () => {
  it.each(cases)('of $name', async ({ state, hasManifests = true, want }) => {
    const { reader } = fakeCluster([{ fromSeconds: 0, ...state }]);
    expect(await postInstallComplete({ hasManifests }).look(reader, present)).toEqual(want);
  });

  it('names the condition that is missing at the timeout', async () => {
    const { reader, clock } = fakeCluster([{ fromSeconds: 0, ...installed }]);
    const stop = new AbortController().signal;
    const wait = { reader, clock, timeoutMs: 0, stop, onMoment: () => undefined };
    expect(await waitFor(postInstallComplete({ hasManifests: true }), wait)).toMatchObject({
      kind: 'failed',
      problems: [
        {
          code: 'cluster/post-install-incomplete',
          message: 'timed out: the API answers, but the node does not apply post-install manifests yet',
        },
      ],
    });
  });
});
