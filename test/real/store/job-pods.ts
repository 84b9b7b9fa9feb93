import { readFileSync } from 'node:fs';

import type { NodeUnderTest } from '../control-plane/aio/node.js';

/** A pod of an Indexed Job. */
export interface JobPod {
  readonly name: string;
  readonly index: string;
  readonly phase: string;
  /** Exit code of its container after that has ended. */
  readonly exitCode?: number;
}

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
    readonly status: {
      readonly phase: string;
      readonly containerStatuses?: readonly {
        readonly state: { readonly terminated?: { readonly exitCode: number } };
      }[];
    };
  }[];
}

/** The pods in a namespace, including those that have ended. */
export async function jobPods({ kubectl }: NodeUnderTest, namespace: string): Promise<readonly JobPod[]> {
  const listed = await kubectl(['get', 'pods', '--namespace', namespace, '--output=json']);
  return (JSON.parse(listed) as Listed).items.map(({ metadata, status }) => {
    const terminated = status.containerStatuses?.[0]?.state.terminated;
    return {
      name: metadata.name,
      index: metadata.annotations['batch.kubernetes.io/job-completion-index'] ?? '',
      phase: status.phase,
      ...(terminated && { exitCode: terminated.exitCode }),
    };
  });
}

/** A process of the program in a pod. */
export interface PodProcess {
  /** Process ID in the namespace of the machine. */
  readonly pid: string;
  /** Pod name. */
  readonly pod: string;
  /** Lines of /proc/PID/status, by their first word. Source: proc(5) */
  readonly status: Readonly<Record<string, string>>;
}

/** The oldest process of a shard; undefined if none runs. */
export async function shardProcess(node: NodeUnderTest, namespace: string): Promise<PodProcess | undefined> {
  const { machine } = node;
  const found = await machine().run(['pgrep', '--oldest', '--full', 'fleet create --store']);
  const pid = found.stdout.trim();
  if (pid === '') return undefined;
  const [environment, status] = ['environ', 'status'].map((name) =>
    readFileSync(machine().path(`/proc/${pid}/${name}`), 'utf8'),
  );
  // Every pod of this index has the same host name.
  const index = /(?:^|\0)JOB_COMPLETION_INDEX=([^\0]+)/.exec(environment ?? '')?.[1];
  const pods = await jobPods(node, namespace);
  const pod = pods.find((each) => each.index === index && each.phase === 'Running')?.name;
  if (pod === undefined) return undefined;
  const lines = (status ?? '').split('\n').map((line) => line.split(/:\s*/, 2));
  return {
    pid,
    pod,
    status: Object.fromEntries(lines.map(([name = '', value = '']) => [name, value.replaceAll('\t', ' ')])),
  };
}
