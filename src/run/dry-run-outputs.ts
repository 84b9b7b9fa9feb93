import type { OutputFile } from '../core/output-file.js';
import { success, type Result } from '../core/result.js';
import { emptyState } from '../disk/state/state-file.js';
import { environmentInputs, type Variables } from '../disk/environment.js';
import { dryRunValues } from './effects/dry-run-values.js';
import type { Inputs, Templates } from '../graph/context.js';
import type { Asset } from '../graph/asset.js';
import type { InputRecorder } from '../graph/input-recorder.js';
import { makeTarget, makeValue, type RunInputs } from './make-target.js';
import { withPlaceholderSecret } from './placeholder-secret.js';
import { liveImage } from './target-assets.js';
import type { LiveImageWanted } from './target.js';
import type { TargetName } from './targets.js';

/** Issue time of everything in a golden tree, equal on all machines and in all years. */
const goldenTime = new Date('2026-01-02T03:04:05Z');

/** Inputs that have no directory and no state. */
export interface DryRunOptions {
  readonly target: TargetName;
  /** Files of the user; none was written by an earlier run. */
  readonly inputs: Inputs;
  readonly templates: Templates;
  /** Value of `--offline-files`: a URL or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** Registries of the placeholder for a missing pull secret; empty if unknown. Absent if the secret must exist. */
  readonly placeholderRegistries?: readonly string[];
  /** Records the inputs of each asset. */
  readonly watch?: InputRecorder;
}

/** Environment and time: fixed for a golden tree, real for a check. */
export interface DryRunEnvironment {
  readonly now: Date;
  readonly variables: Variables;
}

/**
 * Outputs of a target with placeholders for all generated values (decision 26) and a fixed time: equal on every machine, whatever its
 * environment, clock and state files. They cannot boot.
 * Problems: those of every asset.
 */
export function goldenOutputs(request: DryRunOptions): Promise<Result<readonly OutputFile[]>> {
  return dryRunOutputs(request, { now: goldenTime, variables: {} });
}

/** The same with the real environment and time: finds the problems of `create`. Problems: those of every asset. */
export async function dryRunOutputs(
  request: DryRunOptions,
  surroundings: DryRunEnvironment,
): Promise<Result<readonly OutputFile[]>> {
  const { request: complete, withWarning } = withSecretOf(request);
  const made = await makeTarget(complete, startOf(complete, surroundings), () => dryRunValues({}));
  return made.ok ? withWarning(success(made.value.resolved.files, made.value.warnings)) : made;
}

/** The live image that the inputs need. Problems: those of the configs. */
export function neededLiveImage(
  request: DryRunOptions,
  surroundings: DryRunEnvironment,
): Promise<Result<LiveImageWanted>> {
  return dryRunValue(request, surroundings, liveImage);
}

/** The value of an asset with the fixed environment and time of golden trees. Problems: those of the asset. */
export function goldenValue<T>(request: DryRunOptions, asset: Asset<T>): Promise<Result<T>> {
  return dryRunValue(request, { now: goldenTime, variables: {} }, asset);
}

async function dryRunValue<T>(
  request: DryRunOptions,
  surroundings: DryRunEnvironment,
  asset: Asset<T>,
): Promise<Result<T>> {
  const { request: complete, withWarning } = withSecretOf(request);
  const run = { asset, runValues: dryRunValues({}) };
  return withWarning(await makeValue(complete, startOf(complete, surroundings), run));
}

function withSecretOf(request: DryRunOptions): {
  readonly request: DryRunOptions;
  readonly withWarning: <T>(made: Result<T>) => Result<T>;
} {
  const { inputs, placeholderRegistries } = request;
  if (placeholderRegistries === undefined) return { request, withWarning: (made) => made };
  const replaced = withPlaceholderSecret(inputs, placeholderRegistries);
  return { request: { ...request, inputs: replaced.inputs }, withWarning: replaced.withWarning };
}

function startOf({ inputs, offlineFiles }: DryRunOptions, { now, variables }: DryRunEnvironment): RunInputs {
  return {
    state: emptyState,
    source: 'no state',
    isFile: false,
    clock: { now, generatedValues: {} },
    given: environmentInputs(variables, offlineFiles === undefined ? {} : { offlineFiles }),
    inputs,
  };
}
