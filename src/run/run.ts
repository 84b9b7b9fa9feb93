import { type RecordedRun, type RunOptions, makesIgnition, prepareRun } from './prepare-run.js';
import { fipsHostWarnings } from './fips-host.js';
import { windowWarnings } from './boot-window.js';
import { type OutputFile, secretFile } from '../core/output-file.js';
import type { Problem } from '../core/problem.js';
import { type Result, failure, success } from '../core/result.js';
import { commit } from '../disk/commit.js';
import { openDirectory } from '../disk/directory.js';
import { type OutputPlan, areUnmodified } from '../disk/outputs.js';
import { storedState } from '../disk/state/state-storage.js';
import { type LastRun, validRuns } from '../disk/state/last-run.js';
import { runRecordFile } from '../disk/state/run-record.js';
import { recordAfter } from '../disk/state/recorded-inputs.js';
import { isSealed, withRecipients } from '../disk/state/sealing.js';
import { type State, exposedStateWarnings, serializeState, stateFileName } from '../disk/state/state-file.js';
import { type GeneratedValues, randomSourceFor, generatedValues } from './effects/generated-values.js';
import { dryRunValues } from './effects/dry-run-values.js';
import { oddFolderProblems } from '../manifests/edits/odd-folders.js';
import { manifestFolders } from '../manifests/edits/paths.js';
import { pickKeys } from '../core/map-record.js';
import { encryptAge } from '../formats/age.js';
import { sha256 } from '../formats/sha256.js';
import type { Asset } from '../graph/asset.js';
import { withFolderHints } from './missing-config.js';
import { isRefusedIn } from './missing-values.js';
import { type MadeTarget, makeTarget, makeValue } from './make-target.js';
import { type SealedPlan, encryptedFor, plannedOutputs } from './planned-outputs.js';
import { isSignatureCurrent } from '../disk/receipt/receipt-signer.js';
import type { Facts } from './target.js';
import type { TargetName } from './targets.js';
import { type RunReport, type PreparedRun, unchangedRun, lastRunOf, reportOf } from './unchanged-run.js';
import { reportedWithoutState } from './load-state.js';

export type { RunReport, RunOptions };

/**
 * Makes a target and writes its files into the directory: all of them, or none if there is a problem.
 * Problems: those of every asset, and dir/*.
 */
export async function run(request: RunOptions): Promise<Result<RunReport>> {
  const lock = await openDirectory(request.dir, request.command, request.within);
  if (!lock.ok) return lock;
  try {
    const start = await prepareToCreate(request);
    if (!start.ok) return start;
    // A caller with a source has already compared the record of the last run.
    const mayBeCurrent = request.source === undefined && isSignatureCurrent(request.dir, request.signer);
    const last = mayBeCurrent ? unchangedRun(request, start.value) : undefined;
    request.onStep?.(
      last === undefined
        ? 'something may have changed since the last run'
        : 'nothing has changed since the last run',
    );
    if (last !== undefined) return unchanged(request, last, start.warnings);
    const made = await makeTarget(request, start.value, ({ isFips }) =>
      generatedValues(start.value.clock.generatedValues, {
        isRefused: isRefusedIn(start.value),
        source: (request.randomness ?? randomSourceFor)({ isFips }),
      }),
    );
    if (!made.ok) return failure(...start.warnings, ...withFolderHints(request, made.problems));
    if (request.source?.hasFaults() === true) return failure(...start.warnings, ...made.value.warnings);
    const windows = windowWarnings(made.value.facts, request.present);
    return await write(request, { start: start.value, made: made.value }, [...start.warnings, ...windows]);
  } finally {
    lock.value.release();
  }
}

/**
 * Makes a target in memory with placeholders and writes nothing.
 * Problems: those that `run` would report, except those of the lock and of writing.
 */
export async function check(request: RunOptions): Promise<Result<Facts>> {
  const start = await prepareToCreate(request);
  if (!start.ok) return start;
  const last = unchangedRun(request, start.value);
  if (last !== undefined) return unchanged(request, last, start.warnings);
  const made = await makeTarget(request, start.value, () =>
    dryRunValues(start.value.clock.generatedValues, isRefusedIn(start.value)),
  );
  const { isStateUnread } = start.value;
  if (!made.ok) {
    const problems = withFolderHints(request, made.problems);
    return failure(...start.warnings, ...(isStateUnread ? reportedWithoutState(problems) : problems));
  }
  const { facts } = made.value;
  const warnings = [...start.warnings, ...windowWarnings(facts, request.present), ...made.value.warnings];
  // Only the state shows which existing files are outputs of an earlier run.
  if (isStateUnread) return success(facts, warnings);
  const { problems } = await plannedOutputs(request, start.value, made.value);
  return problems.length > 0 ? failure(...warnings, ...problems) : success(facts, warnings);
}

/**
 * The outputs that `run` would write now, with the stored values and placeholders for new ones: to be compared with existing outputs, never
 * to be written. Problems: those that `run` would report, except those of the lock and of writing.
 */
export async function forecast(request: RunOptions): Promise<Result<readonly OutputFile[]>> {
  const start = await prepareRun(request);
  if (!start.ok) return start;
  const made = await makeTarget(request, start.value, () =>
    dryRunValues(start.value.clock.generatedValues, isRefusedIn(start.value)),
  );
  if (!made.ok) return failure(...start.warnings, ...withFolderHints(request, made.problems));
  if (request.source?.hasFaults() === true) return failure(...start.warnings, ...made.value.warnings);
  return success(made.value.resolved.files, [...start.warnings, ...made.value.warnings]);
}

/**
 * The value of one asset with placeholders, if the inputs are valid for the request's target; writes nothing.
 * Problems: those of the inputs.
 */
export async function look<T>(request: RunOptions, asset: Asset<T>): Promise<Result<T>> {
  const start = await prepareRun(request);
  if (!start.ok) return start;
  const runValues = dryRunValues(start.value.clock.generatedValues);
  const made = await makeValue(request, start.value, { asset, runValues });
  return made.ok
    ? success(made.value, [...start.warnings, ...made.warnings])
    : failure(...start.warnings, ...withFolderHints(request, made.problems));
}

/** `prepareRun` with the warnings about this host. Problems: manifest/unreadable for a folder. */
async function prepareToCreate(request: RunOptions): ReturnType<typeof prepareRun> {
  const start = await prepareRun(request);
  if (!start.ok) return start;
  const odd = oddFolderProblems(start.value.inputs);
  if (odd.length > 0) return failure(...start.warnings, ...odd);
  return success(start.value, [
    ...start.warnings,
    ...fipsHostWarnings(start.value.inputs, request.isFipsHost),
  ]);
}

/** The report of a run that would change nothing. */
function unchanged(request: RunOptions, last: LastRun, earlier: readonly Problem[]): Result<RunReport> {
  const report = reportOf(last);
  return success(report, [...earlier, ...windowWarnings(report, request.present), ...last.warnings]);
}

interface Written {
  readonly start: PreparedRun;
  readonly made: MadeTarget<GeneratedValues>;
}

async function write(
  request: RunOptions,
  { start, made }: Written,
  earlier: readonly Problem[],
): Promise<Result<RunReport>> {
  const { facts } = made;
  const plan = await plannedOutputs(request, start, made, encryptedFor(start.seal));
  const warnings = [...earlier, ...made.warnings, ...plan.warnings];
  if (plan.problems.length > 0) return failure(...warnings, ...plan.problems);
  const states = await stateToWrite(request, { start, made, plan });
  const records =
    request.source === undefined
      ? runRecordToWrite(request, { start, made, plan })
      : [request.source.record(recordedRun({ start, made }, plan, states))];
  const committed = commit(request.dir, {
    writes: [...states, ...plan.writes, ...records],
    removals: plan.removals,
  });
  if (committed.ok) request.onStep?.(`wrote ${plan.writes.length} of ${plan.changes.length} files`);
  if (!committed.ok) return committed;
  const plain = plan.plain.size > 0 && { plain: plan.plain };
  // It may have been reported when the state was read.
  const isReported = warnings.some(({ code }) => code === 'dir/state-exposed');
  const exposed = isReported ? [] : exposedStateWarnings(request.dir);
  return success({ ...facts, outputs: plan.changes, ...plain }, [...warnings, ...exposed]);
}

/** The record of a run for its source; `states` is the state file, if it is written. */
function recordedRun(
  { start, made }: Written,
  { changes, written }: SealedPlan,
  states: readonly OutputFile[],
): RecordedRun {
  const [state] = states;
  const outputs = changes.filter(({ change }) => change !== 'removed');
  return {
    inputRecord: made.inputRecord,
    given: start.given,
    issued: start.clock.now,
    facts: made.facts,
    warnings: made.warnings,
    stateSha256: state === undefined ? (start.own?.sha256 ?? '') : sha256(state.contents),
    outputs: outputs.map(({ path, mode }) => ({ path, mode, sha256: written[path] ?? '' })),
  };
}

/** A run before it writes. */
interface Finished {
  readonly start: PreparedRun;
  readonly made: MadeTarget<GeneratedValues>;
  readonly plan: SealedPlan;
}

/** The state file, unless it is unchanged. Encryption gives other bytes for the same text each time. */
async function stateToWrite(
  request: { readonly dir: string; readonly target: TargetName },
  { start, made, plan }: Finished,
): Promise<OutputPlan['writes']> {
  const { own, seal } = start;
  const { mustResealOutputs, ...after } = withRecipients(stateAfter(start, made), seal);
  const isLeftToReseal = mustResealOutputs === true && !makesIgnition(request);
  const state = storedState(after, start.keeping);
  const text = serializeState({
    ...state,
    written: pickKeys(plan.written, isEditable),
    ...(isLeftToReseal && { mustResealOutputs }),
  });
  const isSame = own !== undefined && own.text === text && isSealed(own, seal);
  const place = secretFile(stateFileName, text);
  if (isSame && areUnmodified(request.dir, [place], { [stateFileName]: own.sha256 })) return [];
  return [seal === undefined ? place : secretFile(stateFileName, await encryptAge(text, seal))];
}

/** The record of the directory, unless it is unchanged. */
function runRecordToWrite(
  request: { readonly dir: string; readonly target: string; readonly program?: string },
  { start: { state }, made, plan }: Finished,
): OutputPlan['writes'] {
  const generatedValues = made.runValues.stateValues();
  const inputs = recordAfter(made.inputRecord, made.inputs, plan);
  const runs = lastRunOf(request, { ...made, inputs, generatedValues }, plan.changes);
  const lastRuns = { ...validRuns(state.lastRuns, state.written, plan.written), ...runs };
  const written = pickKeys(plan.written, (path) => !isEditable(path));
  const file = runRecordFile({ written, sealed: plan.sealed, lastRuns }, { generatedValues });
  return areUnmodified(request.dir, [file], { [file.path]: sha256(file.contents) }) ? [] : [file];
}

/** Whether users edit an output. Its hash is in the state, so that an edit is recognized in every clone. */
function isEditable(path: string): boolean {
  return manifestFolders.some((folder) => path.startsWith(`${folder}/`));
}

/** The next state: values and environment of this run, outputs of earlier ones. */
function stateAfter(
  { state, given }: PreparedRun,
  { runValues, facts, cluster }: MadeTarget<GeneratedValues>,
): State {
  const bootableFrom = facts.bootableFrom?.toISOString() ?? state.bootableFrom;
  const bootableUntil = facts.bootableUntil?.toISOString() ?? state.bootableUntil;
  return {
    ...state,
    generatedValues: runValues.stateValues(),
    environment: given,
    cluster,
    ...(bootableFrom !== undefined && { bootableFrom }),
    ...(bootableUntil !== undefined && { bootableUntil }),
  };
}
