import { sha256 } from './formats/sha256.js';
import { problem, type Problem } from './core/problem.js';
import { failure, problemsOf, success, type Result } from './core/result.js';
import { commit } from './disk/commit.js';
import { loadState, openDirectory } from './disk/directory.js';
import { inputsOf } from './disk/inputs.js';
import { areAsWritten, planOutputs, type OutputPlan } from './disk/outputs.js';
import { recordAfter, recordInputs, type InputRecord } from './disk/recorded-inputs.js';
import { serializeState, stateFileName, type State } from './disk/state-file.js';
import { templatesFrom } from './disk/templates.js';
import { asksForFips } from './assets/config/fips.js';
import { approvedChance, drawsOver, type KeyProgress } from './draws.js';
import {
  clockOf,
  environmentOf,
  inputsAmong,
  vanishedVariables,
  type Renewal,
  type Variables,
} from './effects.js';
import { secretFile } from './core/output-file.js';
import type { ClusterName, Inputs } from './graph/context.js';
import { createEngine, type Engine, type Resolved } from './graph/engine.js';
import { targets, type Facts, type Target, type TargetName } from './targets.js';
import { lastIfUnchanged, lastRunOf, reportOf, type RunReport, type Start } from './unchanged.js';
import { windowWarnings } from './boot-window.js';

export type { RunReport };

export interface RunRequest {
  readonly dir: string;
  readonly target: TargetName;
  /** A state file to take the draws from instead of the directory's own. */
  readonly stateFile?: string;
  /** The command as the user typed it, for a second run that meets the lock. */
  readonly command: string;
  readonly variables: Variables;
  /** What `--offline-files` says: a URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  readonly present: Date;
  /** Whether certificates are issued anew from the same keys although the kept ones serve. */
  readonly renewal?: Renewal;
  /** Where the constant files of the program are. */
  readonly templatesFolder: string;
  readonly onKey?: KeyProgress;
  /** Told each step as it is done, for people who look for where time or trust goes. Never a secret. */
  readonly onStep?: (step: string) => void;
  /** Which build of the program this is; without it, outputs are always made again. */
  readonly program?: string;
}

/**
 * Makes a target and brings its files into the directory: all of them, or, when there is a problem, none.
 * Problems: those of every asset, and dir/*.
 */
export async function run(request: RunRequest): Promise<Result<RunReport>> {
  const lock = await openDirectory(request.dir, request.command);
  if (!lock.ok) return lock;
  try {
    const start = begin(request);
    if (!start.ok) return start;
    const last = lastIfUnchanged(request, start.value);
    request.onStep?.(
      last === undefined
        ? 'something may have changed since the last run'
        : 'nothing has changed since the last run',
    );
    if (last !== undefined) {
      const report = reportOf(last);
      return success(report, [
        ...start.warnings,
        ...windowWarnings(report, request.present),
        ...last.warnings,
      ]);
    }
    const made = await make(request, start.value);
    if (!made.ok) return failure(...start.warnings, ...made.problems);
    const windows = windowWarnings(made.value.facts, request.present);
    return write(request, made.value, [...start.warnings, ...windows]);
  } finally {
    lock.value.release();
  }
}

/** Makes a target in memory, as `run` would, and writes nothing at all. */
export async function check(request: RunRequest): Promise<Result<Facts>> {
  const start = begin(request);
  if (!start.ok) return start;
  const made = await make(request, start.value);
  if (!made.ok) return failure(...start.warnings, ...made.problems);
  const { facts, warnings } = made.value;
  return success(facts, [...start.warnings, ...windowWarnings(facts, request.present), ...warnings]);
}

function begin(request: RunRequest): Result<Start> {
  const state = loadState(request.dir, request.stateFile);
  if (!state.ok) return state;
  const given = inputsAmong(request.variables, request.offlineFiles);
  const { present, renewal } = request;
  const clock = clockOf(state.value, given, { present, ...(renewal && { renewal }) });
  if (!clock.ok) return clock;
  const inputs = inputsOf(request.dir, state.value.written);
  return success({ state: state.value, clock: clock.value, given, inputs }, [
    ...state.warnings,
    ...clock.warnings,
    ...vanishedVariables(state.value, given),
  ]);
}

interface Made {
  readonly resolved: Resolved;
  readonly facts: Facts;
  readonly warnings: readonly Problem[];
  /** What to keep: draws and environment of this run, outputs of earlier ones. */
  readonly state: State;
  readonly inputs: Inputs;
  readonly inputRecord: InputRecord;
}

async function make(request: RunRequest, { state, clock, given, inputs }: Start): Promise<Result<Made>> {
  const recorded = recordInputs(inputs);
  const { draws, taken, unfit } = drawsOver(clock.draws, {
    ...(request.onKey && { onKey: request.onKey }),
    ...(asksForFips(recorded.inputs) && { source: approvedChance }),
  });
  const engine = createEngine({
    now: clock.now,
    draws,
    inputs: recorded.inputs,
    environment: environmentOf(given),
    templates: templatesFrom(request.templatesFolder),
    ...(state.cluster && { drawnFor: state.cluster }),
  });
  const target: Target = targets[request.target];
  const judged = await judge(target, engine);
  request.onStep?.(judged.ok ? 'judged the configs' : 'found problems');
  if (!judged.ok) return judged;
  engine.begin((await target.loadFirst?.()) ?? []);
  const { roots, facts } = await target.load();
  request.onStep?.(`loaded the assets of ${request.target}`);
  const resolved = await engine.resolve(roots);
  request.onStep?.(resolved.ok ? 'made every asset' : 'found problems');
  const unusable = unfitDraws(unfit(), request.stateFile ?? stateFileName);
  if (!resolved.ok || unusable.length > 0) return failure(...problemsOf(resolved), ...unusable);

  const learnt = facts(resolved.value);
  const bootableFrom = learnt.bootableFrom?.toISOString() ?? state.bootableFrom;
  const bootableUntil = learnt.bootableUntil?.toISOString() ?? state.bootableUntil;
  return success({
    resolved: resolved.value,
    facts: learnt,
    warnings: resolved.warnings,
    state: {
      ...state,
      draws: taken(),
      environment: given,
      cluster: judged.value,
      ...(bootableFrom !== undefined && { bootableFrom }),
      ...(bootableUntil !== undefined && { bootableUntil }),
    },
    inputs,
    inputRecord: recorded.record(),
  });
}

/** The configs first; where they have errors, whatever else can be judged without drawing anything. */
async function judge(target: Target, engine: Engine): Promise<Result<ClusterName>> {
  const configs = await target.loadConfigs();
  const { stateCluster } = await import('./assets/identity/state-cluster.js');
  const judged = await engine.resolve([...configs, stateCluster]);
  if (!judged.ok) {
    const all = await engine.resolve([...configs, stateCluster, ...(await target.loadChecks())]);
    return all.ok ? judged : all;
  }
  return success(judged.value.valueOf(stateCluster), judged.warnings);
}

function write(request: RunRequest, made: Made, earlier: readonly Problem[]): Result<RunReport> {
  const { resolved, facts, state } = made;
  const warnings = [...earlier, ...made.warnings];
  const target: Target = targets[request.target];
  const plan = planOutputs(request.dir, resolved.files, { written: state.written, owned: target.owns });
  if (plan.problems.length > 0) return failure(...warnings, ...plan.problems);
  const committed = commit(request.dir, {
    writes: [...stateToWrite(request, made, plan), ...plan.writes],
    removals: plan.removals,
  });
  if (committed.ok) request.onStep?.(`wrote ${plan.writes.length} of ${plan.changes.length} files`);
  return committed.ok ? success({ ...facts, outputs: plan.changes }, warnings) : committed;
}

/** The state file, unless it stands there byte for byte. */
function stateToWrite(request: RunRequest, made: Made, plan: OutputPlan): OutputPlan['writes'] {
  const inputs = recordAfter(made.inputRecord, made.inputs, plan);
  const lastRuns = { ...made.state.lastRuns, ...lastRunOf(request, { ...made, inputs }, plan.changes) };
  const text = serializeState({ ...made.state, written: plan.written, lastRuns });
  const file = secretFile(stateFileName, text);
  const isThere = areAsWritten(request.dir, [file], { [stateFileName]: sha256(text) });
  return isThere ? [] : [file];
}

/** Draws of the state file that its assets could not use; with others in their place the run went on to find all there is. */
function unfitDraws(unfit: Readonly<Record<string, string>>, file: string): readonly Problem[] {
  return Object.entries(unfit).map(([label, reason]) =>
    problem('dir/state-draw', `\`${label}\` of the state file cannot be used: ${reason}`, {
      at: { file, path: `draws.${label}` },
      hint: 'restore the file from a copy, or move it away to begin anew with other keys',
    }),
  );
}
