import { apiAccess } from '../api-access.js';
import { withProblems, runBootRollout, openRollout } from '../../../fleet/rollout/index.js';
import { bootInputs, whileLocked, bootTargets } from '../../../fleet/boot/index.js';
import { processSurroundings } from '../../surroundings.js';
import { problemsOf } from '../../../core/result.js';
import { cachedInputs } from '../../../disk/read-inputs.js';
import { openFleetOf } from '../open-fleet.js';
import { realClock } from '../../real-clock.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { showSiteProgress } from '../../progress.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { bootSettings, type BootOptions } from '../boot/boot-options.js';
import { shownProblems } from '../print-fleet-problems.js';
import { requestedWebhook } from '../webhook-options.js';
import { printRollout, printRolloutPlan } from './print-rollout.js';
import { showingRollout } from './rollout-lines.js';
import type { RolloutBootOptions } from './rollout-options.js';

type Options = GlobalOptions & RolloutBootOptions;

/** Boots the sites of a fleet in waves, and waits for each wave. */
export async function rolloutFleet(options: Options): Promise<void> {
  const opened = openFleetOf(options);
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
  const shown = shownProblems(options);
  const surroundings = processSurroundings();
  const access = stateAccess(options);
  const inputs = await bootInputs(options, 'boot', {
    ...{ access, shown, surroundings },
    showProgress: showSiteProgress(options),
  });
  const sender = inputs.ok ? requestedWebhook(options, process.env) : inputs;
  if (!inputs.ok || !sender.ok) {
    report(options, { problems: problemsOf(sender) });
    return;
  }
  const signals = onStopSignals();
  const { tokens, allowOutdated } = options;
  const api = apiAccess(options);
  const outcome = await whileLocked(inputs.value, async () => {
    // Read again, because another run may have ended while this one waited for the lock.
    const rollout = openRollout(options, 'boot', plan.value.fleet);
    if (!rollout.ok) return rollout;
    return showingRollout(options, (onNotice) =>
      runBootRollout(rollout.value, {
        ...{ inputs: inputs.value, settings: settings.value, api, shown, surroundings },
        ...{ sender: sender.value, clock: realClock, onNotice },
        ...(tokens !== undefined && { tokens }),
        ...(allowOutdated && { allowOutdated }),
        stop: signals.stop,
        retriesFailed: options.retryFailed === true,
      }),
    );
  });
  signals.release();
  const lost = await sender.value.close();
  if (outcome.ok) printRollout(options, withProblems(outcome.value, [], lost), signals);
  else report(options, { problems: [...outcome.problems, ...lost] });
}

/** A boot in a rollout has the limit of `fleet boot`; the plan limits the whole installation. */
function asBootOptions(options: Options): GlobalOptions & BootOptions {
  return { ...options, siteTimeout: '15m' };
}
