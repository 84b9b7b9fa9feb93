import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Images } from '../images.js';
import type { ProgramResult } from '../run-program.js';
import { waitUntil, type Patience } from '../wait-until.js';
import type { Surroundings } from './container.js';
import type { NodeIdentity } from './environment.js';
import { readManifests } from './manifest.js';
import { RunningPod, type ContainerStatus } from './pod.js';

export interface PodRunnerOptions {
  /** The folder of manifests, like a kubelet's staticPodPath. */
  readonly manifests: string;
  /** Replaces `/` in every hostPath and contains the node's /etc/hosts. */
  readonly root: string;
  readonly images: Images;
  readonly node: NodeIdentity;
  /** Process ID of a machine, or of the holder of a network namespace, whose network the pods use. Default: the network of this system. */
  readonly networkOf?: number;
}

export interface PodRunner {
  /** The containers of each pod, by the pod name in its manifest. */
  readonly status: () => Readonly<Record<string, readonly ContainerStatus[]>>;
  readonly untilReady: (pod: string, patience?: Patience) => Promise<void>;
  /** The output of a container or init container since its pod started. */
  readonly log: (pod: string, container: string) => string;
  readonly exec: (pod: string, container: string, argv: readonly string[]) => Promise<ProgramResult>;
  readonly stop: () => Promise<void>;
}

/**
 * Runs the pods of a folder from their manifests only and follows changes of the folder. Each container is a real process in its own
 * mount and process namespaces; it is restarted when it ends or its liveness probe fails. Unsupported fields are errors. Limits, users
 * and capabilities are not enforced.
 */
export function runStaticPods(options: PodRunnerOptions): PodRunner {
  const work = mkdtempSync(join(tmpdir(), 'sno-install-pods-'));
  const { networkOf } = options;
  const network = networkOf === undefined ? [] : ['nsenter', '--target', `${networkOf}`, '--net', '--uts'];
  const pods = new PodsOfFolder(options.manifests, { ...options, work, network });
  const following = repeat(() => pods.follow());
  return {
    status: () => pods.status(),
    untilReady: async (name, patience) => {
      await waitUntil(`pod ${name} to be ready`, () => readiness(pods.get(name)), patience);
    },
    log: (name, container) => pods.get(name).log(container),
    exec: (name, container, argv) => pods.get(name).exec(container, argv),
    stop: async () => {
      await following.stop();
      await pods.stop();
      rmSync(work, { recursive: true, force: true });
    },
  };
}

class PodsOfFolder {
  readonly #running = new Map<string, RunningPod>();
  #failure: Error | undefined;

  constructor(
    readonly folder: string,
    readonly surroundings: Surroundings,
  ) {}

  /** Stops pods whose manifest changed or is gone and starts missing ones. Changes nothing while the folder cannot be read. */
  async follow(): Promise<void> {
    try {
      const wanted = new Map(readManifests(this.folder).map((manifest) => [manifest.file, manifest]));
      for (const [file, pod] of this.#running) {
        if (wanted.get(file)?.uid === pod.manifest.uid) continue;
        await pod.stop();
        this.#running.delete(file);
      }
      for (const [file, manifest] of wanted)
        if (!this.#running.has(file)) this.#running.set(file, new RunningPod(manifest, this.surroundings));
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  status(): Readonly<Record<string, readonly ContainerStatus[]>> {
    return Object.fromEntries(this.#pods().map((pod) => [pod.manifest.pod.metadata.name, pod.status()]));
  }

  get(name: string): RunningPod {
    if (this.#failure) throw this.#failure;
    const pod = this.#pods().find(({ manifest }) => manifest.pod.metadata.name === name);
    if (pod === undefined) throw new Error(`no pod ${name}`);
    return pod;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#pods().map((pod) => pod.stop()));
  }

  #pods(): readonly RunningPod[] {
    return [...this.#running.values()];
  }
}

function readiness(pod: RunningPod): Promise<true> {
  const waiting = pod.status().filter(({ isReady }) => !isReady);
  if (waiting.length === 0) return Promise.resolve(true);
  const said = waiting.map(
    ({ name, lastEnd }) => `${name}: ${lastEnd ?? 'not ready'}\n${pod.log(name).slice(-2000)}`,
  );
  return Promise.reject(new Error(said.join('\n')));
}

/** Calls `round` repeatedly, each time after the previous call has ended. */
function repeat(round: () => Promise<void>): { readonly stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let current = Promise.resolve();
  const next = () => {
    current = round().then(() => {
      if (!isStopped) timer = setTimeout(next, repeatAfterMs);
    });
  };
  next();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

const repeatAfterMs = 200;
