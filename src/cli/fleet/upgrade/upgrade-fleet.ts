import { apiAccess } from '../api-access.js';
import { runUpgrade, siteConnector } from '../../../fleet/upgrade/index.js';
import { withProblems, openRollout } from '../../../fleet/rollout/index.js';
import { whileLocked } from '../../../fleet/boot/index.js';
import { join } from 'node:path';
import { problemsOf, type Result } from '../../../core/result.js';
import { realClock } from '../../real-clock.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { onStopSignals, type StopSignals } from '../../stop-signals.js';
import { shownProblems } from '../print-fleet-problems.js';
import { printRollout, printRolloutPlan } from '../rollout/print-rollout.js';
import { showingRollout } from '../rollout/rollout-lines.js';
import { requestedWebhook } from '../webhook-options.js';
import { upgradeInputs, type UpgradeOptions, type UpgradeInputs } from './upgrade-inputs.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import { waitForSites } from '../../../remote/kubernetes/many/wait-for-sites.js';
import { upgradeReady } from '../../../remote/kubernetes/upgrade/upgrade-ready.js';
import { progressForm, stderrScreen } from '../../wait/progress-form.js';
import { fleetWaitProgress } from '../wait/fleet-wait-progress.js';
import { printFleetWait } from '../wait/print-fleet-wait.js';

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
  const { stop } = signals;
  const api = { ...apiAccess(options), stop };
  const { opened, target, jobs } = inputs.value;
  if (rollout === undefined) {
    const connect = siteConnector(join(options.dir, opened.fleet.outputs), api);
    await checkUpgrades(options, inputs.value, { connect, signals });
    return;
  }
  const outcome = await whileLocked({ dir: options.dir, outputs: rollout.outputs }, async () => {
    // Read again, because another run may have ended while this one waited for the lock.
    const reopened = openRollout(options, 'upgrade', opened, target.image);
    if (!reopened.ok) return reopened;
    return showingRollout(options, (onNotice) =>
      runUpgrade(reopened.value, {
        ...{ target, api, jobs, stop, clock: realClock, onNotice },
        sender: sender.value,
        shown: shownProblems(options),
        retriesFailed: options.retryFailed === true,
      }),
    );
  });
  signals.release();
  const lost = await sender.value.close();
  if (outcome.ok) printRollout(options, withProblems(outcome.value, [], lost), signals);
  else report(options, { problems: [...outcome.problems, ...lost] });
}

interface Checking {
  readonly connect: (site: string) => Promise<Result<ClusterClient>>;
  readonly signals: StopSignals;
}

/** Checks all selected clusters once and prints the results. Changes nothing. */
async function checkUpgrades(
  options: GlobalOptions,
  { opened, target, jobs }: UpgradeInputs,
  { connect, signals }: Checking,
): Promise<void> {
  const progress = fleetWaitProgress(progressForm(options), stderrScreen());
  let waitedMs = 0;
  const sites = await waitForSites(
    opened.rows.map(({ name }) => ({ name, goal: upgradeReady(target), connect: () => connect(name) })),
    {
      clock: realClock,
      timeoutMs: Infinity,
      jobs,
      stop: signals.stop,
      onProgress: (progressNow, nowMs) => {
        waitedMs = nowMs;
        progress.onProgress(progressNow, new Map(), nowMs);
      },
    },
  );
  progress.done();
  const code = printFleetWait(options, {
    waited: 'upgrade-ready',
    sites,
    nodes: new Map(),
    waitedMs,
    warnings: [],
  });
  process.exitCode = signals.stop.aborted ? signals.exitCode() : code;
}
