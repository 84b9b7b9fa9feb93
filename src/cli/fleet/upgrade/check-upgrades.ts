import type { Result } from '../../../core/result.js';
import type { ClusterClient } from '../../../remote/kubernetes/reader.js';
import { waitForSites } from '../../../remote/kubernetes/many/wait-for-sites.js';
import { upgradeReady } from '../../../remote/kubernetes/upgrade/upgrade-ready.js';
import type { GlobalOptions } from '../../options.js';
import type { StopSignals } from '../../stop-signals.js';
import { progressForm, stderrScreen } from '../../wait/progress-form.js';
import { realClock } from '../../real-clock.js';
import { fleetWaitProgress } from '../wait/fleet-wait-progress.js';
import { printFleetWait } from '../wait/print-fleet-wait.js';
import type { UpgradeInputs } from './upgrade-inputs.js';

interface Checking {
  readonly connect: (site: string) => Promise<Result<ClusterClient>>;
  readonly signals: StopSignals;
}

/** Checks all selected clusters once and prints the results. Changes nothing. */
export async function checkUpgrades(
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
