import { apiAccess } from '../api-access.js';
import { tokensPath } from '../../../fleet/serving/index.js';
import { nodeReportTexts, siteApi } from '../../../fleet/wait/index.js';
import { filesOf } from '../../../fleet/table/index.js';
import { join } from 'node:path';

import { type SiteProgress, waitForSites } from '../../../remote/kubernetes/many/wait-for-sites.js';
import type { GlobalOptions } from '../../options.js';
import type { WaitCondition } from '../../../remote/kubernetes/goals/wait-goal.js';
import { report } from '../../output/report.js';
import { onStopSignals } from '../../stop-signals.js';
import { realClock } from '../../real-clock.js';
import { waitGoal } from '../../../remote/kubernetes/goals/wait-goal.js';
import { problemsOf } from '../../../core/result.js';
import { requireInside } from '../../../disk/record-file.js';
import { openFleetOf } from '../open-fleet.js';
import { elapsedText } from '../../../formats/elapsed.js';
import { apiStatesFileName } from '../../../serve/api-states/api-state.js';
import { type PolledSite, apiStateWriter } from '../../../serve/api-states/api-state-writer.js';
import { reportsPath } from '../../../serve/reports/site-reports.js';
import { count } from '../../../run/problem-text.js';
import { printFleetWait } from './print-fleet-wait.js';
import { type FleetWaitOptions, fleetWaitLimits } from './fleet-wait-options.js';
import { progressForm, stderrScreen } from '../../wait/progress-form.js';
import { fleetWaitProgress } from './fleet-wait-progress.js';

type Options = GlobalOptions & FleetWaitOptions;

/** Waits for the sites of a fleet, prints the progress and finally the state of each site. Does not change outputs. */
export async function waitForFleet(waited: WaitCondition, options: Options): Promise<void> {
  const limits = fleetWaitLimits(options);
  const opened = limits.ok ? openFleetOf(options) : limits;
  if (!limits.ok || !opened.ok) {
    report(options, { problems: problemsOf(opened) });
    return;
  }
  const { rows, fleet } = opened.value;
  const outputs = join(options.dir, fleet.outputs);
  const inside = requireInside(outputs, options.dir);
  if (!inside.ok) {
    report(options, { problems: inside.problems });
    return;
  }
  const sites = rows.map((row) => ({ row, name: row.name, dir: join(outputs, row.name) }));
  const words = nodeReportTexts(reportsPath(tokensPath(options, opened.value)), sites);
  const screen = stderrScreen();
  const form = progressForm(options);
  const { timeoutMs, jobs } = limits.value;
  if (form === 'line' || form === 'lines')
    screen.write(`waiting up to ${elapsedText(timeoutMs)} for ${waited} of ${count(sites.length, 'site')}\n`);
  const progress = fleetWaitProgress(form, screen);
  const signals = onStopSignals();
  const api = { ...apiAccess(options), stop: signals.stop };
  const kept = apiStateWriter(join(outputs, apiStatesFileName), waited);
  let waitedMs = 0;
  const finished = await waitForSites(
    sites.map(({ row, name, dir }) => ({
      name,
      goal: waitGoal(waited, () => filesOf(opened.value, row).inputs),
      connect: () => siteApi(dir, api),
    })),
    {
      clock: realClock,
      timeoutMs,
      jobs,
      stop: signals.stop,
      onProgress: (progressNow, nowMs) => {
        waitedMs = nowMs;
        kept.put(progressNow.map(polledSite), nowMs);
        progress.onProgress(progressNow, words(), nowMs);
      },
    },
  );
  progress.done();
  signals.release();
  const warnings = [...problemsOf(opened), ...kept.close(finished.map(polledSite))];
  const end = { waited, sites: finished, nodes: words(), waitedMs, warnings };
  const code = printFleetWait(options, end);
  process.exitCode = signals.stop.aborted ? signals.exitCode() : code;
}

/** Converts the state of a site for the API state file. */
function polledSite({ name, word, receivedAt, outcome }: SiteProgress): PolledSite {
  const seen = { name, ...(receivedAt && { receivedAt }) };
  if (outcome?.kind === 'reached') {
    const { version } = outcome.facts;
    return { ...seen, state: 'reached', ...(version !== undefined && { said: version }) };
  }
  const said = outcome?.kind === 'failed' ? outcome.problems[0]?.message : word;
  const state = outcome?.kind === 'failed' ? 'not-reached' : 'waiting';
  return { ...seen, state, ...(said !== undefined && { said }) };
}
