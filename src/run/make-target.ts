import { type Problem, problem } from '../core/problem.js';
import { type Result, failure, problemsOf, success } from '../core/result.js';
import { withoutRepeats } from '../manifests/edits/edited-values.js';
import { type InputRecord, recordInputs } from '../disk/state/recorded-inputs.js';
import { environmentOf } from '../disk/environment.js';
import type { Asset } from '../graph/asset.js';
import type { ClusterName, ValueSource, Inputs, Templates } from '../graph/context.js';
import { type Engine, type Progress, type Resolved, createEngine } from '../graph/engine.js';
import type { InputRecorder } from '../graph/input-recorder.js';
import { isFipsRequested } from './fips-host.js';
import { missingValueProblems } from './missing-values.js';
import { stateCluster, targetAssets } from './target-assets.js';
import type { Facts, TargetAssets } from './target.js';
import type { TargetName } from './targets.js';
import type { PreparedRun } from './unchanged-run.js';

/** A target and the source of its inputs. */
export interface TargetOptions {
  readonly target: TargetName;
  /** The state file to read values from, if it is not the directory's own. */
  readonly stateFile?: string;
  readonly templates: Templates;
  readonly onProgress?: Progress;
  /** Records the inputs of each asset. */
  readonly watch?: InputRecorder;
  /** Called after each step, for measurements and traces. Never contains a secret. */
  readonly onStep?: (step: string) => void;
}

/** Inputs of a target, without how the state is stored. */
export type RunInputs = Omit<PreparedRun, 'isStateUnread' | 'own' | 'seal' | 'encryptsOutputs' | 'keeping'>;

/** Generated values: real ones, or those of a dry run. */
interface RunValues {
  readonly valueSource: ValueSource;
  readonly unusable: () => Readonly<Record<string, string>>;
  readonly missing: () => readonly string[];
}

/** A target in memory. */
export interface MadeTarget<H extends RunValues> {
  readonly resolved: Resolved;
  readonly facts: Facts;
  readonly warnings: readonly Problem[];
  readonly cluster: ClusterName;
  readonly inputs: Inputs;
  readonly inputRecord: InputRecord;
  readonly runValues: H;
}

/**
 * Makes a target in memory with the values that `take` returns once it is known whether the config requests FIPS mode.
 * Problems: those of every asset, and dir/state-draw.
 */
export async function makeTarget<H extends RunValues>(
  order: TargetOptions,
  start: RunInputs,
  take: (settings: { readonly isFips: boolean }) => H,
): Promise<Result<MadeTarget<H>>> {
  const { inputs } = start;
  const recorded = recordInputs(inputs);
  const runValues = take({ isFips: isFipsRequested(recorded.inputs) });
  const engine = engineOf(order, { ...start, inputs: recorded.inputs }, runValues);
  const target = targetAssets[order.target];
  const judged = await judge(target, engine);
  order.onStep?.(judged.ok ? 'judged the configs' : 'found problems');
  if (!judged.ok) return judged;
  const resolved = await engine.resolve(target.roots, order.onProgress);
  order.onStep?.(resolved.ok ? 'made every asset' : 'found problems');
  // A placeholder key can fail to parse; report the missing key instead.
  const missing = missingValueProblems(runValues.missing(), start);
  if (missing.length > 0) return failure(...missing);
  const unusable = unusableValueProblems(runValues.unusable(), start);
  if (!resolved.ok || unusable.length > 0)
    return failure(...withoutRepeats(problemsOf(resolved)), ...unusable);
  return success({
    resolved: resolved.value,
    facts: target.facts?.(resolved.value) ?? {},
    warnings: resolved.warnings,
    cluster: judged.value,
    inputs,
    inputRecord: recorded.record(),
    runValues,
  });
}

/** The value of one asset in memory, if the target's configs are valid. Problems: those of every asset that it needs. */
export async function makeValue<T>(
  order: TargetOptions,
  start: RunInputs,
  { asset, runValues }: { readonly asset: Asset<T>; readonly runValues: RunValues },
): Promise<Result<T>> {
  const engine = engineOf(order, start, runValues);
  const target = targetAssets[order.target];
  const judged = await judge(target, engine);
  if (!judged.ok) return judged;
  // Includes the configs, so that their warnings are collected once.
  const resolved = await engine.resolve([...target.configs, asset]);
  return resolved.ok ? success(resolved.value.valueOf(asset), resolved.warnings) : resolved;
}

function engineOf(
  order: TargetOptions,
  { state, clock, given, inputs }: RunInputs,
  runValues: RunValues,
): Engine {
  const context = {
    now: clock.now,
    valueSource: runValues.valueSource,
    inputs,
    environment: {
      ...environmentOf(given),
      ...(order.target === 'control-plane' && { showsControlPlane: true }),
    },
    templates: order.templates,
    ...(state.cluster && { drawnFor: state.cluster }),
    isDryRun: !('stateValues' in runValues),
  };
  return createEngine(context, order.watch);
}

/** Checks the configs; if they have errors, also every other input that needs no generated value. */
async function judge(target: TargetAssets, engine: Engine): Promise<Result<ClusterName>> {
  const judged = await engine.resolve([...target.configs, stateCluster]);
  if (!judged.ok) {
    const all = await engine.resolve([...target.configs, stateCluster, ...target.checks]);
    return all.ok ? judged : all;
  }
  return success(judged.value.valueOf(stateCluster), judged.warnings);
}

/** Stored values that an asset could not use; the run continued with others to find all problems. */
function unusableValueProblems(
  unusableValues: Readonly<Record<string, string>>,
  { source, isFile, state }: RunInputs,
): readonly Problem[] {
  const { generatedValuesName: field = 'generatedValues' } = state;
  return Object.entries(unusableValues).map(([label, reason]) =>
    problem('dir/state-draw', `\`${label}\` of the state file cannot be used: ${reason}`, {
      ...(isFile && { at: { file: source, path: `${field}.${label}` } }),
      hint: 'restore the file from a backup; moving it away creates a new cluster with new keys',
    }),
  );
}
