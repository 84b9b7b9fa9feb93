import { isError, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { cachedInputs } from '../../../disk/read-inputs.js';
import { changedHardware, recordOfMachine } from '../../../fleet/boot/boot-record.js';
import { bootTargets, type BootSite } from '../../../fleet/boot/boot-targets.js';
import { changedHardwareProblems, otherBootProblems } from '../../../fleet/boot/machine-problems.js';
import type { EventSender } from '../../../remote/webhook/event-sender.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { realClock } from '../../wait/wait-clock.js';
import { bootInputs, type BootInputs } from '../boot/boot-inputs.js';
import { bootSettings, type BootOptions, type BootSettings } from '../boot/boot-options.js';
import { bootRecordIn, bootRecordKeeper, whileLocked } from '../boot/boot-record-file.js';
import { mediaProblems, mediumFaults } from '../boot/media-check.js';
import { openRequestedFleet } from '../fleet-request.js';
import { requestedWebhook } from '../webhook-options.js';
import { bootStart } from './boot-operation.js';
import { driveRollout } from './drive-rollout.js';
import { openRollout, type OpenedRollout } from './open-rollout.js';
import { printRollout, printRolloutPlan } from './print-rollout.js';
import type { RolloutBootOptions } from './rollout-options.js';
import { apiWait, checkKubeconfigs } from './wait-operation.js';

type Options = GlobalOptions & RolloutBootOptions;

/** Boots the sites of a fleet in waves, and waits for each wave. */
export async function rolloutFleet(options: Options): Promise<void> {
  const opened = openRequestedFleet(options);
  const plan = opened.ok ? openRollout(options, 'boot', opened.value) : opened;
  if (options.dryRun === true && opened.ok && plan.ok) {
    const targets = bootTargets(opened.value, cachedInputs(options.dir, {}));
    if (targets.ok) printRolloutPlan(options, plan.value);
    else report(options, { problems: targets.problems });
    return;
  }
  const settings = bootSettings(asBootOptions(options));
  if (!plan.ok || !settings.ok) {
    report(options, { problems: [plan, settings].flatMap(problemsOf) });
    return;
  }
  const inputs = await bootInputs(asBootOptions(options), 'boot');
  const sender = inputs.ok ? requestedWebhook(options, process.env) : inputs;
  if (!inputs.ok || !sender.ok) {
    report(options, { problems: problemsOf(sender) });
    return;
  }
  const given = { plan: plan.value, settings: settings.value, inputs: inputs.value, sender: sender.value };
  const outcome = await rollOut(options, given);
  const lost = await sender.value.close();
  if (!outcome.ok) report(options, { problems: [...outcome.problems, ...lost] });
  else outcome.value.print(lost);
}

/** A boot in a rollout has the limit of `fleet boot`; the plan limits the whole installation. */
function asBootOptions(options: Options): GlobalOptions & BootOptions {
  return { ...options, siteTimeout: '15m' };
}

interface Given {
  readonly plan: OpenedRollout;
  readonly settings: BootSettings;
  readonly inputs: BootInputs;
  readonly sender: EventSender;
}

/** Problems: dir/locked, dir/not-writable, boot/record, fleet/not-made. */
async function rollOut(
  options: Options,
  { plan: planned, settings, inputs, sender }: Given,
): Promise<Result<{ readonly print: (lost: readonly Problem[]) => void }>> {
  const signals = onStopSignals();
  const { stop } = signals;
  const { dir, tokens, trustKubeconfig } = options;
  const api = {
    access: stateAccess(options),
    isTrusted: trustKubeconfig === true,
    present: () => realClock.present(),
  };
  return whileLocked(inputs, async () => {
    // Read again, because another run may have ended while this one waited for the lock.
    const opened = openRollout(options, 'boot', planned.fleet);
    if (!opened.ok) return opened;
    const plan = opened.value;
    const kubeconfigs = await checkKubeconfigs(options, plan, { ...api, stop });
    if (!kubeconfigs.ok) return kubeconfigs;
    const record = bootRecordIn(inputs);
    if (!record.ok) return record;
    const keeper = bootRecordKeeper(inputs, record.value);
    const { until, siteTimeoutMs } = plan.plan;
    const faultOfMedium = mediumFaults(options, { usableMs: siteTimeoutMs });
    const isRetried = retriedSites(plan, options.retryFailed === true);
    const toStart = sitesToStart(plan, inputs, isRetried);
    const checked = [
      ...otherBootProblems(toStart, record.value, inputs.hardwareOf),
      ...changedHardwareProblems(
        toStart.filter(({ name }) => !isRetried(name)),
        record.value,
        inputs.hardwareOf,
      ),
      ...mediaProblems(
        toStart.filter(({ name, address }) => recordOfMachine(record.value.get(name), address) === undefined),
        faultOfMedium,
      ),
    ];
    if (checked.some(isError)) return failure(...checked);
    const isReplaced = (name: string): boolean => {
      const known = record.value.get(name);
      return known !== undefined && changedHardware(known, inputs.hardwareOf(name)) !== undefined;
    };
    const sites = {
      start: bootStart({ inputs, settings, keeper, faultOfMedium, isRetried }),
      wait: apiWait(plan, { until, api, dir, clock: realClock, ...(tokens !== undefined && { tokens }) }),
    };
    const outcome = await driveRollout(options, plan, {
      sites,
      jobs: settings.jobs,
      stop,
      sender,
      isReplaced,
    });
    signals.release();
    if (!outcome.ok) return outcome;
    const { value: result } = outcome;
    const print = (lost: readonly Problem[]): void => {
      const problems = [...checked, ...result.problems, ...lost];
      const code = printRollout(options, { ...result, problems });
      process.exitCode = stop.aborted && result.state.state === 'interrupted' ? signals.exitCode() : code;
    };
    return success({ print });
  });
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
