import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Images } from '../images.js';
import type { ProgramResult } from '../run-program.js';
import { waitUntil, type Patience } from '../wait-until.js';
import type { NodeIdentity } from './environment.js';
import { readManifests } from './manifest.js';
import { RunningPod, type ContainerStatus } from './pod.js';

export interface PodRunnerOptions {
  /** The folder that a kubelet would watch as its staticPodPath. */
  readonly manifests: string;
  /** Stands for `/` in every hostPath, and has the node's /etc/hosts. */
  readonly root: string;
  readonly images: Images;
  readonly node: NodeIdentity;
  /** Whose network the pods share: the process id of a machine or a network namespace's holder. This system's by default. */
  readonly networkOf?: number;
}

export interface PodRunner {
  /** The containers of each pod, by the pod's name in its manifest. */
  readonly status: () => Readonly<Record<string, readonly ContainerStatus[]>>;
  readonly untilReady: (pod: string, patience?: Patience) => Promise<void>;
  /** What a container, also an init container, wrote since its pod began. */
  readonly log: (pod: string, container: string) => string;
  readonly exec: (pod: string, container: string, argv: readonly string[]) => Promise<ProgramResult>;
  readonly stop: () => Promise<void>;
}

/**
 * Runs the pods of a folder from their manifests and nothing else, and follows the folder: a real process for each
 * container, in mount and process namespaces of its own, restarted when it ends or its liveness probe fails. What a
 * manifest asks beyond that is an error, never passed over. Limits, users and capabilities are not enforced.
 */
export function runStaticPods(options: PodRunnerOptions): PodRunner {
  const work = mkdtempSync(join(tmpdir(), 'sno-install-pods-'));
  const surroundings = {
    ...options,
    work,
    network:
      options.networkOf === undefined
        ? []
        : ['nsenter', '--target', `${options.networkOf}`, '--net', '--uts'],
  };
  const pods = new Map<string, RunningPod>();
  let failure: unknown;
  const sync = async () => {
    const wanted = new Map(readManifests(options.manifests).map((manifest) => [manifest.file, manifest]));
    for (const [file, pod] of pods) {
      if (wanted.get(file)?.uid === pod.manifest.uid) continue;
      await pod.stop();
      pods.delete(file);
    }
    for (const [file, manifest] of wanted)
      if (!pods.has(file)) pods.set(file, new RunningPod(manifest, surroundings));
    failure = undefined;
  };
  const following = follow(sync, (error) => (failure = error));
  const podOf = (name: string) => {
    if (failure !== undefined)
      throw failure instanceof Error ? failure : new Error('the folder cannot be read');
    const pod = [...pods.values()].find(({ manifest }) => manifest.pod.metadata.name === name);
    if (pod === undefined) throw new Error(`no pod ${name}`);
    return pod;
  };
  return {
    status: () =>
      Object.fromEntries([...pods.values()].map((pod) => [pod.manifest.pod.metadata.name, pod.status()])),
    untilReady: async (name, patience) => {
      await waitUntil(`pod ${name} to be ready`, () => readiness(podOf(name)), patience);
    },
    log: (name, container) => podOf(name).log(container),
    exec: (name, container, argv) => podOf(name).exec(container, argv),
    stop: async () => {
      await following.stop();
      await Promise.all([...pods.values()].map((pod) => pod.stop()));
      rmSync(work, { recursive: true, force: true });
    },
  };
}

function readiness(pod: RunningPod): Promise<true> {
  const waiting = pod.status().filter(({ isReady }) => !isReady);
  if (waiting.length === 0) return Promise.resolve(true);
  const said = waiting.map(
    ({ name, lastEnd }) => `${name}: ${lastEnd ?? 'not ready'}\n${pod.log(name).slice(-2000)}`,
  );
  return Promise.reject(new Error(said.join('\n')));
}

/** Calls again and again, each time after the one before has ended. */
function follow(
  sync: () => Promise<void>,
  onFailure: (error: unknown) => void,
): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let current = Promise.resolve();
  const round = () => {
    current = sync()
      .catch(onFailure)
      .then(() => {
        if (!isStopped) timer = setTimeout(round, followEveryMs);
      });
  };
  round();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

const followEveryMs = 200;
