import type { Clock } from '../../src/cluster/clock.js';
import type { Fault } from '../../src/cluster/fault.js';
import type { ClusterReader, Reading } from '../../src/cluster/reader.js';

type Question = keyof Omit<ClusterReader, 'server' | 'kubeconfig'>;

/** What the cluster is like from a moment on: a fault for every question, or what is there. */
export interface Step {
  readonly fromSeconds: number;
  readonly fault?: Fault;
  readonly objects?: Readonly<Partial<Record<Question, unknown>>>;
  /** Whether the kinds of OpenShift are known; they are unless it says otherwise. */
  readonly isOpenShift?: boolean;
}

export interface FakeCluster {
  readonly reader: ClusterReader;
  readonly clock: Clock;
  /** Every moment at which something was asked, in seconds, once each. */
  readonly askedAt: () => readonly number[];
}

/** A cluster that goes through its steps as time passes, and a clock that passes when it is slept. */
export function fakeCluster(steps: readonly Step[]): FakeCluster {
  let nowMs = 7_000_000;
  const startMs = nowMs;
  const asked = new Set<number>();
  const read = (question: Question): Promise<Reading> => {
    const seconds = (nowMs - startMs) / 1000;
    asked.add(seconds);
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
      clusterVersion: () => read('clusterVersion'),
      clusterOperators: () => read('clusterOperators'),
      nodes: () => read('nodes'),
      consoleConfig: () => read('consoleConfig'),
    },
    clock: {
      nowMs: () => nowMs,
      present: () => new Date(nowMs),
      sleep: (durationMs) => {
        nowMs += durationMs;
        return Promise.resolve();
      },
    },
    askedAt: () => [...asked],
  };
}

function readingOf(step: Step | undefined, question: Question): Reading {
  if (step === undefined) throw new Error('the cluster has no state at the start');
  if (step.fault !== undefined) return { kind: 'fault', fault: step.fault };
  const object = step.objects?.[question];
  if (typeof object === 'object' && object !== null) return { kind: 'found', object: { ...object } };
  if (question === 'nodes') return { kind: 'found', object: { items: [] } };
  const isServed = step.isOpenShift !== false || question === 'bootstrapConfigMap';
  return { kind: 'absent', isKindServed: isServed };
}

export const refused: Fault = { kind: 'no-answer', detail: 'connection refused' };

/** A condition as an object's status carries it. */
export function condition(type: string, status: 'True' | 'False', message = ''): object {
  return { type, status, message };
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
