import type { Finding, Outcome, Target } from './target.js';

/** CPU limit per input, summed over all threads of the process. */
const maxCpuMs = 1000;

/** The result of one input and the findings about it. */
export interface Tried {
  readonly outcome: Outcome | undefined;
  readonly findings: readonly Finding[];
  readonly cpuMs: number;
}

/** Runs a target on one input. A slow input runs twice, because the first time may include garbage collection for earlier inputs. */
export async function tryInput(target: Target, input: Buffer): Promise<Tried> {
  const first = await runOnce(target, input);
  if (first.cpuMs <= maxCpuMs) return first;
  const again = await runOnce(target, input);
  if (again.cpuMs <= maxCpuMs) return again;
  const what = `${Math.round(again.cpuMs)} ms of CPU for ${input.length} bytes`;
  return { ...again, findings: [...again.findings, { target: target.name, kind: 'slow', what, input }] };
}

async function runOnce(target: Target, input: Buffer): Promise<Tried> {
  const before = process.cpuUsage();
  const result = await outcomeOf(target, input);
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  if (result.thrown !== undefined) {
    const what = result.thrown;
    return { outcome: undefined, cpuMs, findings: [{ target: target.name, kind: 'thrown', what, input }] };
  }
  const { outcome } = result;
  const seen = canarySeen(target, input, outcome.shown);
  const finding = (kind: Finding['kind'], what: string): Finding => ({
    target: target.name,
    kind,
    what,
    input,
  });
  return {
    outcome,
    cpuMs,
    findings: [
      ...(outcome.fault === undefined ? [] : [finding('promise', outcome.fault)]),
      ...(seen === undefined ? [] : [finding('secret', seen)]),
    ],
  };
}

type Run = { readonly thrown: string } | { readonly thrown?: undefined; readonly outcome: Outcome };

async function outcomeOf(target: Target, input: Buffer): Promise<Run> {
  try {
    return { outcome: await target.run(input) };
  } catch (error) {
    return { thrown: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Excerpt of the output around a canary. Canaries whose `whole` text was changed do not count. */
function canarySeen({ canaries = [] }: Target, input: Buffer, shown: string): string | undefined {
  const text = input.toString('latin1');
  for (const { whole, part } of canaries) {
    const at = shown.indexOf(part);
    if (at < 0 || !text.includes(whole)) continue;
    if (text.split(part).length === text.split(whole).length)
      return `…${shown.slice(Math.max(0, at - 300), at + part.length + 100)}…`;
  }
  return undefined;
}
