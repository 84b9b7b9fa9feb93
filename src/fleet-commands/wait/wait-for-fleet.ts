import { isAbsolute, join } from 'node:path';

import type { GlobalOptions, Waited } from '../../command-line/options.js';
import { report, shows } from '../../command-line/output/report.js';
import { accessOf } from '../../command-line/request.js';
import { onStopSignals } from '../../command-line/stop-signals.js';
import { realClock } from '../../command-line/wait/wait-clock.js';
import { waitGoals } from '../../command-line/wait/wait-goals.js';
import { problemsOf } from '../../core/result.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { waitForSites } from '../../cluster/many/wait-for-sites.js';
import { elapsedText } from '../../formats/elapsed.js';
import { apiWordsName } from '../../serving/api-words/api-word.js';
import { apiWordKeeper } from '../../serving/api-words/keep-api-words.js';
import { reportsPath } from '../../serving/reports/site-reports.js';
import { servingStateName } from '../../serving/tokens/serving-state.js';
import { count } from '../../telling/problem-text.js';
import { openedFleet } from '../../fleet-command-line/fleet-request.js';
import { tellFleetWait } from './fleet-wait-ending.js';
import { fleetWaitLimits, type FleetWaitOptions } from './fleet-wait-options.js';
import { fleetWaitProgress, type FleetProgressForm } from './fleet-wait-progress.js';
import { nodeWords } from './node-words.js';
import { heardSite } from './heard-site.js';
import { siteApi } from './site-api.js';

type Options = GlobalOptions & FleetWaitOptions;

/** Waits for the sites of a fleet to get somewhere, tells how they go on, and ends with where each is. It changes no output. */
export async function waitForFleet(waited: Waited, options: Options): Promise<void> {
  const limits = fleetWaitLimits(options);
  const opened = limits.ok ? openedFleet(options) : limits;
  if (!limits.ok || !opened.ok) {
    report(options, { problems: problemsOf(opened) });
    return;
  }
  const { rows, fleet } = opened.value;
  const outputs = join(options.dir, fleet.outputs);
  const sites = rows.map(({ name }) => ({ name, dir: join(outputs, name) }));
  const words = nodeWords(reportsPath(tokensPath(options, opened.value)), sites);
  const screen = {
    write: (text: string) => process.stderr.write(text),
    columns: process.stderr.columns,
  };
  const form = progressForm(options);
  const { timeoutMs, jobs } = limits.value;
  if (form === 'line' || form === 'lines')
    screen.write(
      `waiting for ${waited} of ${count(sites.length, 'site')}, ${elapsedText(timeoutMs)} at most\n`,
    );
  const progress = fleetWaitProgress(form, screen);
  const signals = onStopSignals();
  const api = {
    access: accessOf(options),
    isTrusted: options.trustKubeconfig === true,
    present: () => realClock.present(),
    stop: signals.stop,
  };
  const kept = apiWordKeeper(join(outputs, apiWordsName), waited);
  let waitedMs = 0;
  const ended = await waitForSites(
    sites.map(({ name, dir }) => ({ name, connect: () => siteApi(dir, api) })),
    {
      goal: waitGoals[waited],
      clock: realClock,
      timeoutMs,
      jobs,
      stop: signals.stop,
      onStanding: (standing, nowMs) => {
        waitedMs = nowMs;
        kept.put(standing.map(heardSite), nowMs);
        progress.onStanding(standing, words(), nowMs);
      },
    },
  );
  progress.done();
  signals.release();
  const warnings = [...problemsOf(opened), ...kept.close(ended.map(heardSite))];
  const end = { waited, sites: ended, nodes: words(), waitedMs, warnings };
  const code = tellFleetWait(options, end);
  process.exitCode = signals.stop.aborted ? signals.exitCode() : code;
}

function tokensPath({ dir, tokens }: Options, { fleet }: ReadFleet): string {
  if (tokens !== undefined) return tokens;
  const told = fleet.serve.tokens ?? servingStateName;
  return isAbsolute(told) ? told : join(dir, told);
}

function progressForm(options: GlobalOptions): FleetProgressForm {
  if (!shows(options, 'info')) return 'silent';
  if (options.output === 'json') return 'json-lines';
  return process.stderr.isTTY ? 'line' : 'lines';
}
