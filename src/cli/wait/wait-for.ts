import { join } from 'node:path';

import { connect } from '../../cluster/kubernetes-client.js';
import { waitFor, type Ending } from '../../cluster/wait.js';
import type { Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { sealedName } from '../../disk/state/sealed-outputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { elapsedText } from '../../formats/elapsed.js';
import type { GlobalOptions, Waited, WaitForOptions } from '../../command-line/options.js';
import { exitCodeOf, forPrograms, shows, tellProblems } from '../../command-line/output/report.js';
import { accessOf, stateFileOf } from '../../command-line/request.js';
import { onStopSignals } from '../../command-line/stop-signals.js';
import { realClock } from '../../command-line/wait/wait-clock.js';
import { waitGoals, waitTimeout } from '../../command-line/wait/wait-goals.js';
import { kubeconfigFile } from './own-kubeconfig.js';
import { keepAuthority, type KeptAuthority } from './router-authority.js';
import { endingJson, reachedText, type WaitSubject } from './wait-ending.js';
import { waitProgress, type ProgressForm } from './wait-progress.js';

/** Waits for a live cluster to get somewhere, tells how it goes on, and ends with a clear state and exit code. */
export async function waitForCluster(
  waited: Waited,
  given: WaitForOptions,
  options: GlobalOptions,
): Promise<void> {
  const subject = subjectOf(waited, given, options);
  const access = accessOf(options);
  const asked = await askedFor({ ...subject, access }, given);
  if (!asked.ok) {
    await tell({ ...subject, access }, { kind: 'failed', problems: asked.problems, waitedMs: 0 }, options);
    process.exitCode = exitCodeOf(asked.problems);
    return;
  }
  const signals = onStopSignals();
  const ending = await wait(subject, asked.value, options, signals.stop);
  signals.release();
  await tell({ ...subject, access }, ending, options);
  process.exitCode = ending.kind === 'stopped' ? signals.exitCode() : exitCodeOf(problemsIn(ending));
}

function subjectOf(waited: Waited, { kubeconfig }: WaitForOptions, { dir }: GlobalOptions): WaitSubject {
  // It is empty where the user gave a hash of their own.
  const passwordFile = thereOf(dir, 'auth/kubeadmin-password').find((file) => (fileSize(file) ?? 0) > 0);
  const own = join(dir, 'auth/kubeconfig');
  return {
    waited,
    dir,
    kubeconfig: kubeconfig ?? thereOf(dir, 'auth/kubeconfig')[0] ?? own,
    isOwn: kubeconfig === undefined,
    ...(passwordFile !== undefined && { passwordFile }),
  };
}

/** An output as it lies in the directory: as plain text, or encrypted. */
function thereOf(dir: string, path: string): readonly string[] {
  return [path, sealedName(path)]
    .map((each) => join(dir, each))
    .filter((each) => fileSize(each) !== undefined);
}

/** A subject with what opens its files, which is asked for once. */
interface Opened extends WaitSubject {
  readonly access: StateAccess;
}

interface Asked {
  readonly timeoutMs: number;
  /** The text of the kubeconfig. */
  readonly text: string;
  readonly isTrusted: boolean;
}

/** Problems: usage/unknown-argument, usage/unreadable-file, those of what is encrypted. */
async function askedFor({ dir, kubeconfig, access }: Opened, given: WaitForOptions): Promise<Result<Asked>> {
  const { timeout, trustKubeconfig: isTrusted = false } = given;
  const limit = waitTimeout(timeout);
  if (!limit.ok) return limit;
  const read = await kubeconfigFile({ path: kubeconfig, dir, access }).read();
  if (read.ok) return success({ timeoutMs: limit.value, text: read.value, isTrusted });
  if (fileSize(kubeconfig) !== undefined) return read;
  const hint = `name the directory of the cluster with --dir (it is ${dir} now), or a file with --kubeconfig`;
  return failure(...read.problems.map((each) => ({ ...each, hint })));
}

async function wait(
  { waited, kubeconfig }: WaitSubject,
  { timeoutMs, text, isTrusted }: Asked,
  options: GlobalOptions,
  stop: AbortSignal,
): Promise<Ending> {
  const reader = await connect({
    path: kubeconfig,
    text,
    isTrusted,
    present: () => realClock.present(),
    stop,
  });
  if (!reader.ok) return { kind: 'failed', problems: reader.problems, waitedMs: 0 };
  const screen = {
    write: (text: string) => process.stderr.write(text),
    columns: process.stderr.columns,
  };
  const form = progressForm(options);
  if (form === 'line' || form === 'lines')
    screen.write(`waiting for ${waited} of ${reader.value.server}, ${elapsedText(timeoutMs)} at most\n`);
  const progress = waitProgress(form, screen);
  const { onMoment } = progress;
  const conditions = { reader: reader.value, clock: realClock, timeoutMs, stop, onMoment };
  const ending = await waitFor(waitGoals[waited], conditions);
  progress.done();
  return ending;
}

function progressForm(options: GlobalOptions): ProgressForm {
  if (!shows(options, 'info')) return 'silent';
  if (options.output === 'json') return 'json-lines';
  return process.stderr.isTTY ? 'line' : 'lines';
}

/** Problems go to stderr and the result to stdout; with `--output json` both are one object on stdout. */
async function tell(subject: Opened, ending: Ending, options: GlobalOptions): Promise<void> {
  const kept = await keptOf(subject, ending, options);
  const problems = [...problemsIn(ending), ...kept.warnings];
  if (options.output === 'json') {
    const ok = ending.kind === 'reached';
    const result = {
      ok,
      problems: problems.map((found) => forPrograms(options.dir, found)),
      ...endingJson(subject, ending),
    };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  tellProblems(options, problems);
  if (ending.kind === 'failed' && ending.waitedMs > 0)
    process.stderr.write(`\n${subject.waited}: not reached (after ${elapsedText(ending.waitedMs)})\n`);
  if (ending.kind === 'stopped')
    process.stderr.write(
      `stopped after ${elapsedText(ending.waitedMs)}; the cluster goes on, and so does the wait with the same command\n`,
    );
  if (ending.kind === 'reached' && shows(options, 'info'))
    process.stdout.write(
      reachedText(subject, ending.facts, { waitedMs: ending.waitedMs, isAuthorityAdded: kept.isAdded }),
    );
}

/** A kubeconfig that the user named is theirs, and stays as it is. */
function keptOf(
  { isOwn, kubeconfig: path, dir, access }: Opened,
  ending: Ending,
  options: GlobalOptions,
): Promise<KeptAuthority> {
  const pem = ending.kind === 'reached' && isOwn ? ending.facts.routerAuthorityPem : undefined;
  return keepAuthority({ path, dir, access, ...stateFileOf(options) }, pem);
}

function problemsIn(ending: Ending): readonly Problem[] {
  switch (ending.kind) {
    case 'reached':
      return ending.warnings;
    case 'failed':
      return ending.problems;
    case 'stopped':
      return [];
  }
}
