import { connect } from '../../remote/kubernetes/kubernetes-client.js';
import { withRouterAuthority } from '../../remote/kubernetes/router-authority.js';
import { type WaitResult, type WaitStatus, waitFor } from '../../remote/kubernetes/wait.js';
import type { GlobalOptions, WaitForOptions } from '../options.js';
import type { WaitCondition } from '../../remote/kubernetes/goals/wait-goal.js';
import { exitCodeOf, machineReadable, isLogged, printProblems } from '../output/report.js';
import { stateAccess, stateFileOf } from '../request.js';
import { onStopSignals } from '../stop-signals.js';
import { realClock } from '../real-clock.js';
import { progressForm, type ProgressForm, type Screen, stderrScreen } from './progress-form.js';
import { waitGoal } from '../../remote/kubernetes/goals/wait-goal.js';
import { waitTimeout } from './wait-timeout.js';
import { type Problem, problem } from '../../core/problem.js';
import { type Result, success } from '../../core/result.js';
import { fileSize } from '../../disk/file-size.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { elapsedText } from '../../formats/elapsed.js';
import {
  existingOutputs,
  type KubeconfigLocation,
  kubeconfigFile,
  kubeconfigPath,
  readKubeconfig,
} from '../../disk/kubeconfig-file.js';
import { type WaitSubject, resultJson, reachedText } from './wait-result.js';
import { isData, printData } from '../output/data.js';

/** Waits for a condition of a live cluster, prints the progress and the result, and sets the exit code. */
export async function waitForCluster(
  waited: WaitCondition,
  given: WaitForOptions,
  options: GlobalOptions,
): Promise<void> {
  const subject = subjectOf(waited, given, options);
  const access = stateAccess(options);
  const opened = await openWait({ ...subject, access }, given);
  if (!opened.ok) {
    await reportOutcome(
      { ...subject, access },
      { kind: 'failed', problems: opened.problems, waitedMs: 0 },
      options,
    );
    process.exitCode = exitCodeOf(opened.problems);
    return;
  }
  const signals = onStopSignals();
  const outcome = await wait(subject, opened.value, options, signals.stop);
  signals.release();
  await reportOutcome({ ...subject, access }, outcome, options);
  process.exitCode = outcome.kind === 'stopped' ? signals.exitCode() : exitCodeOf(problemsIn(outcome));
}

function subjectOf(
  waited: WaitCondition,
  { kubeconfig }: WaitForOptions,
  { dir }: GlobalOptions,
): WaitSubject {
  // The file is empty if the user configured a password hash.
  const passwordFile = existingOutputs(dir, 'auth/kubeadmin-password').find(
    (file) => (fileSize(file) ?? 0) > 0,
  );
  return {
    waited,
    dir,
    kubeconfig: kubeconfigPath(dir, kubeconfig),
    isOwn: kubeconfig === undefined,
    ...(passwordFile !== undefined && { passwordFile }),
  };
}

/** Shares one `access`, so that a passphrase is prompted for only once. */
interface Opened extends WaitSubject {
  readonly access: StateAccess;
}

interface WaitInputs {
  readonly timeoutMs: number;
  /** The content of the kubeconfig. */
  readonly text: string;
  readonly isTrusted: boolean;
}

/** Problems: usage/unknown-argument, usage/unreadable-file, those of decryption. */
async function openWait(
  { dir, kubeconfig, access }: Opened,
  given: WaitForOptions,
): Promise<Result<WaitInputs>> {
  const { timeout, trustKubeconfig: isTrusted = false } = given;
  const limit = waitTimeout(timeout);
  if (!limit.ok) return limit;
  const read = await readKubeconfig({ path: kubeconfig, dir, access });
  return read.ok ? success({ timeoutMs: limit.value, text: read.value, isTrusted }) : read;
}

async function wait(
  { waited, dir, kubeconfig }: WaitSubject,
  { timeoutMs, text, isTrusted }: WaitInputs,
  options: GlobalOptions,
  stop: AbortSignal,
): Promise<WaitResult> {
  const reader = await connect({
    path: kubeconfig,
    text,
    isTrusted,
    present: () => realClock.present(),
    stop,
  });
  if (!reader.ok) return { kind: 'failed', problems: reader.problems, waitedMs: 0 };
  const screen = stderrScreen();
  const form = progressForm(options);
  if (form === 'line' || form === 'lines')
    screen.write(`waiting up to ${elapsedText(timeoutMs)} for ${waited} of ${reader.value.server}\n`);
  const progress = waitProgress(form, screen);
  const { onMoment } = progress;
  const conditions = { reader: reader.value, clock: realClock, timeoutMs, stop, onMoment };
  const outcome = await waitFor(
    waitGoal(waited, () => cachedInputs(dir, {})),
    conditions,
  );
  progress.done();
  return outcome;
}

/** Prints problems to stderr and the result to stdout. With `--output json`, prints both as one object to stdout. */
async function reportOutcome(subject: Opened, outcome: WaitResult, options: GlobalOptions): Promise<void> {
  const kept = await addOwnAuthority(subject, outcome, options);
  const problems = [...problemsIn(outcome), ...kept.warnings];
  if (isData(options)) {
    const ok = outcome.kind === 'reached';
    const result = {
      ok,
      problems: problems.map((found) => machineReadable(options.dir, found)),
      ...resultJson(subject, outcome),
    };
    printData(options, result);
    return;
  }
  printProblems(options, problems);
  if (outcome.kind === 'failed' && outcome.waitedMs > 0)
    process.stderr.write(`\n${subject.waited}: not reached (after ${elapsedText(outcome.waitedMs)})\n`);
  if (outcome.kind === 'stopped')
    process.stderr.write(
      `stopped after ${elapsedText(outcome.waitedMs)}; the installation continues, run the same command to wait again\n`,
    );
  if (outcome.kind === 'reached' && isLogged(options, 'info'))
    process.stdout.write(
      reachedText(subject, outcome.facts, { waitedMs: outcome.waitedMs, isAuthorityAdded: kept.isAdded }),
    );
}

/** A kubeconfig given by the user is never modified. */
function addOwnAuthority(
  { isOwn, kubeconfig: path, dir, access }: Opened,
  outcome: WaitResult,
  options: GlobalOptions,
): Promise<AddedAuthority> {
  const pem = outcome.kind === 'reached' && isOwn ? outcome.facts.routerAuthorityPem : undefined;
  return addRouterAuthority({ path, dir, access, ...stateFileOf(options) }, pem);
}

function problemsIn(outcome: WaitResult): readonly Problem[] {
  switch (outcome.kind) {
    case 'reached':
      return outcome.warnings;
    case 'failed':
      return outcome.problems;
    case 'stopped':
      return [];
  }
}

/** The result of adding the router CA to the directory's own kubeconfig. */
interface AddedAuthority {
  readonly isAdded: boolean;
  readonly warnings: readonly Problem[];
}

/** Adds the router CA to the kubeconfig that `create` wrote, if missing. Problems: cluster/router-authority. */
export async function addRouterAuthority(
  place: KubeconfigLocation,
  authorityPem: string | undefined,
): Promise<AddedAuthority> {
  if (authorityPem === undefined) return { isAdded: false, warnings: [] };
  const kubeconfig = kubeconfigFile(place);
  const text = await kubeconfig.read();
  const trusting = text.ok ? withRouterAuthority(text.value, authorityPem) : undefined;
  if (text.ok && trusting === undefined) return { isAdded: false, warnings: [] };
  const replaced = trusting === undefined ? text : await kubeconfig.write(trusting);
  if (replaced.ok) return { isAdded: true, warnings: [] };
  const reasons = replaced.problems.map(({ message }) => message).join('; ');
  const hint = 'fix the error and run the command again, or add the CA of the router to your trust store';
  const message = `cannot add the CA of the router to ${place.path}: ${reasons}`;
  return { isAdded: false, warnings: [problem('cluster/router-authority', message, { hint })] };
}

interface WaitProgress {
  readonly onMoment: (moment: WaitStatus) => void;
  /** Clears the status line. */
  done(): void;
}

export function waitProgress(form: ProgressForm, screen: Screen): WaitProgress {
  if (form === 'silent') return { onMoment: () => undefined, done: () => undefined };
  if (form === 'line')
    return {
      onMoment: (moment) => {
        screen.write(`\r\u001b[K${cut(terminalLine(moment), screen.columns - 1)}`);
      },
      done: () => {
        screen.write('\r\u001b[K');
      },
    };
  const show = form === 'json-lines' ? jsonLine : logLine;
  let topic: string | undefined;
  return {
    onMoment: (moment) => {
      if (moment.topic !== topic) screen.write(`${show(moment)}\n`);
      topic = moment.topic;
    },
    done: () => undefined,
  };
}

/** Omits the detail, so that the line usually fits 80 columns. */
function terminalLine({ message, note, awayMs, waitedMs }: WaitStatus): string {
  const since = awayMs === undefined ? '' : ` for ${elapsedText(awayMs)}`;
  return `[${elapsedText(waitedMs)}] ${message}${since}${after('; ', note)}`;
}

function logLine({ message, detail, note, recoveredAfterMs, waitedMs }: WaitStatus): string {
  const back =
    recoveredAfterMs === undefined ? '' : `the API is back after ${elapsedText(recoveredAfterMs)}; `;
  return `after ${elapsedText(waitedMs)}: ${back}${message}${after(': ', detail)}${after('; ', note)}`;
}

function jsonLine({ message, detail, note, recoveredAfterMs, waitedMs }: WaitStatus): string {
  const backAfterSeconds = recoveredAfterMs === undefined ? undefined : Math.floor(recoveredAfterMs / 1000);
  return JSON.stringify({ seconds: Math.floor(waitedMs / 1000), message, detail, note, backAfterSeconds });
}

function after(separator: string, text: string | undefined): string {
  return text === undefined ? '' : `${separator}${text}`;
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text;
}
