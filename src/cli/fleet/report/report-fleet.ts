import { problemsOf, success, type Result } from '../../../core/result.js';
import { bootInputs } from '../../../fleet/boot/index.js';
import { reportSites, type FleetReport, type ReportRequest } from '../../../fleet/report/index.js';
import type { LoadedFleet } from '../../../fleet/table/index.js';
import type { GlobalOptions } from '../../options.js';
import { report } from '../../output/report.js';
import { showSiteProgress, siteProgress } from '../../progress.js';
import { realClock } from '../../real-clock.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { processSurroundings } from '../../surroundings.js';
import { apiAccess } from '../api-access.js';
import { bootSettings } from '../boot/boot-options.js';
import type { FleetOptions } from '../fleet-options.js';
import { openFleetOf } from '../open-fleet.js';
import { shownProblems } from '../print-fleet-problems.js';
import { printFleetReport } from './print-report.js';

export interface FleetReportOptions extends FleetOptions {
  /** False without the BMCs. */
  readonly bmc: boolean;
  readonly credentialsCommand?: string;
  readonly allowCommands?: true;
  readonly jobs: string;
  readonly tokens?: string;
  readonly trustKubeconfig?: true;
}

type Options = GlobalOptions & FleetReportOptions;

/** Reports on the sites of a fleet that are not installed. Changes nothing. */
export async function reportFleet(options: Options): Promise<void> {
  const opened = openFleetOf(options);
  const bmcs = opened.ok ? await bmcsOf(options, opened.value) : opened;
  if (!opened.ok || !bmcs.ok) {
    report(options, { problems: [opened, bmcs].flatMap(problemsOf) });
    return;
  }
  const signals = onStopSignals();
  const sites = bmcs.value?.inputs.sites.length ?? 0;
  const screen = siteProgress(options, sites, process.stderr, 'checking BMCs');
  const found: Result<FleetReport> = await reportSites({
    dir: options.dir,
    fleet: opened.value,
    ...(options.tokens !== undefined && { tokens: options.tokens }),
    api: { ...apiAccess(options), stop: signals.stop },
    ...(bmcs.value && { bmcs: bmcs.value }),
    clock: realClock,
    onSite: screen.onSite,
  });
  screen.done();
  signals.release();
  if (found.ok) printFleetReport(options, found.value, problemsOf(opened));
  else report(options, { problems: found.problems });
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

/** The BMCs, unless the fleet has none. Problems: those of `bootInputs`. */
async function bmcsOf(options: Options, { fleet }: LoadedFleet): Promise<Result<ReportRequest['bmcs']>> {
  if (!options.bmc || fleet.boot === undefined) return success(undefined);
  const limits = bootSettings({ ...options, check: true, timeout: '20s', siteTimeout: '2m' });
  if (!limits.ok) return limits;
  const inputs = await bootInputs(options, 'check', {
    access: stateAccess(options),
    shown: shownProblems(options),
    surroundings: processSurroundings(),
    showProgress: showSiteProgress(options),
  });
  return inputs.ok
    ? success({ inputs: inputs.value, limits: limits.value, jobs: limits.value.jobs })
    : inputs;
}
