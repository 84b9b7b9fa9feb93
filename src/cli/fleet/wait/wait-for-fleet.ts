import { isAbsolute, join } from 'node:path';

import { connect } from '../../../remote/kubernetes/kubernetes-client.js';
import { type SiteProgress, waitForSites } from '../../../remote/kubernetes/many/wait-for-sites.js';
import type { ClusterReader } from '../../../remote/kubernetes/reader.js';
import type { GlobalOptions, WaitCondition } from '../../options.js';
import { report, isLogged } from '../../output/report.js';
import { stateAccess } from '../../request.js';
import { onStopSignals } from '../../stop-signals.js';
import { realClock } from '../../wait/wait-clock.js';
import { waitGoal } from '../../wait/wait-goals.js';
import { problem } from '../../../core/problem.js';
import { type Result, failure, problemsOf, success } from '../../../core/result.js';
import { fileSize } from '../../../disk/file-size.js';
import { requireInside } from '../../../disk/record-file.js';
import { readBelow } from '../../../disk/regular-file.js';
import { openFile } from '../../../disk/state/open-state.js';
import { sealedName } from '../../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../../disk/state/state-access.js';
import { openRequestedFleet } from '../fleet-request.js';
import type { LoadedFleet } from '../../../fleet/check-fleet.js';
import { filesOf } from '../../../fleet/check-site-files.js';
import { elapsedText } from '../../../formats/elapsed.js';
import { apiStatesFileName } from '../../../serve/api-states/api-state.js';
import { type PolledSite, apiStateWriter } from '../../../serve/api-states/api-state-writer.js';
import { reportsPath } from '../../../serve/reports/site-reports.js';
import { servingStateName } from '../../../serve/tokens/serving-state.js';
import { count } from '../../../run/problem-text.js';
import { printFleetWait } from './print-fleet-wait.js';
import { type FleetWaitOptions, fleetWaitLimits } from './fleet-wait-options.js';
import { type FleetProgressForm, fleetWaitProgress } from './fleet-wait-progress.js';
import { nodeReportTexts } from './node-report-texts.js';
import { isData } from '../../output/data.js';

type Options = GlobalOptions & FleetWaitOptions;

/** Waits for the sites of a fleet, prints the progress and finally the state of each site. Does not change outputs. */
export async function waitForFleet(waited: WaitCondition, options: Options): Promise<void> {
  const limits = fleetWaitLimits(options);
  const opened = limits.ok ? openRequestedFleet(options) : limits;
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
  const screen = {
    write: (text: string) => process.stderr.write(text),
    columns: process.stderr.columns,
  };
  const form = progressForm(options);
  const { timeoutMs, jobs } = limits.value;
  if (form === 'line' || form === 'lines')
    screen.write(`waiting up to ${elapsedText(timeoutMs)} for ${waited} of ${count(sites.length, 'site')}\n`);
  const progress = fleetWaitProgress(form, screen);
  const signals = onStopSignals();
  const api = {
    access: stateAccess(options),
    isTrusted: options.trustKubeconfig === true,
    present: () => realClock.present(),
    stop: signals.stop,
  };
  const kept = apiStateWriter(join(outputs, apiStatesFileName), waited);
  let waitedMs = 0;
  const ended = await waitForSites(
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
  const code = printFleetWait(options, end);
  process.exitCode = signals.stop.aborted ? signals.exitCode() : code;
}

function tokensPath({ dir, tokens }: Options, { fleet }: LoadedFleet): string {
  if (tokens !== undefined) return tokens;
  const told = fleet.serve.tokens ?? servingStateName;
  return isAbsolute(told) ? told : join(dir, told);
}

function progressForm(options: GlobalOptions): FleetProgressForm {
  if (!isLogged(options, 'info')) return 'silent';
  if (isData(options)) return 'json-lines';
  return process.stderr.isTTY ? 'line' : 'lines';
}

/** Converts the state of a site for the API state file. */
function heardSite({ name, word, heardAt, ending }: SiteProgress): PolledSite {
  const heard = { name, ...(heardAt && { heardAt }) };
  if (ending?.kind === 'reached') {
    const { version } = ending.facts;
    return { ...heard, state: 'reached', ...(version !== undefined && { said: version }) };
  }
  const said = ending?.kind === 'failed' ? ending.problems[0]?.message : word;
  const state = ending?.kind === 'failed' ? 'not-reached' : 'waiting';
  return { ...heard, state, ...(said !== undefined && { said }) };
}

interface ApiAccess {
  /** Opens encrypted kubeconfigs. */
  readonly access: StateAccess;
  /** Whether to follow kubeconfig settings that run programs or skip TLS verification. */
  readonly isTrusted: boolean;
  readonly present: () => Date;
  readonly stop: AbortSignal;
}

const own = 'auth/kubeconfig';

/**
 * Connects to the API of a site with the kubeconfig in its outputs. Messages omit the address and the kubeconfig path, so that
 * sites with the same cause get the same message. Problems: fleet/not-made, fleet/output-unreadable, those of decryption and of
 * kubeconfigs.
 */
async function siteApi(
  dir: string,
  { access, isTrusted, present, stop }: ApiAccess,
): Promise<Result<ClusterReader>> {
  const name = [own, sealedName(own)].find((each) => fileSize(join(dir, each)) !== undefined);
  if (name === undefined) {
    const hint = 'run `sno-install fleet create` first, or select other sites with --only';
    return failure(problem('fleet/not-made', `${own} is missing in the outputs`, { hint }));
  }
  const path = join(dir, name);
  const read = readBelow(dir, name);
  if (read.kind !== 'file') {
    const reason = read.kind === 'absent' ? 'it does not exist' : read.reason;
    return failure(problem('fleet/output-unreadable', `${name} cannot be read: ${reason}`));
  }
  const opened = await openFile(read.bytes, name, access);
  if (!opened.ok) return opened;
  const text = Buffer.from(opened.value).toString('utf8');
  const reader = await connect({ path, text, isTrusted, present, stop });
  return reader.ok ? success({ ...reader.value, server: 'the API', kubeconfig: name }) : reader;
}
