import { sha256 } from './formats/sha256.js';
import { problem, type Problem } from './core/problem.js';
import { failure, success, type Result } from './core/result.js';
import { commit } from './disk/commit.js';
import { loadState, openDirectory } from './disk/directory.js';
import { inputsOf } from './disk/inputs.js';
import type { LastRun, LastRuns } from './disk/last-run.js';
import { areAsWritten, planOutputs, type OutputChange, type OutputPlan } from './disk/outputs.js';
import { recordInputs, type InputRecord } from './disk/recorded-inputs.js';
import { serializeState, stateFileName, type State } from './disk/state-file.js';
import { templatesFrom } from './disk/templates.js';
import { asksForFips } from './assets/config/fips.js';
import {
  approvedChance,
  clockOf,
  drawsOver,
  environmentOf,
  inputsAmong,
  type KeyProgress,
  type Variables,
} from './effects.js';
import { secretFile } from './core/output-file.js';
import { createEngine, type Engine, type Resolved } from './graph/engine.js';
import { targets, type Facts, type Target, type TargetName } from './targets.js';
import { lastIfUnchanged, type Start } from './unchanged.js';

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
  /** Where the constant files of the program are. */
  readonly templatesFolder: string;
  readonly onKey?: KeyProgress;
  /** Told each step as it is done, for people who look for where time or trust goes. Never a secret. */
  readonly onStep?: (step: string) => void;
  /** Which build of the program this is; without it, outputs are always made again. */
  readonly program?: string;
}

export interface RunReport extends Facts {
  /** In the order of the target's roots. */
  readonly outputs: readonly OutputChange[];
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
    if (last !== undefined) return success(reportOf(last), [...start.warnings, ...last.warnings]);
    const made = await make(request, start.value);
    return made.ok
      ? write(request, made.value, start.warnings)
      : failure(...start.warnings, ...made.problems);
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
  return success(made.value.facts, [...start.warnings, ...made.value.warnings]);
}

function begin(request: RunRequest): Result<Start> {
  const state = loadState(request.dir, request.stateFile);
  if (!state.ok) return state;
  const given = inputsAmong(request.variables, request.offlineFiles);
  const clock = clockOf(state.value, given, request.present);
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
  readonly inputRecord: InputRecord;
}

async function make(request: RunRequest, { state, clock, given, inputs }: Start): Promise<Result<Made>> {
  const recorded = recordInputs(inputs);
  const { draws, taken } = drawsOver(clock.draws, {
    ...(request.onKey && { onKey: request.onKey }),
    ...(asksForFips(recorded.inputs) && { source: approvedChance }),
  });
  const engine = createEngine({
    now: clock.now,
    draws,
    inputs: recorded.inputs,
    environment: environmentOf(given),
    templates: templatesFrom(request.templatesFolder),
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
  if (!resolved.ok) return resolved;

  const learnt = facts(resolved.value);
  const bootableUntil = learnt.bootableUntil?.toISOString() ?? state.bootableUntil;
  return success({
    resolved: resolved.value,
    facts: learnt,
    warnings: resolved.warnings,
    state: {
      ...state,
      draws: taken(),
      environment: given,
      ...(bootableUntil !== undefined && { bootableUntil }),
    },
    inputRecord: recorded.record(),
  });
}

/** The configs first; where they have errors, whatever else can be judged without drawing anything. */
async function judge(target: Target, engine: Engine): Promise<Result<unknown>> {
  const configs = await target.loadConfigs();
  const judged = await engine.resolve(configs);
  return judged.ok ? judged : engine.resolve([...configs, ...(await target.loadChecks())]);
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
  const lastRuns = { ...made.state.lastRuns, ...lastRunOf(request, made, plan) };
  const text = serializeState({ ...made.state, written: plan.written, lastRuns });
  const file = secretFile(stateFileName, text);
  const isThere = areAsWritten(request.dir, [file], { [stateFileName]: sha256(text) });
  return isThere ? [] : [file];
}

function reportOf({ outputs, embedded, bootableUntil }: LastRun): RunReport {
  return {
    outputs: outputs.map((output) => ({ ...output, change: 'unchanged' as const })),
    ...(embedded && { embedded }),
    ...(bootableUntil !== undefined && { bootableUntil: new Date(bootableUntil) }),
  };
}

function lastRunOf({ target, program }: RunRequest, made: Made, plan: OutputPlan): LastRuns {
  if (program === undefined) return {};
  const { bootableUntil, embedded } = made.facts;
  const outputs = plan.changes.filter(({ change }) => change !== 'removed');
  return {
    [target]: {
      program,
      inputs: made.inputRecord,
      outputs: outputs.map(({ path, bytes, mode }) => ({ path, bytes, mode })),
      warnings: made.warnings,
      ...(embedded && { embedded }),
      ...(bootableUntil && { bootableUntil: bootableUntil.toISOString() }),
    },
  };
}

/** An input that was there last time and is not now changes the outputs, most often by mistake. */
function vanishedVariables(state: State, given: Readonly<Record<string, string>>): readonly Problem[] {
  const vanished = Object.keys(state.environment).filter((name) => given[name] === undefined);
  return vanished.map((name) =>
    problem('usage/environment-changed', `${name} was set in the last run and is not set now`, {
      hint: `set ${name} again to get the same outputs`,
    }),
  );
}
