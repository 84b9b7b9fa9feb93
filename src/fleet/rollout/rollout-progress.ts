import type { Problem } from '../../core/problem.js';
import type { Result } from '../../core/result.js';
import { rfc3339 } from '../../core/rfc3339.js';
import type { Clock } from '../../core/clock.js';
import {
  serializeRolloutState,
  type RolloutSite,
  type RolloutState,
  type RolloutWave,
} from './rollout-state.js';

/** The state file cannot be written. The rollout must stop, since every start has to be recorded before it happens. */
export class RolloutStateFault extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('cannot write the state of the rollout');
  }
}

/** Changes within these times share one write: changes of state, and status texts. */
const [gatherMs, gatherStatusMs] = [100, 500];

const never = new AbortController().signal;

/** The state of a running rollout and its file. */
export class RolloutProgress {
  #state: RolloutState;
  readonly #sites: Map<string, RolloutSite>;
  readonly #clock: Clock;
  readonly #write: (text: string) => Result<void>;
  #next: Promise<void> | undefined;
  #isStatusPending = false;

  constructor(first: RolloutState, clock: Clock, write: (text: string) => Result<void>) {
    this.#sites = new Map(first.sites);
    this.#state = { ...first, sites: this.#sites };
    [this.#clock, this.#write] = [clock, write];
  }

  get state(): RolloutState {
    return this.#state;
  }

  site(name: string): RolloutSite {
    const site = this.#sites.get(name);
    if (site === undefined) throw new Error(`internal error: ${name} is not part of the rollout`);
    return site;
  }

  now(): string {
    return rfc3339(this.#clock.present());
  }

  /** Resolves when the change is written. Throws RolloutStateFault. */
  changeSite(name: string, change: Partial<RolloutSite>): Promise<void> {
    this.#sites.set(name, { ...this.site(name), ...change });
    return this.#save();
  }

  /** Resolves when the change is written. Throws RolloutStateFault. */
  changeWave(name: string, change: Partial<RolloutWave>): Promise<void> {
    const waves = this.#state.waves.map((wave) => (wave.name === name ? { ...wave, ...change } : wave));
    return this.change({ waves });
  }

  /** Resolves when the change is written. Throws RolloutStateFault. */
  change(change: Partial<Omit<RolloutState, 'sites'>>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    return this.#save();
  }

  /** The rollout waits for nothing any more. Throws RolloutStateFault. */
  async continueRunning(): Promise<void> {
    const { message, ...more } = this.#state;
    if (message === undefined) return;
    this.#state = { ...more, state: 'running' };
    await this.#save();
  }

  /** Records a status text; it is written with the next change of state, or soon. */
  setStatus(name: string, status: string): void {
    if (this.site(name).status === status) return;
    this.#sites.set(name, { ...this.site(name), status });
    if (this.#isStatusPending) return;
    this.#isStatusPending = true;
    void this.#saveStatus();
  }

  async #saveStatus(): Promise<void> {
    await this.#clock.sleep(gatherStatusMs, never);
    this.#isStatusPending = false;
    // A failure to write shows at the next change of state.
    await this.#save().catch(() => undefined);
  }

  #save(): Promise<void> {
    return (this.#next ??= this.#flush());
  }

  async #flush(): Promise<void> {
    await this.#clock.sleep(gatherMs, never);
    this.#next = undefined;
    this.#state = { ...this.#state, updatedAt: this.now() };
    const written = this.#write(serializeRolloutState(this.#state));
    if (!written.ok) throw new RolloutStateFault(written.problems);
  }
}
