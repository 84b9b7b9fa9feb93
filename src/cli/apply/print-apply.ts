import type { Problem } from '../../core/problem.js';
import { isError } from '../../core/problem.js';
import { elapsedText } from '../../formats/elapsed.js';
import { describeIdentity } from '../../kube/identity.js';
import type { ApplyRun, ObjectState } from '../../remote/kubernetes/apply/apply-waves.js';
import type { RemovalState } from '../../remote/kubernetes/apply/remove-objects.js';
import type { DryRunResult, DryRunState } from '../../remote/kubernetes/apply/dry-run.js';
import { describeObject, wavesOf } from '../../remote/kubernetes/apply/object-to-apply.js';
import { failuresOf } from '../../remote/kubernetes/apply/cluster-differences.js';
import type { WaitResult } from '../../remote/kubernetes/wait.js';
import { count } from '../../run/problem-text.js';
import type { ApplyOptions, GlobalOptions } from '../options.js';
import { isData, printData } from '../output/data.js';
import { exitCodeOf, isLogged, machineReadable, printProblems } from '../output/report.js';

/** How long to retry a dry run while the API does not answer. */
export const dryRunTimeoutMs = 15_000;

/** The state of an object, without its contents. */
type ShownState = Pick<ObjectState, 'object' | 'text'> & {
  readonly state: ObjectState['state'] | DryRunState['state'];
};

interface ApplyResult {
  readonly state: 'applied' | 'not-applied' | 'stopped';
  readonly waitedMs: number;
  readonly problems: readonly Problem[];
  readonly states: readonly ShownState[];
  readonly removals: readonly RemovalState[];
}

export function applyResult(outcome: WaitResult, run: Pick<ApplyRun, 'states' | 'removals'>): ApplyResult {
  return { ...outcomeResult(outcome), states: run.states(), removals: run.removals() };
}

function outcomeResult(outcome: WaitResult): Omit<ApplyResult, 'states' | 'removals'> {
  const { waitedMs } = outcome;
  switch (outcome.kind) {
    case 'reached':
      return { state: 'applied', waitedMs, problems: outcome.warnings };
    case 'failed':
      return { state: 'not-applied', waitedMs, problems: outcome.problems };
    case 'stopped':
      return { state: 'stopped', waitedMs, problems: [] };
  }
}

/** The result of `--dry-run`. Nothing is applied, so `applied` means that the API accepts all objects that it can check. */
export function dryRunResult(outcome: WaitResult, done: DryRunResult): ApplyResult {
  const { states, removals } = done;
  const shown = states.map((each): ShownState => {
    const { object, state } = each;
    if (each.state === 'failed') return { object, state, text: each.cause.text };
    return each.state === 'not-checked' ? { object, state, text: each.text } : { object, state };
  });
  const result = outcomeResult(outcome);
  const failures = failuresOf(done);
  return {
    ...result,
    ...(failures.length > 0 && { state: 'not-applied' }),
    problems: [...result.problems, ...failures],
    states: shown,
    removals,
  };
}

/** `ConfigMap default/old deleted`. */
export function removalLine({ object: { identity }, state, text }: RemovalState): string {
  const reason = text === undefined ? '' : `: ${text}`;
  return `${describeIdentity(identity)} ${removalWords[state]}${reason}`;
}

const removalWords: Readonly<Record<RemovalState['state'], string>> = {
  deleted: 'deleted',
  released: 'reset: the fields of earlier runs are removed',
  absent: 'does not exist',
  kept: 'kept',
  leftover: 'left: no manifest contains it',
  failed: 'not deleted',
};

/** `PtpConfig openshift-ptp/slave created`. */
export function objectLine({ object, state, text = '' }: ShownState): string {
  return `${describeObject(object)} ${wordsOf(state, text)}`;
}

function wordsOf(state: ShownState['state'], text: string): string {
  switch (state) {
    case 'waiting':
      return `waiting for ${text}`;
    case 'failed':
      return `failed: ${text}`;
    case 'not-checked':
      return `not checked: ${text}`;
    case 'not-applied':
      return 'not applied';
    case 'created':
    case 'configured':
    case 'unchanged':
      return state;
  }
}

/** Prints the result and sets the exit code. With `--dry-run` also prints a line per object. */
export function printApplied(
  options: GlobalOptions & ApplyOptions,
  result: ApplyResult,
  earlier: readonly Problem[],
): void {
  const { problems, states, removals, waitedMs, state } = result;
  process.exitCode = exitCodeOf(problems);
  const isDryRun = options.dryRun !== undefined;
  if (isData(options)) {
    printData(options, {
      ok: state === 'applied' && !problems.some(isError),
      problems: [...earlier, ...problems].map((each) => machineReadable(options.dir, each)),
      state,
      ...(isDryRun && { dryRun: true }),
      seconds: Math.floor(waitedMs / 1000),
      objects: states.map(shownObject),
      removed: removals.map(shownRemoval),
    });
    return;
  }
  const isShown = isLogged(options, 'info');
  if (isDryRun && isShown)
    process.stdout.write(
      [...states.map(objectLine), ...removals.map(removalLine)]
        .map((line) => `${line} (server dry run)\n`)
        .join(''),
    );
  printProblems(options, problems);
  if (!isShown || states.length === 0) return;
  process.stdout.write(`${summaryOf(result)}\n`);
}

function shownObject({ object, state, text }: ShownState): object {
  const { wave, source, apiVersion, kind, namespace, name } = object;
  return {
    wave,
    source,
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    state,
    ...(text !== undefined && { message: text }),
  };
}

function shownRemoval({ object: { identity }, state, text }: RemovalState): object {
  const { group, kind, namespace, name } = identity;
  return {
    group,
    kind,
    ...(namespace !== '' && { namespace }),
    name,
    state,
    ...(text !== undefined && { message: text }),
  };
}

const order = [
  'created',
  'configured',
  'unchanged',
  'failed',
  'waiting',
  'not-checked',
  'not-applied',
] as const satisfies readonly ShownState['state'][];

/** `5 objects: 2 created, 3 unchanged (after 3 min 5 s)`. */
function summaryOf({ states, removals, waitedMs, state }: ApplyResult): string {
  const parts = countedChanges({ states, removals });
  const failed = states.find((each) => each.state === 'failed')?.object.wave;
  const waves = wavesOf(states.map(({ object }) => object));
  const later = failed === undefined ? [] : waves.slice(waves.indexOf(failed) + 1);
  const skipped =
    later.length === 0 || !states.some((each) => each.state === 'not-applied')
      ? ''
      : `; wave ${failed ?? ''} failed, ${later.join(', ')} not applied`;
  const end = state === 'stopped' ? 'stopped after' : 'after';
  const next = state === 'stopped' ? '; run the same command to continue' : '';
  return `${count(states.length, 'object')}: ${parts} (${end} ${elapsedText(waitedMs)})${skipped}${next}`;
}

/** `2 created, 3 unchanged, 1 deleted`. */
export function countedChanges({
  states,
  removals,
}: {
  readonly states: readonly Pick<ShownState, 'state'>[];
  readonly removals: readonly RemovalState[];
}): string {
  const counted = order.flatMap((state) => {
    const number = states.filter((each) => each.state === state).length;
    return number === 0 ? [] : [`${number} ${state.replace('-', ' ')}`];
  });
  const deleted = removals.filter(({ state }) => ['deleted', 'released'].includes(state)).length;
  return [...counted, ...(deleted === 0 ? [] : [`${deleted} deleted`])].join(', ');
}
