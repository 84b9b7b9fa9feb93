import { describe, expect, it } from 'vitest';

import type { ApiAnswer, ClusterClient } from '../../../src/remote/kubernetes/reader.js';
import type { TargetRelease } from '../../../src/remote/kubernetes/upgrade/cluster-version.js';
import { refusalLimitMs, upgradeComplete } from '../../../src/remote/kubernetes/upgrade/upgrade-complete.js';
import { upgradePreflight } from '../../../src/remote/kubernetes/upgrade/upgrade-preflight.js';
import { upgradeRequested } from '../../../src/remote/kubernetes/upgrade/upgrade-request.js';
import { sinceBoot } from '../../../src/remote/kubernetes/goals/since-boot.js';
import { parseTarget, targetRelease } from '../../../src/fleet/upgrade/read-target.js';
import { expectOk } from '../../support/sound-value.js';
import { condition, fakeCluster, operator, pool, present, settledOperator } from './fake-cluster.js';

const digestOf = (character: string): string => `sha256:${character.repeat(64)}`;
const current = `quay.io/release@${digestOf('a')}`;

function target(version = '4.20.8', character = 'b'): TargetRelease {
  const tag = version === '' ? '' : `:${version}-x86_64`;
  return targetRelease(
    expectOk(parseTarget(`mirror.example.com/ocp/release${tag}@${digestOf(character)}`)),
    digestOf(character),
  );
}

interface Cluster {
  readonly conditions?: readonly object[];
  readonly spec?: object;
  readonly status?: object;
  readonly generation?: number;
  readonly operators?: readonly object[];
  readonly pools?: readonly object[];
  readonly configMaps?: Readonly<Record<string, object>>;
  readonly onMerge?: (merge: unknown) => ApiAnswer;
}

function client({ conditions = [], configMaps = {}, onMerge, ...cluster }: Cluster = {}): ClusterClient {
  const history = [{ image: current, version: '4.20.3', state: 'Completed' }];
  const object = {
    metadata: { generation: cluster.generation ?? 3, resourceVersion: '7' },
    spec: cluster.spec ?? {},
    status: {
      observedGeneration: 3,
      desired: { image: current, version: '4.20.3' },
      history,
      conditions: [condition('Progressing', 'False'), ...conditions],
      ...cluster.status,
    },
  };
  const { reader } = fakeCluster([
    {
      fromSeconds: 0,
      objects: {
        clusterVersion: object,
        clusterOperators: { items: cluster.operators ?? [settledOperator('etcd')] },
        machineConfigPools: { items: cluster.pools ?? [pool('master')] },
      },
    },
  ]);
  return {
    ...reader,
    send: ({ path, merge }) => {
      if (merge !== undefined)
        return Promise.resolve(onMerge?.(merge) ?? { kind: 'answer', status: 200, body: {} });
      const body = Object.entries(configMaps).find(([name]) => path.endsWith(name))?.[1];
      return Promise.resolve({ kind: 'answer', status: body === undefined ? 404 : 200, body: body ?? {} });
    },
  };
}

async function refusals(cluster: Cluster, release = target()): Promise<readonly string[]> {
  const found = await upgradePreflight(client(cluster), release);
  return found.kind === 'refused' ? found.problems.map(({ message }) => message) : [found.kind];
}

describe('the checks before an upgrade', () => {
  it('accept a settled cluster', async () => {
    expect(await refusals({})).toEqual(['ready']);
  });

  it.each<[string, Cluster, string]>([
    [
      'a failing operator',
      { conditions: [condition('Failing', 'True', 'etcd')] },
      'the cluster version operator is Failing: etcd',
    ],
    [
      'an invalid object',
      { conditions: [condition('Invalid', 'True', 'x')] },
      'ClusterVersion is invalid: x',
    ],
    [
      'another update',
      {
        status: {
          history: [{ image: `quay.io/release@${digestOf('c')}`, version: '4.20.5', state: 'Partial' }],
        },
      },
      'another update is running: 4.20.5',
    ],
    [
      'a degraded operator',
      {
        operators: [
          operator('dns', condition('Available', 'True'), condition('Degraded', 'True', 'no pods')),
        ],
      },
      'operator dns is Degraded: no pods',
    ],
    [
      'a paused pool',
      { pools: [{ ...pool('master'), spec: { paused: true } }] },
      'the machine config pool master is paused',
    ],
  ])('reject %s', async (_name, cluster, message) => {
    expect(await refusals(cluster)).toEqual([message]);
  });

  it('apply Upgradeable to other minor releases only, and to a release of an unknown version', async () => {
    const cluster = { conditions: [condition('Upgradeable', 'False', 'see acks')] };
    expect(await refusals(cluster)).toEqual(['ready']);
    expect(await refusals(cluster, target('4.21.0'))).toEqual(['Upgradeable is False: see acks']);
    expect(await refusals(cluster, target(''))).toEqual(['Upgradeable is False: see acks']);
    const offered = { availableUpdates: [{ version: '4.20.8', image: `quay.io/release@${digestOf('b')}` }] };
    expect(await refusals({ ...cluster, status: offered }, target(''))).toEqual(['ready']);
  });

  it('accept only the value "true" of an acknowledgement', async () => {
    const gates = { data: { 'ack-4.20-api': 'read this', 'ack-4.19-old': 'past' } };
    const withAck = (value: string): Cluster => ({
      configMaps: { 'admin-gates': gates, 'admin-acks': { data: { 'ack-4.20-api': value } } },
    });
    expect(await refusals(withAck('yes'), target('4.21.0'))).toEqual([
      'not acknowledged: ack-4.20-api: read this',
    ]);
    expect(await refusals(withAck('true'), target('4.21.0'))).toEqual(['ready']);
    expect(await refusals(withAck('yes'))).toEqual(['ready']);
  });

  it('warn of a missing signature', async () => {
    const signed = (character: string): Cluster => ({
      configMaps: {
        configmaps: { items: [{ binaryData: { [`sha256-${character.repeat(64)}-1`]: 'AAAA' } }] },
      },
    });
    const codes = async (cluster: Cluster): Promise<unknown> => {
      const found = await upgradePreflight(client(cluster), target());
      return found.kind === 'ready' && found.warnings.map(({ code }) => code);
    };
    expect(await codes(signed('b'))).toEqual([]);
    expect(await codes(signed('c'))).toEqual(['upgrade/signature']);
  });

  it('know the release by its digest, from another mirror too', async () => {
    const history = [{ image: `quay.io/release@${digestOf('b')}`, version: '4.20.8', state: 'Completed' }];
    expect(await upgradePreflight(client({ status: { history } }), target())).toEqual({
      kind: 'requested',
      isComplete: true,
      version: '4.20.8',
    });
  });
});

describe('the request', () => {
  it('is written only to the version that was checked, and again after a conflict', async () => {
    const merges: unknown[] = [];
    const conflict = client({
      onMerge: (merge) => {
        merges.push(merge);
        return { kind: 'answer', status: 409, body: { reason: 'Conflict' } };
      },
    });
    expect(await upgradeRequested(target()).look(conflict, present)).toMatchObject({ kind: 'waiting' });
    expect(merges).toEqual([
      {
        metadata: { resourceVersion: '7' },
        spec: {
          desiredUpdate: {
            image: target().image,
            force: false,
            version: null,
            architecture: null,
            mode: null,
          },
        },
      },
    ]);
    const forbidden = client({ onMerge: () => ({ kind: 'answer', status: 403, body: { message: 'no' } }) });
    expect(await upgradeRequested(target()).look(forbidden, present)).toMatchObject({
      kind: 'hopeless',
      problems: [{ code: 'upgrade/not-ready', message: 'the API rejected the request: no' }],
    });
  });
});

describe('the wait for an upgrade', () => {
  const requested = { desiredUpdate: { image: target().image } };
  const refused = {
    type: 'ReleaseAccepted',
    status: 'False',
    message: `Retrieving payload failed version="" image="${target().image}" failure=no signature`,
  };

  it('gives up after ten minutes of refusals of this release', async () => {
    const goal = upgradeComplete(target());
    const cluster = client({ spec: requested, conditions: [refused] });
    const later = new Date(present.getTime() + refusalLimitMs);
    const text = 'not accepted: Retrieving payload failed: no signature';
    expect(await goal.look(cluster, present)).toEqual({ kind: 'waiting', message: text });
    expect(await goal.look(cluster, later)).toMatchObject({
      kind: 'hopeless',
      problems: [{ code: 'upgrade/refused', message: expect.stringContaining('no signature') as string }],
    });
  });

  it('does not take the refusal of an earlier release or request for one of this', async () => {
    const goal = upgradeComplete(target());
    const other = { ...refused, message: refused.message.replace(/b{64}/, 'c'.repeat(64)) };
    for (const cluster of [
      client({ spec: requested, conditions: [other] }),
      client({ spec: requested, conditions: [refused], generation: 4 }),
    ]) {
      const message = 'the version operator has not read the request';
      expect(await goal.look(cluster, present)).toEqual({ kind: 'waiting', message });
      const later = new Date(present.getTime() + refusalLimitMs);
      expect(await goal.look(cluster, later)).toEqual({ kind: 'waiting', message });
    }
  });

  it('ends if the request was replaced, and names the last status after the timeout', async () => {
    const goal = upgradeComplete(target());
    expect(await goal.look(client(), present)).toMatchObject({
      kind: 'hopeless',
      problems: [{ code: 'upgrade/superseded' }],
    });
    expect(await goal.overdue('waiting for etcd', client())).toMatchObject([
      { code: 'upgrade/incomplete', message: 'timed out: waiting for etcd' },
    ]);
  });

  it('waits for a release that is Partial, although the operator is Failing', async () => {
    const history = [{ image: target().image, version: '4.20.8', state: 'Partial' }];
    const cluster = client({
      spec: requested,
      status: { history },
      conditions: [condition('Failing', 'True', 'dns')],
    });
    expect(await upgradeComplete(target()).look(cluster, present)).toMatchObject({ kind: 'waiting' });
  });
});

describe('a goal since the boot', () => {
  it('is not reached by a cluster that was installed before', async () => {
    const reached = { kind: 'reached', facts: {}, warnings: [] } as const;
    const goal = sinceBoot(
      { look: () => Promise.resolve(reached), outage: '', overdue: () => Promise.resolve([]) },
      present,
    );
    const createdAt = (minutes: number): ClusterClient => {
      const creationTimestamp = new Date(present.getTime() + minutes * 60_000).toISOString();
      return client({ configMaps: { 'kube-system': { metadata: { creationTimestamp } } } });
    };
    expect(await goal.look(createdAt(5), present)).toEqual(reached);
    expect(await goal.look(createdAt(-60), present)).toMatchObject({ kind: 'waiting' });
  });
});
