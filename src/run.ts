import { problem, type Problem } from './core/problem.js';
import { failure, success, type Result } from './core/result.js';
import { commit } from './disk/commit.js';
import { loadState, openDirectory } from './disk/directory.js';
import { inputsOf } from './disk/inputs.js';
import { planOutputs, type OutputChange, type OutputPlan } from './disk/outputs.js';
import { serializeState, stateFileName, type State } from './disk/state-file.js';
import { templatesFrom } from './disk/templates.js';
import {
  clockOf,
  drawsOver,
  environmentOf,
  inputsAmong,
  type KeyProgress,
  type Variables,
} from './effects.js';
import { secretFile } from './core/output-file.js';
import { resolve, type Resolved } from './graph/engine.js';
import { targets, type Facts, type Target, type TargetName } from './targets.js';

export interface RunRequest {
  readonly dir: string;
  readonly target: TargetName;
  /** A state file to take the draws from instead of the directory's own. */
  readonly stateFile?: string;
  /** The command as the user typed it, for a second run that meets the lock. */
  readonly command: string;
  readonly variables: Variables;
  readonly present: Date;
  /** Where the constant files of the program are. */
  readonly templatesFolder: string;
  readonly onKey?: KeyProgress;
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
  const lock = openDirectory(request.dir, request.command);
  if (!lock.ok) return lock;
  try {
    const made = await make(request);
    return made.ok ? write(request, made.value, made.warnings) : made;
  } finally {
    lock.value.release();
  }
}

/** Makes a target in memory, as `run` would, and writes nothing at all. */
export async function check(request: RunRequest): Promise<Result<Facts>> {
  const made = await make(request);
  return made.ok ? success(made.value.facts, made.warnings) : made;
}

interface Made {
  readonly resolved: Resolved;
  readonly facts: Facts;
  /** What to keep: draws and environment of this run, outputs of earlier ones. */
  readonly state: State;
}

async function make(request: RunRequest): Promise<Result<Made>> {
  const state = loadState(request.dir, request.stateFile);
  if (!state.ok) return state;
  const given = inputsAmong(request.variables);
  const clock = clockOf(state.value, given, request.present);
  if (!clock.ok) return clock;

  const { draws, taken } = drawsOver(clock.value.draws, { ...(request.onKey && { onKey: request.onKey }) });
  const { roots, facts } = await loadTarget(request.target);
  const resolved = await resolve(roots, {
    now: clock.value.now,
    draws,
    inputs: inputsOf(request.dir, state.value.written),
    environment: environmentOf(given),
    templates: templatesFrom(request.templatesFolder),
  });
  const found = [...clock.warnings, ...vanishedVariables(state.value, given)];
  if (!resolved.ok) return failure(...found, ...resolved.problems);

  const learnt = facts(resolved.value);
  const bootableUntil = learnt.bootableUntil?.toISOString() ?? state.value.bootableUntil;
  const kept = {
    ...state.value,
    draws: taken(),
    environment: given,
    ...(bootableUntil !== undefined && { bootableUntil }),
  };
  return success({ resolved: resolved.value, facts: learnt, state: kept }, [...found, ...resolved.warnings]);
}

function loadTarget(name: TargetName): ReturnType<Target['load']> {
  const target: Target = targets[name];
  return target.load();
}

function write(
  request: RunRequest,
  { resolved, facts, state }: Made,
  warnings: readonly Problem[],
): Result<RunReport> {
  const target: Target = targets[request.target];
  const plan = planOutputs(request.dir, resolved.files, { written: state.written, owned: target.owns });
  if (plan.problems.length > 0) return failure(...warnings, ...plan.problems);
  commit(request.dir, {
    writes: [...stateToWrite(request.dir, state, plan), ...plan.writes],
    removals: plan.removals,
  });
  return success({ ...facts, outputs: plan.changes }, warnings);
}

/** The state file, unless it stands there byte for byte. */
function stateToWrite(dir: string, state: State, plan: OutputPlan): OutputPlan['writes'] {
  const text = serializeState({ ...state, written: plan.written });
  const file = secretFile(stateFileName, text);
  const { writes } = planOutputs(dir, [file], { written: {}, owned: [] });
  return writes;
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
