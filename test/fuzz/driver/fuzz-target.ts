import { randomFrom } from '../mutation/random.js';
import { corpusOf } from './corpus.js';
import type { Judge, JudgeName, Output } from './judges.js';
import type { Finding, Outcome, Target } from './target.js';
import { tryInput } from './try-input.js';

/** How long a target is fuzzed, and by which chance. */
export interface FuzzOrder {
  /** Of CPU, so that a machine that others use is no reason for less; or three times as many of the clock. */
  readonly seconds: number;
  /** Ends the run, too. */
  readonly maxInputs: number;
  readonly seed: number;
  readonly judges: ReadonlyMap<JudgeName, Judge>;
}

/** What a run on a target came to. */
export interface Figures {
  readonly target: string;
  readonly inputs: number;
  readonly accepted: number;
  /** Outputs that real programs were asked about. */
  readonly judged: number;
  /** Branches of the product that ran. */
  readonly branches: number;
  readonly corpus: number;
  readonly slowestMs: number;
  /** Of CPU. */
  readonly seconds: number;
}

/** Hears of a run while it goes on. */
export interface FuzzWatch {
  /** Before each input. */
  readonly onInput: (input: Buffer) => void;
  readonly onFinding: (finding: Finding) => void;
  /** An input that ran a branch which none before it did. */
  readonly onNew: (input: Buffer) => void;
}

/** Of accepted inputs that run no new branch, one of so many has its outputs judged. */
const judgedShare = 100;
/** Beside the time of the rest, at most so much of it goes into making and judging outputs. */
const judgedTime = 1 / 4;
/** Outputs are judged together: a program is started for them. */
const judgedTogether = 64;

/** Gives a target its seeds and then changed inputs, until the time or the number is over. */
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
  /** What making and judging took. */
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
      const asked = waiting.filter(({ output }) => output.judge === name);
      if (asked.length === 0) continue;
      spent.count += asked.length;
      refusals(asked.map(({ output }) => output.text)).forEach((refusal, index) => {
        const input = asked[index]?.input;
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

/** As scripts/fuzz/branches.mjs counts them. */
function branchesRun(): number {
  const { __branches: branches } = globalThis as { __branches?: { readonly count: number } };
  return branches?.count ?? 0;
}
