import { describe, expect, test } from 'vitest';

import { configMap } from '../../../src/kube/core-objects.js';
import { configMaps } from '../../../src/control-plane/loops/kinds.js';
import type { ComponentLoops, Loop } from '../../../src/control-plane/loops/loop.js';
import { runPipeline } from '../../../src/control-plane/loops/pipeline.js';
import { createStore } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';

const inputs = await controlPlaneInputs({ profile: 'Kubernetes' });
const namespace = 'openshift-etcd';

/** A loop that copies the number of ConfigMap `from`, plus `plus`, to ConfigMap `to`, once `from` exists. */
function adding(name: Loop['name'], from: string, to: string, plus: number): Loop {
  return {
    name,
    component: 'etcd',
    run: (store) => {
      const value = store.get(configMaps, namespace, from)?.data['n'];
      if (value === undefined) return store;
      return store.put(configMap({ namespace, name: to }, { n: String(Number(value) + plus) }));
    },
  };
}

function pipelineOf(settling: readonly Loop[]): {
  readonly loops: readonly ComponentLoops[];
  readonly revisioned: readonly [];
} {
  return { loops: [{ component: 'etcd', first: [], settling }], revisioned: [] };
}

const seeds = createStore([configMap({ namespace, name: 'a' }, { n: '1' })]);

describe('the pipeline', () => {
  test('runs the loops until the result is stable, and records writers and readers', () => {
    // The first loop waits for the second: two rounds to converge, and one to detect that nothing changes.
    const loops = [adding('target config', 'b', 'c', 1), adding('config observation', 'a', 'b', 1)];
    const settled = runPipeline(pipelineOf(loops), inputs, seeds);
    if (!settled.ok) throw new Error('expected it to settle');
    expect(settled.value.store.get(configMaps, namespace, 'c')?.data).toEqual({ n: '3' });
    expect(settled.value.rounds).toBe(3);
    expect(settled.value.records).toEqual([
      {
        component: 'etcd',
        loop: 'target config',
        runs: 3,
        produced: ['ConfigMap/openshift-etcd/c'],
        consumed: ['ConfigMap/openshift-etcd/b'],
      },
      {
        component: 'etcd',
        loop: 'config observation',
        runs: 3,
        produced: ['ConfigMap/openshift-etcd/b'],
        consumed: ['ConfigMap/openshift-etcd/a'],
      },
    ]);
  });

  test('refuses loops that never come to rest, and names them', () => {
    // Each round ends with the objects it began with, but loops still change them.
    const loops = [
      adding('target config', 'a', 'a', 1),
      adding('resource sync', 'b', 'b', 1),
      adding('config observation', 'a', 'a', -1),
    ];
    expect(runPipeline(pipelineOf(loops), inputs, seeds)).toEqual({
      ok: false,
      problems: [
        {
          code: 'control-plane/unsettled',
          severity: 'error',
          message: 'the control loops still change objects after 10 rounds, expected them to settle',
          hint: 'the last changes came from: etcd target config, etcd config observation',
        },
      ],
    });
  });

  test('requires every object of a revision that is not optional', () => {
    const revisioned = [
      {
        component: 'etcd' as const,
        configMaps: [{ name: 'a' }, { name: 'absent', isOptional: true as const }],
        secrets: [],
        certConfigMaps: [],
        certSecrets: [],
      },
    ];
    const settled = runPipeline({ loops: [], revisioned }, inputs, seeds);
    if (!settled.ok) throw new Error('expected it to settle');
    expect(settled.value.store.list(configMaps).map(({ metadata }) => metadata.name)).toEqual([
      'a',
      'a-1',
      'revision-status-1',
    ]);
    const unresolved = revisioned.map((each) => ({ ...each, configMaps: [{ name: 'absent' }] }));
    expect(() => runPipeline({ loops: [], revisioned: unresolved }, inputs, seeds)).toThrow(
      'internal error: the loops made no openshift-etcd/absent, which a revision needs',
    );
  });
});
