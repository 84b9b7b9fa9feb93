import { randomFrom } from '../mutation/random.js';
import { corpusOf } from './corpus.js';
import type { Judge, JudgeName, Output } from './judges.js';
import type { Finding, Outcome, Target } from './target.js';
import { tryInput } from './try-input.js';

/** Limits and seed of a fuzz run. */
export interface FuzzOrder {
  /** CPU seconds, so that other load on the machine does not reduce the work. Wall time is limited to three times this. */
  readonly seconds: number;
  /** The run also ends after this many inputs. */
  readonly maxInputs: number;
  readonly seed: number;
  readonly judges: ReadonlyMap<JudgeName, Judge>;
}

/** The results of a run on one target. */
export interface Figures {
  readonly target: string;
  readonly inputs: number;
  readonly accepted: number;
  /** Number of outputs that real programs checked. */
  readonly judged: number;
  /** Number of branches of the product that were covered. */
  readonly branches: number;
  readonly corpus: number;
  readonly slowestMs: number;
  /** CPU seconds. */
  readonly seconds: number;
}

/** Callbacks of a running fuzz run. */
export interface FuzzWatch {
  /** Called before each input. */
  readonly onInput: (input: Buffer) => void;
  readonly onFinding: (finding: Finding) => void;
  /** Called for an input that covers a new branch. */
  readonly onNew: (input: Buffer) => void;
}

/** Outputs are checked for one in this many accepted inputs that cover no new branch. */
const judgedShare = 100;
/** Time for creating and checking outputs, at most this fraction of all other time. */
const judgedTime = 1 / 4;
/** Batch size: each check starts a program. */
const judgedTogether = 64;

/** Runs a target on its seeds and then on changed inputs, until the time or number limit. */
export async function fuzzTarget(target: Target, order: FuzzOrder, watch: FuzzWatch): Promise<Figures> {
  const random = randomFrom(order.seed);
  const corpus = corpusOf(target, random);
  const outputs = judgedOutputs(target, order.judges, watch);
  const began = { ms: performance.now(), cpu: process.cpuUsage() };
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage(began.cpu);
    return (user + system) / 1e6;
  };
  const elapsed = (): number => Math.max(cpuSeconds(), (performance.now() - began.ms) / 3000);
  const figures = { inputs: 0, accepted: 0, slowestMs: 0 };
  const tryOne = async (input: Buffer, isSeed: boolean): Promise<void> => {
    const ranBefore = branchesRun();
    watch.onInput(input);
    const { outcome, findings, cpuMs } = await tryInput(target, input);
    figures.inputs += 1;
    figures.slowestMs = Math.max(figures.slowestMs, cpuMs);
    findings.forEach(watch.onFinding);
    const isNew = branchesRun() > ranBefore;
    if (isNew || isSeed) corpus.add(input);
    if (isNew && !isSeed) watch.onNew(input);
    if (outcome?.isAccepted !== true) return;
    figures.accepted += 1;
    const isChosen = isNew || isSeed || random.below(judgedShare) === 0;
    if (outcome.outputs === undefined || !isChosen || outputs.seconds() > elapsed() * judgedTime) return;
    await outputs.add(input, outcome.outputs);
  };
  for (const seed of target.seeds()) await tryOne(Buffer.from(seed), true);
  if (corpus.size === 0) throw new Error(`${target.name} has no seeds`);
  while (elapsed() < order.seconds && figures.inputs < order.maxInputs) await tryOne(corpus.next(), false);
  outputs.judge();
  return {
    target: target.name,
    ...figures,
    judged: outputs.count(),
    branches: branchesRun(),
    corpus: corpus.size,
    seconds: cpuSeconds(),
  };
}

interface JudgedOutputs {
  add(input: Buffer, make: NonNullable<Outcome['outputs']>): Promise<void>;
  judge(): void;
  readonly count: () => number;
  /** Time spent on creating and checking outputs. */
  readonly seconds: () => number;
}

function judgedOutputs(
  { name: target }: Target,
  judges: FuzzOrder['judges'],
  { onFinding }: FuzzWatch,
): JudgedOutputs {
  const waiting: { readonly input: Buffer; readonly output: Output }[] = [];
  const spent = { count: 0, ms: 0 };
  const judge = (): void => {
    const began = performance.now();
    for (const [name, refusals] of judges) {
      const pending = waiting.filter(({ output }) => output.judge === name);
      if (pending.length === 0) continue;
      spent.count += pending.length;
      refusals(pending.map(({ output }) => output.text)).forEach((refusal, index) => {
        const input = pending[index]?.input;
        if (refusal !== undefined && input !== undefined)
          onFinding({ target, kind: 'refused', what: `${name}: ${refusal}`, input });
      });
    }
    waiting.length = 0;
    spent.ms += performance.now() - began;
  };
  return {
    add: async (input, make) => {
      const began = performance.now();
      waiting.push(...(await make()).map((output) => ({ input, output })));
      spent.ms += performance.now() - began;
      if (waiting.length >= judgedTogether) judge();
    },
    judge,
    count: () => spent.count,
    seconds: () => spent.ms / 1000,
  };
}

/** The count that scripts/fuzz/branches.mjs keeps. */
function branchesRun(): number {
  const { __branches: branches } = globalThis as { __branches?: { readonly count: number } };
  return branches?.count ?? 0;
}
