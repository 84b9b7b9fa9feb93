import { isError, type Problem } from '../../core/problem.js';
import { success, type Result } from '../../core/result.js';
import { applyWaves } from '../../remote/kubernetes/apply/apply-waves.js';
import { dryRunGoal, type DryRunResult } from '../../remote/kubernetes/apply/dry-run.js';
import { manifestFolders, postInstallFolder } from '../../manifests/edits/paths.js';
import type { ClusterClient } from '../../remote/kubernetes/reader.js';
import { connect } from '../../remote/kubernetes/kubernetes-client.js';
import { waitFor, type Goal, type WaitResult } from '../../remote/kubernetes/wait.js';
import { look } from '../../run/run.js';
import { runningSite } from '../../run/target-assets.js';
import { defaultTarget } from '../../run/targets.js';
import type { ApplyOptions, GlobalOptions } from '../options.js';
import { reportDifferences } from '../diff/report-differences.js';
import { isData } from '../output/data.js';
import { isLogged, printProblems, report } from '../output/report.js';
import { runRequest, sourcesOf } from '../request.js';
import { onStopSignals } from '../stop-signals.js';
import { kubeconfigPath, readKubeconfig } from '../../disk/kubeconfig-file.js';
import { realClock } from '../real-clock.js';
import { progressForm, stderrScreen } from '../wait/progress-form.js';
import { waitProgress } from '../wait/wait-for.js';
import { chosenObjects, type ChosenObjects } from '../../remote/kubernetes/apply/chosen-objects.js';
import { differencesOf, failuresOf } from '../../remote/kubernetes/apply/cluster-differences.js';
import { wantedObjects } from './wanted-objects.js';
import {
  applyResult,
  dryRunResult,
  dryRunTimeoutMs,
  objectLine,
  printApplied,
  removalLine,
} from './print-apply.js';

type Options = GlobalOptions & ApplyOptions;

/** Applies the configuration of a directory to its cluster, or compares the two. */
export async function applyToCluster(options: Options): Promise<void> {
  const opened = await openApply(options);
  if (!opened.ok) {
    report(options, { problems: opened.problems });
    return;
  }
  const { kubeconfig } = opened.value;
  printProblems({ ...options, ...(isData(options) && { logLevel: 'error' }) }, opened.warnings);
  const signals = onStopSignals();
  const client = await connect({
    ...kubeconfig,
    isTrusted: options.trustKubeconfig === true,
    present: () => realClock.present(),
    stop: signals.stop,
  });
  if (!client.ok) report(options, { problems: client.problems });
  else {
    const run = { ...opened.value, client: client.value, stop: signals.stop, warnings: opened.warnings };
    await (options.diff === true || options.dryRun !== undefined
      ? dryRun(options, run)
      : apply(options, run));
  }
  signals.release();
  if (signals.stop.aborted) process.exitCode = signals.exitCode();
}

interface OpenedApply extends ChosenObjects {
  readonly kubeconfig: { readonly path: string; readonly text: string };
}

/**
 * Generates the configuration and reads the kubeconfig. Warnings are only those of manifests. Problems: those of `look`,
 * `chosenObjects` and kubeconfigs.
 */
async function openApply(options: Options): Promise<Result<OpenedApply>> {
  const { dir } = options;
  const wanted = wantedObjects(options);
  if (!wanted.ok) return wanted;
  const sources = sourcesOf(options);
  const site = await look(
    runRequest(defaultTarget, options, { sources, isStateOptional: true }),
    runningSite,
  );
  if (!site.ok) return site;
  const chosen = chosenObjects(site.value, wanted.value);
  if (!chosen.ok) return chosen;
  const path = kubeconfigPath(dir, options.kubeconfig);
  const text = await readKubeconfig({ path, dir, access: sources.access });
  if (!text.ok) return text;
  const warnings = site.warnings.filter(isAboutManifest);
  return success({ ...chosen.value, kubeconfig: { path, text: text.value } }, warnings);
}

/** Warnings about the configs concern the installation. */
export function isAboutManifest({ code, at }: Problem): boolean {
  const folders = [...manifestFolders, postInstallFolder];
  return code.startsWith('apply/') || folders.some((folder) => at?.file.startsWith(`${folder}/`));
}

interface Run extends OpenedApply {
  readonly client: ClusterClient;
  readonly stop: AbortSignal;
  readonly warnings: readonly Problem[];
}

async function apply(options: Options, run: Run): Promise<void> {
  const progress = faultProgress(options);
  const isShown = !isData(options) && isLogged(options, 'info');
  const applied = applyWaves({
    ...run,
    isForced: options.forceConflicts === true,
    isPruning: options.prune === true,
    clock: realClock,
    onChange: (state) => {
      progress.done();
      if (isShown) process.stdout.write(`${objectLine(state)}\n`);
    },
    onRemoval: (state) => {
      progress.done();
      if (isShown && state.state !== 'absent') process.stdout.write(`${removalLine(state)}\n`);
    },
  });
  const outcome = await waited(applied.goal, run, { timeoutMs: Infinity, progress });
  printApplied(options, applyResult(outcome, applied), run.warnings);
}

async function dryRun(options: Options, run: Run): Promise<void> {
  let done: DryRunResult = { states: [], removals: [] };
  const isDiff = options.diff === true;
  const isForced = isDiff || options.forceConflicts === true;
  const goal = dryRunGoal(
    { ...run, isForced, isPruning: options.prune === true },
    (result) => (done = result),
  );
  const outcome = await waited(goal, run, { timeoutMs: dryRunTimeoutMs, progress: faultProgress(options) });
  if (outcome.kind !== 'reached' || !isDiff) {
    printApplied(options, dryRunResult(outcome, done), run.warnings);
    return;
  }
  const problems = [...outcome.warnings, ...failuresOf(done)];
  reportDifferences(options, {
    problems: [...(isData(options) ? run.warnings : []), ...problems],
    ...(!problems.some(isError) && { differences: differencesOf(done) }),
    what: `${options.dir} against ${run.client.server}`,
    advice: 'Run the command without --diff to apply the configuration.',
  });
}

interface Progress {
  readonly timeoutMs: number;
  readonly progress: ReturnType<typeof waitProgress>;
}

async function waited(
  goal: Goal<ClusterClient>,
  { client, stop }: Run,
  { timeoutMs, progress }: Progress,
): Promise<WaitResult> {
  const outcome = await waitFor(goal, {
    reader: client,
    clock: realClock,
    timeoutMs,
    stop,
    onMoment: progress.onMoment,
  });
  progress.done();
  return outcome;
}

/** Progress on stderr. A log contains only faults of the API, because each waiting object has its own line. */
function faultProgress(options: GlobalOptions): ReturnType<typeof waitProgress> {
  const form = progressForm(options);
  const progress = waitProgress(form, stderrScreen());
  if (form !== 'lines') return progress;
  return {
    ...progress,
    onMoment: (moment) => {
      if (moment.awayMs !== undefined || moment.recoveredAfterMs !== undefined) progress.onMoment(moment);
    },
  };
}
