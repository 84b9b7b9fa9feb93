import { basename, join, resolve } from 'node:path';

import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { sinceBoot } from '../../remote/kubernetes/goals/since-boot.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import { bootRecordIn, bootRecordKeeper } from '../boot/boot-record-file.js';
import type { BootSettings } from '../boot/boot-settings.js';
import { mediumFaults } from '../boot/media-check.js';
import type { BootRollout } from '../rollout/boot-rollout.js';
import { driveRollout, type RolloutResult } from '../rollout/drive-rollout.js';
import { stateIn, type OpenedRollout } from '../rollout/open-rollout.js';
import { planWaves } from '../rollout/plan-waves.js';
import type { RolloutPlan } from '../rollout/rollout-file.js';
import { rolloutStateNames, type RolloutState } from '../rollout/rollout-state.js';
import { apiWait, checkKubeconfigs } from '../rollout/wait-operation.js';
import { selectableSite } from '../table/site-selection.js';
import type { KeysOption } from './check-media.js';
import { reinstallStart } from './reinstall-operation.js';

export interface ReinstallSettings {
  readonly keys: KeysOption;
  readonly plan: RolloutPlan;
  readonly boot: BootSettings;
}

/**
 * The waves with the state of a run that has not ended. A finished run does not count: the sites are named and confirmed again. With
 * `isAgain`, an unfinished run does not count either. Problems: rollout/state, usage/unreadable-file.
 */
export function openReinstallation(
  plan: RolloutPlan,
  { dir, fleet, outputs }: BootInputs,
  { isAgain }: { readonly isAgain: boolean },
): Result<OpenedRollout> {
  const state = stateIn(join(outputs, rolloutStateNames.reinstall), 'reinstall');
  if (!state.ok) return state;
  const isOpen = state.value !== undefined && state.value.state !== 'complete';
  const earlier = isOpen && !isAgain ? state.value : undefined;
  const sites = fleet.rows.map((row) => selectableSite(row, fleet.fleet));
  const waves = planWaves(sites, plan, earlier);
  return success({
    operation: 'reinstall',
    fleetName: basename(resolve(dir)),
    fleet,
    plan,
    waves,
    ...(earlier && { earlier }),
    outputs,
  });
}

/** The sites that this run boots. */
export function sitesToReinstall(
  { waves: { waves }, earlier }: OpenedRollout,
  { retriesFailed }: { readonly retriesFailed: boolean },
): readonly string[] {
  return waves.flatMap(({ sites }) => sites).filter((name) => isToBoot(earlier, name, retriesFailed));
}

function isToBoot(earlier: RolloutState | undefined, name: string, retriesFailed: boolean): boolean {
  const known = earlier?.sites.get(name);
  if (known === undefined || known.state === 'pending' || known.state === 'held') return true;
  if (known.state === 'failed') return retriesFailed && known.bootedAt === undefined;
  return known.state === 'starting';
}

export interface Reinstallation extends Omit<BootRollout, 'settings'> {
  readonly settings: ReinstallSettings;
}

/**
 * Boots the sites again and waits for their clusters. The caller holds the lock of the output folder. Problems: boot/record, those of the
 * kubeconfigs and of `driveRollout`.
 */
export async function runReinstallation(
  rollout: OpenedRollout,
  { inputs, settings, api, tokens, allowOutdated, shown, surroundings, ...run }: Reinstallation,
): Promise<Result<RolloutResult>> {
  const { dir } = inputs;
  const { present } = surroundings;
  const kubeconfigs = await checkKubeconfigs(rollout, { ...api, stop: run.stop }, shown);
  const record = bootRecordIn(inputs);
  if (!kubeconfigs.ok || !record.ok) return failure(...[kubeconfigs, record].flatMap(problemsOf));
  const { earlier } = rollout;
  const bootedAt = new Map(
    [...(earlier?.sites ?? [])].flatMap(([name, site]) =>
      site.bootedAt === undefined ? [] : [[name, new Date(site.bootedAt)] as const],
    ),
  );
  const { plan, boot } = settings;
  return driveRollout(rollout, {
    ...run,
    jobs: boot.jobs,
    sites: {
      start: reinstallStart({
        inputs,
        settings: boot,
        keeper: bootRecordKeeper(inputs, record.value),
        earlier,
        present,
        faultOfMedium: mediumFaults(
          { dir, surroundings, ...(allowOutdated && { allowOutdated }) },
          { usableMs: plan.siteTimeoutMs },
        ),
        onBooted: (name) => bootedAt.set(name, present()),
      }),
      wait: apiWait(rollout, {
        until: plan.until,
        api,
        dir,
        clock: run.clock,
        ...(tokens !== undefined && { tokens }),
        goalOf: (goal, name) => sinceBoot(goal, bootedAt.get(name) ?? present()),
      }),
    },
  });
}
