import { parentPort, workerData } from 'node:worker_threads';

import { targets } from '../targets/all.js';
import { fuzzTarget } from './fuzz-target.js';
import { judgesHere } from './judges.js';
import type { Finding } from './target.js';
import { tryInput } from './try-input.js';

/** The request of scripts/fuzz.mjs. */
interface Work {
  readonly target: string;
  readonly seconds: number;
  readonly maxInputs: number;
  readonly seed: number;
  /** Runs this input only. */
  readonly input?: Uint8Array;
  /** Number, length and bytes of the current input; the main thread reads them when this thread hangs. */
  readonly current: SharedArrayBuffer;
}

/** An unknown name lists all targets. */
const { target: name, input, current, ...order } = workerData as Work;
const target = targets.find((each) => each.name === name);
const say = (message: object): void => {
  parentPort?.postMessage(message);
};
const [counters, bytes] = [new Int32Array(current, 0, 2), new Uint8Array(current, 8)];

function onInput(tried: Buffer): void {
  bytes.set(tried.subarray(0, bytes.length));
  counters[1] = Math.min(tried.length, bytes.length);
  Atomics.add(counters, 0, 1);
}

function onFinding(finding: Finding): void {
  say({ kind: 'finding', finding });
}

const judges = judgesHere();
if (target === undefined) {
  say({ kind: 'targets', names: targets.map((each) => each.name) });
} else if (input !== undefined) {
  onInput(Buffer.from(input));
  const { findings, outcome, cpuMs } = await tryInput(target, Buffer.from(input));
  findings.forEach(onFinding);
  for (const { judge, text } of (outcome?.isAccepted === true && (await outcome.outputs?.())) || []) {
    const [refusal] = judges.get(judge)?.([text]) ?? [];
    if (refusal !== undefined)
      onFinding({ target: name, kind: 'refused', what: refusal, input: Buffer.from(input) });
  }
  say({ kind: 'tried', isAccepted: outcome?.isAccepted, shown: outcome?.shown, cpuMs });
} else {
  const watch = {
    onInput,
    onFinding,
    onNew: (found: Buffer) => {
      say({ kind: 'new', input: found });
    },
  };
  const figures = await fuzzTarget(target, { ...order, judges }, watch);
  say({ kind: 'figures', figures, judges: [...judges.keys()] });
}
