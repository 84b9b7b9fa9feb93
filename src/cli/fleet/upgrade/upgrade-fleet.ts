import { join } from 'node:path';

import type { Problem } from '../../../core/problem.js';
import { problemsOf, success, type Result } from '../../../core/result.js';
import { upgradeOperation } from './upgrade-operation.js';
import { GroupedProblems } from '../../../fleet/grouped-problems.js';
import { siteWaiter } from '../../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import type { EventSender } from '../../../remote/webhook/event-sender.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { stateAccess } from '../../request.js';
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import { realClock } from '../../wait/wait-clock.js';
import { whileLocked } from '../boot/boot-record-file.js';
import { fleetProblemsShown } from '../print-fleet-problems.js';
import { driveRollout, type RolloutResult } from '../rollout/drive-rollout.js';
import { openRollout } from '../rollout/open-rollout.js';
import { printRollout, printRolloutPlan } from '../rollout/print-rollout.js';
import { siteApi } from '../wait/site-api.js';
import { requestedWebhook } from '../webhook-options.js';
import { checkUpgrades } from './check-upgrades.js';
import { upgradeInputs, type UpgradeInputs, type UpgradeOptions } from './upgrade-inputs.js';

type Options = GlobalOptions & UpgradeOptions;

/** Upgrades the clusters of a fleet in the waves of the plan. Other modes only check or plan. */
export async function upgradeFleet(options: Options): Promise<void> {
  const inputs = await upgradeInputs(options);
  const sender = inputs.ok ? requestedWebhook(options, process.env) : inputs;
  if (!inputs.ok || !sender.ok) {
    report(options, { problems: problemsOf(sender) });
    return;
  }
  const { rollout } = inputs.value;
  if (options.dryRun === true && rollout !== undefined) {
    printRolloutPlan(options, rollout);
    return;
  }
  const signals = onStopSignals();
  if (rollout === undefined) {
    const connect = connector(options, inputs.value, signals.stop);
    await checkUpgrades(options, inputs.value, { connect, signals });
    return;
  }
  const given = { signals, sender: sender.value };
  const outcome = await whileLocked({ dir: options.dir, outputs: rollout.outputs }, () =>
    upgrade(options, inputs.value, given),
  );
  signals.release();
  const lost = await sender.value.close();
  if (!outcome.ok) {
    report(options, { problems: [...outcome.problems, ...lost] });
    return;
  }
  const { value: result } = outcome;
  const code = printRollout(options, { ...result, problems: [...result.problems, ...lost] });
  const isInterrupted = signals.stop.aborted && result.state.state === 'interrupted';
  process.exitCode = isInterrupted ? signals.exitCode() : code;
}

interface Given {
  readonly signals: StopSignals;
  readonly sender: EventSender;
}

/** Problems: those of `openRollout` and `driveRollout`. */
async function upgrade(
  options: Options,
  inputs: UpgradeInputs,
  { signals, sender }: Given,
): Promise<Result<RolloutResult>> {
  const { opened, target, jobs } = inputs;
  // Read again, because another run may have ended while this one waited for the lock.
  const rollout = openRollout(options, 'upgrade', opened, target.image);
  if (!rollout.ok) return rollout;
  const { stop } = signals;
  const found = new GroupedProblems();
  const largest = rollout.value.waves.waves.reduce((most, { sites }) => Math.max(most, sites.length), 1);
  const sites = upgradeOperation({
    target,
    connect: connector(options, inputs, stop),
    wait: siteWaiter({ clock: realClock, jobs, sites: largest }),
    onWarnings: (site, warnings) => {
      found.add(site, warnings);
    },
  });
  const outcome = await driveRollout(options, rollout.value, { sites, jobs, stop, sender });
  if (!outcome.ok) return outcome;
  const warnings: readonly Problem[] = fleetProblemsShown(options, found.list(), opened.rows.length);
  return success({ ...outcome.value, problems: [...warnings, ...outcome.value.problems] });
}

function connector(
  options: Options,
  { opened }: UpgradeInputs,
  stop: AbortSignal,
): (site: string) => Promise<Result<ClusterClient>> {
  const api = {
    access: stateAccess(options),
    isTrusted: options.trustKubeconfig === true,
    present: () => realClock.present(),
    stop,
  };
  return (site) => siteApi(join(options.dir, opened.fleet.outputs, site), api);
}
