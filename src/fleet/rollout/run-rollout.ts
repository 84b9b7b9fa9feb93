import { setMaxListeners } from 'node:events';

import type { Result } from '../../core/result.js';
import { firstState, type RolloutStart } from './first-state.js';
import type { PlannedWave } from './plan-waves.js';
import { RolloutProgress } from './rollout-progress.js';
import type { RolloutState } from './rollout-state.js';
import { pauseBefore, startGate, type StartTimes } from './start-times.js';

export type SiteOutcome =
  { readonly ok: true } | { readonly ok: false; readonly cause: string; readonly isStopped?: true };

/** The operation on each site. Its methods throw only for internal errors. */
export interface SiteOperation {
  /** Starts the site. Called again for a site in state `starting` after a kill; must find out whether it had happened. */
  start(site: string, stop: AbortSignal): Promise<SiteOutcome>;
  /** Waits for the criterion, and checks it at least once. */
  wait(
    site: string,
    stop: AbortSignal,
    timeoutMs: number,
    onStatus: (text: string) => void,
  ): Promise<SiteOutcome>;
}

export interface RolloutNotice {
  readonly event:
    | 'wave-started'
    | 'wave-done'
    | 'wave-failed'
    | 'site-started'
    | 'site-done'
    | 'site-failed'
    | 'rollout-started'
    | 'rollout-waiting'
    | 'rollout-stopped'
    | 'rollout-complete'
    | 'rollout-interrupted';
  readonly wave?: string;
  readonly site?: string;
  readonly cause?: string;
  readonly message?: string;
}

export interface RolloutRun extends RolloutStart {
  readonly sites: SiteOperation;
  /** Number of sites that are started at a time. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  /** Writes the state file durably. */
  readonly write: (text: string) => Result<void>;
  readonly onNotice?: (notice: RolloutNotice, state: RolloutState) => void;
}

/** Continues until all waves have ended, the failure limit is reached or `stop` is aborted. Throws RolloutStateFault. */
export async function runRollout(run: RolloutRun): Promise<RolloutState> {
  const progress = new RolloutProgress(firstState(run), run.clock, run.write);
  const broken = new AbortController();
  const rollout: Rollout = { ...run, progress, broken, stop: AbortSignal.any([run.stop, broken.signal]) };
  // One signal has a listener per site, so more than ten are not a leak.
  setMaxListeners(0, rollout.stop);
  await progress.change({});
  notify(rollout, { event: 'rollout-started' });
  for (const wave of run.waves.waves) {
    if (rollout.stop.aborted) break;
    if (!(await runWave(rollout, wave))) break;
  }
  return endRollout(rollout);
}

interface Rollout extends RolloutRun {
  readonly progress: RolloutProgress;
  /** Aborted by the first error. */
  readonly broken: AbortController;
}

async function endRollout(rollout: Rollout): Promise<RolloutState> {
  const { progress, waves } = rollout;
  const names = waves.waves.flatMap(({ sites }) => sites);
  const failedWave = progress.state.waves.find(({ state }) => state === 'failed');
  const isOpen = names.some((name) => !isFinished(rollout, name));
  if (failedWave !== undefined && waves.waves.some(({ name }) => name === failedWave.name)) {
    const message = stopText(rollout, failedWave.name);
    await progress.change({ state: 'stopped', message });
    notify(rollout, { event: 'rollout-stopped', wave: failedWave.name, message });
  } else if (isOpen) {
    await progress.change({ state: 'interrupted' });
    notify(rollout, { event: 'rollout-interrupted' });
  } else {
    await progress.change({ state: 'complete' });
    notify(rollout, { event: 'rollout-complete' });
  }
  return progress.state;
}

function stopText({ waves, plan, progress }: Rollout, wave: string): string {
  const sites = waves.waves.find(({ name }) => name === wave)?.sites ?? [];
  const failed = sites.filter((name) => progress.site(name).state === 'failed');
  return `${failed.length} of ${sites.length} sites of wave ${wave} failed; the limit is ${plan.failureLimit(sites.length)}`;
}

/** Returns whether the next wave may start. */
async function runWave(rollout: Rollout, wave: PlannedWave): Promise<boolean> {
  const { progress, plan } = rollout;
  const limit = plan.failureLimit(wave.sites.length);
  const isOverLimit = (): boolean =>
    wave.sites.filter((name) => progress.site(name).state === 'failed').length >= limit;
  const known = progress.state.waves.find(({ name }) => name === wave.name);
  const isOpen = (): boolean => wave.sites.some((name) => !isFinished(rollout, name));
  const isAwaited = wave.sites.some((name) => progress.site(name).state === 'waiting');
  const hasWork = isOverLimit() ? isAwaited : isOpen();
  if (hasWork) {
    if (known?.startedAt === undefined) await pauseBefore(timesOf(rollout), wave);
    if (rollout.stop.aborted) return false;
    if (known?.state !== 'running') {
      const startedAt = known?.startedAt ?? progress.now();
      await progress.changeWave(wave.name, { state: 'running', startedAt });
      notify(rollout, { event: 'wave-started', wave: wave.name });
    }
    await runSites(rollout, wave, isOverLimit);
  }
  if (!isOverLimit() && isOpen()) return false;
  const state = isOverLimit() ? 'failed' : 'done';
  if (hasWork || known?.state !== state) await endWave(rollout, wave.name, state);
  return state === 'done';
}

async function endWave(rollout: Rollout, name: string, state: 'done' | 'failed'): Promise<void> {
  await rollout.progress.changeWave(name, { state, finishedAt: rollout.progress.now() });
  notify(rollout, { event: `wave-${state}`, wave: name });
}

function isFinished({ progress }: Rollout, name: string): boolean {
  const { state } = progress.site(name);
  return state === 'done' || state === 'failed';
}

/** Starts and awaits the sites of a wave. No site starts after the failure limit is reached; started sites are awaited to their end. */
async function runSites(rollout: Rollout, wave: PlannedWave, isOverLimit: () => boolean): Promise<void> {
  const { progress, broken, jobs } = rollout;
  const errors: unknown[] = [];
  const guarded = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      errors.push(error);
      broken.abort();
    }
  };
  const stateOf = (name: string): string => progress.site(name).state;
  const toStart = wave.sites.filter((name) => ['pending', 'starting'].includes(stateOf(name)));
  const waits = wave.sites
    .filter((name) => stateOf(name) === 'waiting')
    .map((name) => guarded(() => awaitSite(rollout, name)));
  const gate = startGate(timesOf(rollout), isOverLimit);
  const starter = async (): Promise<void> => {
    while (toStart.length > 0 && (await gate())) {
      const name = toStart.shift();
      if (name === undefined) return;
      if (await startSite(rollout, name)) waits.push(guarded(() => awaitSite(rollout, name)));
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, toStart.length) }, () => guarded(starter)));
  await Promise.all(waits);
  if (errors.length > 0) throw errors[0];
}

/** Returns whether the site was started. */
async function startSite(rollout: Rollout, name: string): Promise<boolean> {
  const { progress, sites, stop } = rollout;
  const { state, wave, attempts } = progress.site(name);
  if (state === 'pending')
    await progress.changeSite(name, {
      state: 'starting',
      startedAt: progress.now(),
      attempts: attempts + 1,
    });
  if (stop.aborted) return false;
  notify(rollout, { event: 'site-started', site: name, ...(wave !== undefined && { wave }) });
  const outcome = await sites.start(name, stop);
  if (outcome.ok) await progress.changeSite(name, { state: 'waiting', bootedAt: progress.now() });
  else if (outcome.isStopped !== true) await failSite(rollout, name, outcome.cause);
  return outcome.ok;
}

async function awaitSite(rollout: Rollout, name: string): Promise<void> {
  const { progress, sites, stop, plan, clock } = rollout;
  if (stop.aborted) return;
  const { startedAt, wave } = progress.site(name);
  const startedMs = startedAt === undefined ? clock.present().getTime() : Date.parse(startedAt);
  const leftMs = Math.max(0, startedMs + plan.siteTimeoutMs - clock.present().getTime());
  const outcome = await sites.wait(name, stop, leftMs, (text) => {
    progress.setStatus(name, text);
  });
  if (outcome.ok) {
    await progress.changeSite(name, { state: 'done', finishedAt: progress.now() });
    notify(rollout, { event: 'site-done', site: name, ...(wave !== undefined && { wave }) });
  } else if (outcome.isStopped !== true) await failSite(rollout, name, outcome.cause);
}

async function failSite(rollout: Rollout, name: string, cause: string): Promise<void> {
  const { progress } = rollout;
  await progress.changeSite(name, { state: 'failed', finishedAt: progress.now(), cause });
  const { wave } = progress.site(name);
  notify(rollout, { event: 'site-failed', site: name, cause, ...(wave !== undefined && { wave }) });
}

function notify({ onNotice, progress }: Rollout, notice: RolloutNotice): void {
  onNotice?.(notice, progress.state);
}

function timesOf(rollout: Rollout): StartTimes {
  const { plan, progress, clock, stop } = rollout;
  const onWaiting = (message: string): void => {
    notify(rollout, { event: 'rollout-waiting', message });
  };
  return { plan, progress, clock, stop, onWaiting };
}
