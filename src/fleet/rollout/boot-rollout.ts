import { isError } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { Surroundings } from '../../run/effects/surroundings.js';
import type { BootInputs } from '../boot/boot-inputs.js';
import { changedHardware, recordOfMachine } from '../boot/boot-record.js';
import { bootRecordIn, bootRecordKeeper } from '../boot/boot-record-file.js';
import type { BootSettings } from '../boot/boot-settings.js';
import type { BootSite } from '../boot/boot-targets.js';
import { changedHardwareProblems, otherBootProblems } from '../boot/machine-problems.js';
import { mediaProblems, mediumFaults } from '../boot/media-check.js';
import type { ShownProblems } from '../problems/grouped-problems.js';
import type { ApiAccess } from '../wait/site-api.js';
import { bootStart } from './boot-operation.js';
import { withProblems, driveRollout, type RolloutResult, type RolloutRun } from './drive-rollout.js';
import type { OpenedRollout } from './open-rollout.js';
import { apiWait, checkKubeconfigs } from './wait-operation.js';

export interface BootRollout extends Pick<
  RolloutRun,
  'stop' | 'clock' | 'sender' | 'retriesFailed' | 'onNotice'
> {
  readonly inputs: BootInputs;
  readonly settings: BootSettings;
  readonly api: Omit<ApiAccess, 'stop'>;
  /** The token file of `serve`. */
  readonly tokens?: string;
  readonly allowOutdated?: true;
  readonly shown: ShownProblems;
  readonly surroundings: Surroundings;
}

/**
 * Boots the sites of a rollout in waves, and waits for each wave. The caller holds the lock of the output folder. Problems: boot/record,
 * boot/other-site, boot/changed-hardware, boot/outdated, fleet/not-made, those of `driveRollout`.
 */
export async function runBootRollout(
  rollout: OpenedRollout,
  { inputs, settings, api, tokens, allowOutdated, shown, surroundings, ...run }: BootRollout,
): Promise<Result<RolloutResult>> {
  const { stop, clock, retriesFailed } = run;
  const { present } = surroundings;
  const { dir, hardwareOf } = inputs;
  const kubeconfigs = await checkKubeconfigs(rollout, { ...api, stop }, shown);
  const record = kubeconfigs.ok ? bootRecordIn(inputs) : kubeconfigs;
  if (!record.ok) return failure(...problemsOf(record));
  const { until, siteTimeoutMs } = rollout.plan;
  const faultOfMedium = mediumFaults(
    { dir, surroundings, ...(allowOutdated && { allowOutdated }) },
    { usableMs: siteTimeoutMs },
  );
  const isRetried = retriedSites(rollout, retriesFailed);
  const toStart = sitesToStart(rollout, inputs, isRetried);
  const checked = [
    ...otherBootProblems(toStart, record.value, hardwareOf),
    ...changedHardwareProblems(
      toStart.filter(({ name }) => !isRetried(name)),
      record.value,
      hardwareOf,
    ),
    ...mediaProblems(
      toStart.filter(({ name, address }) => recordOfMachine(record.value.get(name), address) === undefined),
      faultOfMedium,
    ),
  ];
  if (checked.some(isError)) return failure(...checked);
  const keeper = bootRecordKeeper(inputs, record.value);
  const outcome = await driveRollout(rollout, {
    ...run,
    jobs: settings.jobs,
    isReplaced: (name) => {
      const known = record.value.get(name);
      return known !== undefined && changedHardware(known, hardwareOf(name)) !== undefined;
    },
    sites: {
      start: bootStart({ inputs, settings, keeper, present, faultOfMedium, isRetried }),
      wait: apiWait(rollout, { until, api, dir, clock, ...(tokens !== undefined && { tokens }) }),
    },
  });
  return outcome.ok ? success(withProblems(outcome.value, checked)) : outcome;
}

/** Whether this run starts a site again: it failed, or the run that was to start its new machine was stopped before. */
function retriedSites({ earlier }: OpenedRollout, retriesFailed: boolean): (site: string) => boolean {
  return (name) => {
    const known = earlier?.sites.get(name);
    if (known === undefined || known.attempts === 0) return false;
    if (known.state === 'failed') return retriesFailed;
    return (known.state === 'pending' || known.state === 'starting') && known.bootedAt === undefined;
  };
}

/** The sites that this run may start. */
function sitesToStart(
  { waves: { waves }, earlier }: OpenedRollout,
  { sites }: BootInputs,
  isRetried: (site: string) => boolean,
): readonly BootSite[] {
  const names = new Set(waves.flatMap((wave) => wave.sites));
  return sites.filter(({ name }) => {
    const state = earlier?.sites.get(name)?.state;
    const isOpen = state === undefined || state === 'pending' || state === 'held' || state === 'starting';
    return names.has(name) && (isOpen || isRetried(name));
  });
}
