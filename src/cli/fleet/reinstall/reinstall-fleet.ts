import { apiAccess } from '../api-access.js';
import {
  checkReinstall,
  reinstallTable,
  renewKeys,
  openReinstallation,
  runReinstallation,
  sitesToReinstall,
  type ReinstallSettings,
  checkConfirmation,
  notConfirmed,
  type ConfirmedSites,
} from '../../../fleet/reinstall/index.js';
import { withProblems, type RolloutResult, type OpenedRollout } from '../../../fleet/rollout/index.js';
import { bootInputs, type BootInputs, whileLocked } from '../../../fleet/boot/index.js';
import { processSurroundings } from '../../surroundings.js';
import { isError } from '../../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../../core/result.js';
import { realClock } from '../../real-clock.js';
import type { EventSender } from '../../../remote/webhook/event-sender.js';
import type { GlobalOptions } from '../../options.js';
import { isData } from '../../output/data.js';
import { report } from '../../output/report.js';
import { showSiteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import { createShown } from '../create-fleet.js';
import { shownProblems } from '../print-fleet-problems.js';
import { printRollout } from '../rollout/print-rollout.js';
import { showingRollout } from '../rollout/rollout-lines.js';
import { requestedWebhook } from '../webhook-options.js';
import { asBootOptions, reinstallSettings, type ReinstallOptions } from './reinstall-options.js';
import { promptForValues } from '../../configs/prompts.js';

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
    printRollout(options, outcome.value, signals);
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
  const surroundings = processSurroundings();
  const access = {
    ...{ access: stateAccess(options), shown: shownProblems(options), surroundings },
    showProgress: showSiteProgress(options),
  };
  const inputs = await bootInputs(asBootOptions(options, patterns), 'boot', access);
  if (!inputs.ok) return inputs;
  const sender = requestedWebhook(options, process.env);
  const rollout = openReinstallation(settings.value.plan, inputs.value, { isAgain: options.again === true });
  if (!sender.ok || !rollout.ok) return failure(...[sender, rollout].flatMap(problemsOf));
  return success({
    settings: settings.value,
    inputs: inputs.value,
    rollout: rollout.value,
    sender: sender.value,
    toBoot: sitesToReinstall(rollout.value, { retriesFailed: options.retryFailed === true }),
  });
}

/** Undefined if only the checks were requested. */
async function reinstall(
  options: Options,
  { settings, inputs, rollout, sender, toBoot }: OpenedReinstall,
  signals: StopSignals,
): Promise<Result<RolloutResult | undefined>> {
  const shown = shownProblems(options);
  const { stop } = signals;
  const surroundings = processSurroundings();
  const allowed = inputs.fleet.rows.map(({ name }) => name);
  const checks = await checkReinstall(inputs, settings, { names: toBoot, stop, surroundings });
  const problems = shown(checks.problems, allowed.length);
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
    const renewed = await renewKeys(options, inputs.fleet, {
      ...{ names: toRenew, stop, surroundings, shown, access: stateAccess(options) },
      showProgress: showSiteProgress(options),
      create: (given) =>
        createShown({ ...options, only: toRenew, where: [] }, { ...given, surroundings, signals }),
    });
    if (!renewed.ok) return renewed;
    if (!isData(options)) process.stderr.write(`the earlier keys are kept in ${renewed.value}\n`);
  }
  const { tokens, allowOutdated } = options;
  const api = apiAccess(options);
  const outcome = await whileLocked(inputs, () =>
    showingRollout(options, (onNotice) =>
      runReinstallation(rollout, {
        ...{ inputs, settings, api, shown, surroundings, sender, stop, clock: realClock, onNotice },
        ...(tokens !== undefined && { tokens }),
        ...(allowOutdated && { allowOutdated }),
        retriesFailed: options.retryFailed === true,
      }),
    ),
  );
  const lost = await sender.close();
  return outcome.ok ? success(withProblems(outcome.value, [...problems, ...lost])) : outcome;
}

/** Checks `--confirm`, or asks on a terminal for the names. Problems: reinstall/not-confirmed. */
async function confirmReinstall(
  options: GlobalOptions & { readonly confirm?: string },
  sites: ConfirmedSites,
): Promise<Result<void>> {
  if (options.confirm !== undefined) return checkConfirmation(options.confirm, sites);
  const { answers } = await promptForValues<{ readonly confirm?: string }>(
    {},
    [
      {
        option: 'confirm',
        text: `This destroys the clusters. Type the names to go on (${sites.needed.join(',')})`,
        accept: (confirm) => {
          const checked = checkConfirmation(confirm, sites);
          return checked.ok ? success({ confirm }) : checked;
        },
      },
    ],
    options,
  );
  return answers.confirm === undefined
    ? notConfirmed('the reinstallation is not confirmed', sites.needed)
    : success(undefined);
}
