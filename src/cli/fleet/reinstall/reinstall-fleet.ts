import { join } from 'node:path';

import { isError, type Problem } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { planWaves } from '../../../fleet/rollout/plan-waves.js';
import { rolloutStateNames, type RolloutState } from '../../../fleet/rollout/rollout-state.js';
import { selectableSite } from '../../../fleet/site-selection.js';
import { sinceBoot } from '../../../remote/kubernetes/goals/since-boot.js';
import type { EventSender } from '../../../remote/webhook/event-sender.js';
import type { GlobalOptions } from '../../options.js';
import { isData } from '../../output/data.js';
import { report } from '../../output/report.js';
import { stateAccess } from '../../request.js';
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import { realClock } from '../../wait/wait-clock.js';
import { bootInputs, type BootInputs } from '../boot/boot-inputs.js';
import { bootRecordIn, bootRecordKeeper, whileLocked } from '../boot/boot-record-file.js';
import { mediumFaults } from '../boot/media-check.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { driveRollout, type RolloutResult } from '../rollout/drive-rollout.js';
import { stateIn, type OpenedRollout } from '../rollout/open-rollout.js';
import { printRollout } from '../rollout/print-rollout.js';
import { apiWait, checkKubeconfigs } from '../rollout/wait-operation.js';
import { requestedWebhook } from '../webhook-options.js';
import { checkReinstall, reinstallTable } from './check-sites.js';
import { confirmReinstall } from './confirm.js';
import {
  asBootOptions,
  reinstallSettings,
  type ReinstallOptions,
  type ReinstallSettings,
} from './reinstall-options.js';
import { reinstallStart } from './reinstall-operation.js';
import { renewKeys } from './renew-keys.js';

type Options = GlobalOptions & ReinstallOptions;

/** Installs sites again. Nothing is touched before all checks have passed and the sites are confirmed by name. */
export async function reinstallFleet(patterns: readonly string[], options: Options): Promise<void> {
  const signals = onStopSignals();
  try {
    const given = await openReinstall(patterns, options);
    const outcome = given.ok ? await reinstall(options, given.value, signals) : given;
    if (!outcome.ok) {
      report(options, { problems: outcome.problems });
      if (signals.stop.aborted) process.exitCode = signals.exitCode();
      return;
    }
    if (outcome.value === undefined) return;
    const code = printRollout(options, outcome.value);
    const isInterrupted = signals.stop.aborted && outcome.value.state.state === 'interrupted';
    process.exitCode = isInterrupted ? signals.exitCode() : code;
  } finally {
    signals.release();
  }
}

interface OpenedReinstall {
  readonly settings: ReinstallSettings;
  readonly inputs: BootInputs;
  readonly rollout: OpenedRollout;
  readonly sender: EventSender;
  /** Sites that will be booted. */
  readonly toBoot: readonly string[];
}

/** Problems: those of the options, of `bootInputs` and of the state, fleet/no-site. */
async function openReinstall(
  patterns: readonly string[],
  options: Options,
): Promise<Result<OpenedReinstall>> {
  const settings = reinstallSettings(options);
  if (!settings.ok) return settings;
  const inputs = await bootInputs(asBootOptions(options, patterns), 'boot');
  if (!inputs.ok) return inputs;
  const { outputs } = inputs.value;
  const sender = requestedWebhook(options, process.env);
  const rollout = openState(options, { ...settings.value, inputs: inputs.value });
  if (!sender.ok || !rollout.ok) return failure(...[sender, rollout].flatMap(problemsOf));
  const toBoot = rollout.value.waves.waves
    .flatMap(({ sites }) => sites)
    .filter((name) => isToBoot(rollout.value.earlier, name, options));
  return success({
    settings: settings.value,
    inputs: { ...inputs.value, outputs },
    rollout: rollout.value,
    sender: sender.value,
    toBoot,
  });
}

/** The waves with the state of a run that has not ended. A finished run does not count: the sites are named and confirmed again. */
function openState(
  options: Options,
  { plan, inputs: { fleet, outputs } }: Pick<ReinstallSettings, 'plan'> & { readonly inputs: BootInputs },
): Result<OpenedRollout> {
  const state = stateIn(join(outputs, rolloutStateNames.reinstall), 'reinstall');
  if (!state.ok) return state;
  const isOpen = state.value !== undefined && state.value.state !== 'complete';
  const earlier = isOpen && options.again !== true ? state.value : undefined;
  const sites = fleet.rows.map((row) => selectableSite(row, fleet.fleet));
  const waves = planWaves(sites, plan, earlier);
  return success({
    operation: 'reinstall',
    fleet,
    plan,
    waves,
    ...(earlier && { earlier }),
    outputs,
  });
}

function isToBoot(
  earlier: RolloutState | undefined,
  name: string,
  { retryFailed }: Pick<Options, 'retryFailed'>,
): boolean {
  const known = earlier?.sites.get(name);
  if (known === undefined || known.state === 'pending' || known.state === 'held') return true;
  if (known.state === 'failed') return retryFailed === true && known.bootedAt === undefined;
  return known.state === 'starting';
}

/** Undefined if only the checks were requested. */
async function reinstall(
  options: Options,
  opened: OpenedReinstall,
  signals: StopSignals,
): Promise<Result<RolloutResult | undefined>> {
  const { settings, inputs, rollout, sender, toBoot } = opened;
  const allowed = inputs.fleet.rows.map(({ name }) => name);
  const checks = await checkReinstall(options, inputs, settings, { names: toBoot, stop: signals.stop });
  const problems = fleetProblemsShown(options, checks.problems, allowed.length);
  if (checks.problems.some(({ problem: each }) => isError(each))) return failure(...problems);
  const table = reinstallTable(checks.sites, settings);
  if (options.check === true) {
    const sites = checks.sites.map(({ name, bmc, disk }) => ({ name, bmc, kept: disk.kept }));
    report(options, { problems, text: table, json: { keys: settings.keys, sites } });
    return success(undefined);
  }
  if (toBoot.length > 0) {
    if (!isData(options)) process.stderr.write(table);
    const confirmed = await confirmReinstall(options, { needed: toBoot, allowed });
    if (!confirmed.ok) return failure(...problems, ...confirmed.problems);
  }
  const startedSites = new Set(rollout.earlier?.sites.keys());
  const toRenew = settings.keys === 'renew' ? toBoot.filter((name) => !startedSites.has(name)) : [];
  if (toRenew.length > 0) {
    const renewed = await renewKeys(options, inputs.fleet, { names: toRenew, signals });
    if (!renewed.ok) return renewed;
    if (!isData(options)) process.stderr.write(`the earlier keys are kept in ${renewed.value}\n`);
  }
  const outcome = await whileLocked(inputs, () => drive(options, opened, signals));
  const lost = await sender.close();
  return outcome.ok ? success(withProblems(outcome.value, [...problems, ...lost])) : outcome;
}

function withProblems(result: RolloutResult, more: readonly Problem[]): RolloutResult {
  return { ...result, problems: [...more, ...result.problems] };
}

/** Problems: boot/record, those of the kubeconfigs and of `driveRollout`. */
async function drive(
  options: Options,
  { settings, inputs, rollout, sender }: OpenedReinstall,
  { stop }: StopSignals,
): Promise<Result<RolloutResult>> {
  const api = {
    access: stateAccess(options),
    isTrusted: options.trustKubeconfig === true,
    present: () => realClock.present(),
  };
  const kubeconfigs = await checkKubeconfigs(asBootOptions(options, []), rollout, { ...api, stop });
  const record = bootRecordIn(inputs);
  if (!kubeconfigs.ok || !record.ok) return failure(...[kubeconfigs, record].flatMap(problemsOf));
  const { earlier } = rollout;
  const bootedAt = new Map(
    [...(earlier?.sites ?? [])].flatMap(([name, site]) =>
      site.bootedAt === undefined ? [] : [[name, new Date(site.bootedAt)] as const],
    ),
  );
  const start = reinstallStart({
    inputs,
    settings: settings.boot,
    keeper: bootRecordKeeper(inputs, record.value),
    earlier,
    faultOfMedium: mediumFaults(options, { usableMs: settings.plan.siteTimeoutMs }),
    onBooted: (name) => bootedAt.set(name, new Date()),
  });
  const wait = apiWait(rollout, {
    until: settings.plan.until,
    api,
    dir: options.dir,
    clock: realClock,
    ...(options.tokens !== undefined && { tokens: options.tokens }),
    goalOf: (goal, name) => sinceBoot(goal, bootedAt.get(name) ?? new Date()),
  });
  const sites = { start, wait };
  return driveRollout({ ...options, only: [], where: [] }, rollout, {
    sites,
    jobs: settings.boot.jobs,
    stop,
    sender,
  });
}
