import { readConfigFile } from '../config/reading/config-file.js';
import { type Problem, problem } from '../core/problem.js';
import { type Result, failure, problemsOf, success } from '../core/result.js';
import { type InputRecord, recordInputs } from '../disk/state/recorded-inputs.js';
import { environmentOf } from '../disk/environment.js';
import { nodeAt } from '../formats/yaml/yaml-tree.js';
import type { Asset } from '../graph/asset.js';
import type { ClusterName, Draws, Inputs, Templates } from '../graph/context.js';
import { type Engine, type Progress, type Resolved, createEngine } from '../graph/engine.js';
import type { Watch } from '../graph/watch.js';
import { lackingProblems } from './lacking-draws.js';
import { stateCluster, targetAssets } from './target-assets.js';
import type { Facts, TargetAssets } from './target.js';
import type { TargetName } from './targets.js';
import type { Start } from './unchanged.js';

/** What is to be made, and where it comes from. */
export interface Order {
  readonly target: TargetName;
  /** The state file that draws are taken from, when it is not the directory's own. */
  readonly stateFile?: string;
  readonly templates: Templates;
  readonly onProgress?: Progress;
  /** Notes what each asset asks for. */
  readonly watch?: Watch;
  /** Told each step as it is done, for people who look for where time or trust goes. Never a secret. */
  readonly onStep?: (step: string) => void;
}

/** What something is made from; how a state is kept plays no part. */
export type MakingStart = Omit<Start, 'isStateUnread' | 'own' | 'seal' | 'encryptsOutputs' | 'keeping'>;

/** Draws in hand: real ones, or those of a rehearsal. */
interface Hand {
  readonly draws: Draws;
  readonly unfit: () => Readonly<Record<string, string>>;
  readonly lacking: () => readonly string[];
}

/** A target in memory. */
export interface Made<H extends Hand> {
  readonly resolved: Resolved;
  readonly facts: Facts;
  readonly warnings: readonly Problem[];
  readonly cluster: ClusterName;
  readonly inputs: Inputs;
  readonly inputRecord: InputRecord;
  readonly hand: H;
}

/**
 * Makes a target in memory, by the draws that `take` takes in hand once it is known whether the config asks for FIPS mode.
 * Problems: those of every asset, and dir/state-draw.
 */
export async function makeTarget<H extends Hand>(
  order: Order,
  start: MakingStart,
  take: (settings: { readonly isFips: boolean }) => H,
): Promise<Result<Made<H>>> {
  const { inputs } = start;
  const recorded = recordInputs(inputs);
  const hand = take({ isFips: asksForFips(recorded.inputs) });
  const engine = engineOf(order, { ...start, inputs: recorded.inputs }, hand);
  const target = targetAssets[order.target];
  const judged = await judge(target, engine);
  order.onStep?.(judged.ok ? 'judged the configs' : 'found problems');
  if (!judged.ok) return judged;
  const resolved = await engine.resolve(target.roots, order.onProgress);
  order.onStep?.(resolved.ok ? 'made every asset' : 'found problems');
  // What stands in for a key that is lacking may be found to be none.
  const lacking = lackingProblems(hand.lacking(), start);
  if (lacking.length > 0) return failure(...lacking);
  const unusable = unfitDraws(hand.unfit(), start);
  if (!resolved.ok || unusable.length > 0) return failure(...problemsOf(resolved), ...unusable);
  return success({
    resolved: resolved.value,
    facts: target.facts?.(resolved.value) ?? {},
    warnings: resolved.warnings,
    cluster: judged.value,
    inputs,
    inputRecord: recorded.record(),
    hand,
  });
}

/** The value of one asset in memory, the configs of the target being sound. Problems: those of every asset that it needs. */
export async function makeValue<T>(
  order: Order,
  start: MakingStart,
  { asset, hand }: { readonly asset: Asset<T>; readonly hand: Hand },
): Promise<Result<T>> {
  const engine = engineOf(order, start, hand);
  const judged = await judge(targetAssets[order.target], engine);
  if (!judged.ok) return judged;
  const resolved = await engine.resolve([asset]);
  if (!resolved.ok) return resolved;
  const warnings = new Set([...judged.warnings, ...resolved.warnings]);
  return success(resolved.value.valueOf(asset), [...warnings]);
}

function engineOf(order: Order, { state, clock, given, inputs }: MakingStart, hand: Hand): Engine {
  const context = {
    now: clock.now,
    draws: hand.draws,
    inputs,
    environment: environmentOf(given),
    templates: order.templates,
    ...(state.cluster && { drawnFor: state.cluster }),
    isRehearsal: !('taken' in hand),
  };
  return createEngine(context, order.watch);
}

/** The configs first; where they have errors, whatever else can be judged without drawing anything. */
async function judge(target: TargetAssets, engine: Engine): Promise<Result<ClusterName>> {
  const judged = await engine.resolve([...target.configs, stateCluster]);
  if (!judged.ok) {
    const all = await engine.resolve([...target.configs, stateCluster, ...target.checks]);
    return all.ok ? judged : all;
  }
  return success(judged.value.valueOf(stateCluster), judged.warnings);
}

/** Draws of the state file that its assets could not use; with others in their place the run went on to find all there is. */
function unfitDraws(
  unfit: Readonly<Record<string, string>>,
  { source, isFile }: MakingStart,
): readonly Problem[] {
  return Object.entries(unfit).map(([label, reason]) =>
    problem('dir/state-draw', `\`${label}\` of the state file cannot be used: ${reason}`, {
      ...(isFile && { at: { file: source, path: `draws.${label}` } }),
      hint: 'restore the file from a copy, or move it away to begin anew with other keys',
    }),
  );
}

/**
 * Whether install-config.yaml asks for FIPS mode, before anything is made of it: keys are drawn while the rest is read. A config
 * that cannot be read asks for nothing; its problems are told by its own asset.
 */
export function asksForFips(inputs: Inputs): boolean {
  const read = inputs.read(file);
  // Most configs do not name it, and are not parsed for it.
  if (read.kind !== 'file' || !Buffer.from(read.bytes).includes('fips')) return false;
  const config = readConfigFile(inputs, file);
  const value = config.kind === 'document' ? nodeAt(config.root, ['fips']) : undefined;
  return value?.kind === 'scalar' && value.value === true;
}

const file = 'install-config.yaml';
