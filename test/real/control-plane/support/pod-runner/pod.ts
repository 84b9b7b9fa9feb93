import { setTimeout as pause } from 'node:timers/promises';

import type { ProgramResult } from '../run-program.js';
import { startContainer, type RunningContainer, type Surroundings } from './container.js';
import type { Container, Manifest, Probe } from './manifest.js';
import { passes } from './probe.js';

export interface ContainerStatus {
  readonly name: string;
  /** The container runs, and its startup and readiness probes pass, if it has any. */
  readonly isReady: boolean;
  readonly restarts: number;
  /** Why the container does not run, or how it last ended. */
  readonly lastEnd?: string;
}

export class RunningPod {
  readonly #stopping = new AbortController();
  readonly #containers = new Map<string, State>();
  readonly #done: Promise<unknown>;

  constructor(
    readonly manifest: Manifest,
    readonly surroundings: Surroundings,
  ) {
    this.#done = this.#run();
  }

  status(): readonly ContainerStatus[] {
    return this.manifest.pod.spec.containers.map(({ name }) => {
      const { isReady, restarts, lastEnd } = this.#state(name);
      return { name, isReady, restarts, ...(lastEnd !== undefined && { lastEnd }) };
    });
  }

  log(container: string): string {
    return this.#state(container).log;
  }

  async exec(container: string, argv: readonly string[]): Promise<ProgramResult> {
    const { running } = this.#state(container);
    if (running === undefined) throw new Error(`${container} does not run`);
    return running.exec(argv);
  }

  /** Stops the containers with SIGTERM, then SIGKILL. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { initContainers, containers } = this.manifest.pod.spec;
    for (const container of initContainers) await this.#supervise(container, (code) => code !== 0);
    const { restartPolicy } = this.manifest.pod.spec;
    const again = (code: number | null) =>
      restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && code !== 0);
    await Promise.all(containers.map((container) => this.#supervise(container, again)));
  }

  async #supervise(container: Container, again: (code: number | null) => boolean): Promise<void> {
    const state = this.#state(container.name);
    while (!isAborted(this.#stopping.signal)) {
      const code = await this.#runOnce(container, state);
      if (isAborted(this.#stopping.signal) || !again(code)) return;
      state.restarts += 1;
      await this.#pause(restartPauseMs);
    }
  }

  /** Runs a container until it ends. Also null if it could not be started. */
  async #runOnce(container: Container, state: State): Promise<number | null> {
    try {
      const running = startContainer(this.manifest, container, this.surroundings, (text) => {
        state.log = (state.log + text).slice(-logBytes);
      });
      state.running = running;
      const life = new AbortController();
      const watching = this.#watch(container, running, state, life.signal);
      const stop = () => void this.#terminate(running);
      this.#stopping.signal.addEventListener('abort', stop);
      const code = await running.exited;
      life.abort();
      await watching;
      this.#stopping.signal.removeEventListener('abort', stop);
      state.lastEnd = `ended with ${code ?? 'a signal'}`;
      return code;
    } catch (error) {
      state.lastEnd = error instanceof Error ? error.message : String(error);
      return null;
    } finally {
      state.isReady = false;
      delete state.running;
    }
  }

  async #terminate(running: RunningContainer): Promise<void> {
    running.signal('SIGTERM');
    const graceMs = this.manifest.pod.spec.terminationGracePeriodSeconds * 1000;
    await Promise.race([running.exited, pause(graceMs, undefined, { ref: false })]);
    running.signal('SIGKILL');
  }

  /** Runs the startup probe, then the liveness probe, which ends the container, in parallel with the readiness probe. */
  async #watch(
    container: Container,
    running: RunningContainer,
    state: State,
    life: AbortSignal,
  ): Promise<void> {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const ask = (probe: Probe) => passes(probe, container, running, this.surroundings);
    const fail = (name: string) => {
      state.log += `\n${name} probe failed\n`;
      void this.#terminate(running);
    };
    if (startupProbe) {
      const hasStarted = await untilDecided(startupProbe, ask, life);
      if (life.aborted) return;
      if (!hasStarted) {
        fail('startup');
        return;
      }
    }
    state.isReady = readinessProbe === undefined;
    const alive =
      livenessProbe && follow(livenessProbe, ask, life, (isAlive) => isAlive || (fail('liveness'), false));
    const ready =
      readinessProbe && follow(readinessProbe, ask, life, (isReady) => ((state.isReady = isReady), true));
    await Promise.all([alive, ready]);
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #state(name: string): State {
    const state = this.#containers.get(name) ?? { isReady: false, restarts: 0, log: '' };
    this.#containers.set(name, state);
    return state;
  }
}

/** A function, because the type checker assumes that the property does not change during an await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

interface State {
  isReady: boolean;
  restarts: number;
  log: string;
  lastEnd?: string;
  running?: RunningContainer;
}

/** The kubelet starts with 10 s and doubles; that would only delay the tests. */
const restartPauseMs = 1000;

const logBytes = 4 * 1024 * 1024;

/** Whether a probe reaches its success threshold before its failure threshold. */
async function untilDecided(
  probe: Probe,
  ask: (probe: Probe) => Promise<boolean>,
  life: AbortSignal,
): Promise<boolean> {
  let decided = false;
  await follow(probe, ask, life, (passed) => {
    decided = passed;
    return false;
  });
  return decided;
}

/** Repeats a probe while its container lives and `onChange`, called when a threshold is reached, returns true. */
async function follow(
  probe: Probe,
  ask: (probe: Probe) => Promise<boolean>,
  life: AbortSignal,
  onChange: (passed: boolean) => boolean,
): Promise<void> {
  const wait = (seconds: number) => pause(seconds * 1000, undefined, { signal: life }).catch(() => undefined);
  let [passed, failed] = [0, 0];
  await wait(probe.initialDelaySeconds);
  while (!isAborted(life)) {
    const isGood = await ask(probe).catch(() => false);
    if (isAborted(life)) return;
    [passed, failed] = isGood ? [passed + 1, 0] : [0, failed + 1];
    if (passed === probe.successThreshold && !onChange(true)) return;
    if (failed === probe.failureThreshold && !onChange(false)) return;
    await wait(probe.periodSeconds);
  }
}
