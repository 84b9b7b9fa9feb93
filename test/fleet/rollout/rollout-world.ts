import type { Result } from '../../../src/core/result.js';
import { success } from '../../../src/core/result.js';
import type { Clock } from '../../../src/core/clock.js';
import { planWaves } from '../../../src/fleet/rollout/plan-waves.js';
import type { RolloutPlan } from '../../../src/fleet/rollout/rollout-file.js';
import { readRolloutState, type RolloutState } from '../../../src/fleet/rollout/rollout-state.js';
import {
  runRollout,
  type RolloutNotice,
  type SiteOperation,
} from '../../../src/fleet/rollout/run-rollout.js';
import { idleClock } from '../../support/idle-clock.js';

/** Sites that start and need an hour to the criterion, with the state file. It outlives a killed run. */
export interface World {
  readonly clock: Clock;
  /** Starts of each site, in order. */
  readonly starts: string[];
  /** Sites that cannot be started, and sites that never reach the criterion. */
  readonly broken: Set<string>;
  readonly stuck: Set<string>;
  readonly notices: string[];
  /** The state file. */
  file: string;
  /** The run is killed at this step: a write, or a step of the operation. */
  killAt: number;
  steps: number;
  onStep: (text: string) => void;
}

export class Killed extends Error {}

export function world(startAt = '2026-11-27T12:00:00Z'): World {
  return {
    clock: idleClock(startAt),
    starts: [],
    broken: new Set(),
    stuck: new Set(),
    notices: [],
    file: '',
    killAt: Infinity,
    steps: 0,
    onStep: () => undefined,
  };
}

export const hourMs = 3_600_000;

export const plainPlan: RolloutPlan = {
  isCanary: ({ name }) => name.startsWith('c'),
  isHeld: ({ name }) => name.startsWith('h'),
  waveSize: () => 2,
  failureLimit: () => 1,
  until: 'install-complete',
  siteTimeoutMs: 3 * hourMs,
  pauseMs: 0,
  windows: [],
  digest: 'first',
};

/** Throws if the run is killed at or before this step. */
function step(given: World, text: string): void {
  given.steps += 1;
  given.onStep(text);
  if (given.steps >= given.killAt) throw new Killed();
}

/** The start of a site has an effect in the middle; a second start asks the world whether it has happened. */
function operation(given: World): SiteOperation {
  const { clock, starts, broken, stuck } = given;
  return {
    start: async (site, stop) => {
      step(given, `asked ${site}`);
      await clock.sleep(60_000, stop);
      if (stop.aborted) return { ok: false, cause: 'stopped', isStopped: true };
      if (broken.has(site)) return { ok: false, cause: 'the BMC does not answer' };
      if (!starts.includes(site)) starts.push(site);
      step(given, `started ${site}`);
      return { ok: true };
    },
    wait: async (site, stop, timeoutMs, onStatus) => {
      onStatus('the API does not answer');
      await clock.sleep(Math.min(timeoutMs, hourMs), stop);
      step(given, `looked ${site}`);
      if (stop.aborted) return { ok: false, cause: 'stopped', isStopped: true };
      if (!stuck.has(site)) return { ok: true };
      await clock.sleep(Math.max(0, timeoutMs - hourMs), stop);
      return { ok: false, cause: 'the API does not answer' };
    },
  };
}

interface RunOptions {
  readonly plan?: Partial<RolloutPlan>;
  readonly retriesFailed?: boolean;
  readonly jobs?: number;
  readonly stop?: AbortSignal;
}

/** Runs a rollout from the state file. */
export function rollOut(
  given: World,
  names: string,
  { plan: changes, jobs = 16, stop = new AbortController().signal, ...more }: RunOptions = {},
): Promise<RolloutState> {
  const plan = { ...plainPlan, ...changes };
  const earlier = stateIn(given);
  const sites = names.split(' ').map((name) => ({ name, valueOf: () => undefined }));
  return runRollout({
    operation: 'boot',
    plan,
    waves: planWaves(sites, plan, earlier),
    ...(earlier && { earlier }),
    sites: operation(given),
    clock: given.clock,
    jobs,
    stop,
    write: (text): Result<void> => {
      step(given, 'write');
      given.file = text;
      step(given, 'written');
      return success(undefined);
    },
    onNotice: (notice) => given.notices.push(noticeText(given, notice)),
    ...more,
  });
}

/** The state in the file. */
export function stateIn({ file }: World): RolloutState | undefined {
  if (file === '') return undefined;
  const read = readRolloutState(file, 'rollout.json');
  if (!read.ok) throw new Error('the state file is not valid');
  return read.value;
}

function noticeText({ clock }: World, { event, site, wave, message, cause }: RolloutNotice): string {
  const time = clock.present().toISOString().slice(11, 16);
  return [time, event, site ?? wave, cause ?? message].filter((each) => each !== undefined).join(' ');
}

/** `complete; canary=done 1=done; a=done c=done`. */
export function shown({ state, message, waves, sites }: RolloutState): string {
  const text = (entries: readonly (readonly [string, { readonly state: string }])[]): string =>
    entries.map(([name, each]) => `${name}=${each.state}`).join(' ');
  return [
    message === undefined ? state : `${state} (${message})`,
    text(waves.map((wave) => [wave.name, wave])),
    text([...sites].toSorted(([left], [right]) => (left < right ? -1 : 1))),
  ].join('; ');
}
