import type { Clock } from '../../../src/remote/kubernetes/clock.js';
import type { Fault } from '../../../src/remote/kubernetes/request-fault.js';
import type { ClusterReader, Reading } from '../../../src/remote/kubernetes/reader.js';

type Question = keyof Omit<ClusterReader, 'server' | 'kubeconfig'>;

/** The state of the cluster from a time on: its objects, or one fault for every request. */
export interface Step {
  readonly fromSeconds: number;
  readonly fault?: Fault;
  readonly objects?: Readonly<Partial<Record<Question, unknown>>>;
  /** Whether OpenShift kinds exist. Default: true. */
  readonly isOpenShift?: boolean;
}

export interface FakeCluster {
  readonly reader: ClusterReader;
  readonly clock: Clock;
  /** The distinct times of requests, in seconds. */
  readonly requestTimes: () => readonly number[];
}

/** A cluster whose state follows the steps. Its clock advances only in `sleep`. */
export function fakeCluster(steps: readonly Step[]): FakeCluster {
  let nowMs = 7_000_000;
  const startMs = nowMs;
  const seen = new Set<number>();
  const read = (question: Question): Promise<Reading> => {
    const seconds = (nowMs - startMs) / 1000;
    seen.add(seconds);
    return Promise.resolve(
      readingOf(
        steps.findLast(({ fromSeconds }) => fromSeconds <= seconds),
        question,
      ),
    );
  };
  return {
    reader: {
      server: 'https://api.site1.example.com:6443',
      kubeconfig: 'site1/auth/kubeconfig',
      bootstrapConfigMap: () => read('bootstrapConfigMap'),
      postInstallConfigMap: () => read('postInstallConfigMap'),
      clusterVersion: () => read('clusterVersion'),
      clusterOperators: () => read('clusterOperators'),
      nodes: () => read('nodes'),
      machineConfigPools: () => read('machineConfigPools'),
      consoleConfig: () => read('consoleConfig'),
      routerAuthority: () => read('routerAuthority'),
    },
    clock: {
      nowMs: () => nowMs,
      present: () => new Date(nowMs),
      sleep: (durationMs) => {
        nowMs += durationMs;
        return Promise.resolve();
      },
    },
    requestTimes: () => [...seen],
  };
}

function readingOf(step: Step | undefined, question: Question): Reading {
  if (step === undefined) throw new Error('the cluster has no state at the start');
  if (step.fault !== undefined) return { kind: 'fault', fault: step.fault };
  const object = step.objects?.[question];
  if (typeof object === 'object' && object !== null) return { kind: 'found', object: { ...object } };
  if (question === 'nodes') return { kind: 'found', object: { items: [] } };
  const isServed = step.isOpenShift !== false || question.endsWith('ConfigMap');
  return { kind: 'absent', isKindServed: isServed };
}

export const refused: Fault = { kind: 'no-answer', detail: 'connection refused' };

/** The time of the checks. */
export const present = new Date('2026-01-02T04:00:00Z');

/** A status condition with its lastTransitionTime. */
export function condition(
  type: string,
  status: 'True' | 'False',
  message = '',
  lastTransitionTime = '2026-01-02T03:04:05Z',
): object {
  return { type, status, message, lastTransitionTime };
}

/** An operator that is Available, not Degraded and not Progressing, with `others` added. */
export function settledOperator(name: string, ...others: readonly object[]): object {
  return operator(
    name,
    ...others,
    condition('Available', 'True'),
    condition('Degraded', 'False'),
    condition('Progressing', 'False'),
  );
}

export function pool(name: string, ...others: readonly object[]): object {
  return {
    metadata: { name },
    status: { conditions: [...others, condition('Updated', 'True'), condition('Degraded', 'False')] },
  };
}

/** A node with the annotations of the machine-config daemon. */
export function configured(name: string, state: string, current = 'rendered-1', desired = current): object {
  const prefix = 'machineconfiguration.openshift.io/';
  const annotations = {
    [`${prefix}currentConfig`]: current,
    [`${prefix}desiredConfig`]: desired,
    [`${prefix}state`]: state,
  };
  return { metadata: { name, annotations } };
}

export function clusterVersion(...conditions: readonly object[]): object {
  return { status: { desired: { version: '4.18.3' }, conditions } };
}

export function operator(name: string, ...conditions: readonly object[]): object {
  return { metadata: { name }, status: { conditions } };
}

export function node(name: string, ready: 'True' | 'False', message = ''): object {
  return { metadata: { name }, status: { conditions: [condition('Ready', ready, message)] } };
}
