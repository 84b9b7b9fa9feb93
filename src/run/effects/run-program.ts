import { spawn } from 'node:child_process';
import process from 'node:process';
import type { Readable } from 'node:stream';

import { shownLine } from '../../analysis/redact.js';
import { childEnvironment } from '../../core/child-environment.js';
import { programPath } from '../../disk/program-path.js';
import { maxFileBytes } from '../../disk/regular-file.js';

/**
 * The standard output of a program, or why it has none. It runs as `outputOfCommand` does; neither its output nor its stderr become part
 * of the reason.
 */
export async function outputOfProgram(
  words: readonly string[],
  { limitMs, maxBytes }: { readonly limitMs: number; readonly maxBytes: number },
): Promise<{ readonly output: Uint8Array } | { readonly fault: string }> {
  const { output, end } = await ranProgram(words, { limitMs, maxBytes });
  const fault = whyFailed(end, { errors: '', limitMs, masked: () => '' });
  if (fault !== undefined) return { fault };
  return output === undefined ? { fault: `prints more than ${maxBytes} bytes` } : { output };
}

/** Why a program failed, with the last line of its errors; undefined if it did not. It runs as `outputOfCommand` does. */
export async function faultOfProgram(
  words: readonly string[],
  limits: Omit<ProgramLimits, 'maxBytes'>,
): Promise<string | undefined> {
  const { end, errors } = await ranProgram(words, limits);
  const said = Buffer.from(errors ?? []).toString('utf8');
  return whyFailed(end, { errors: said, limitMs: limits.limitMs, masked: (text) => text });
}

interface ProgramLimits {
  readonly limitMs: number;
  /** Of its output, and of its errors. */
  readonly maxBytes?: number;
  /** Environment variables that it does not get. */
  readonly without?: readonly string[];
}

interface RanProgram {
  /** Absent if it is longer than the limit. */
  readonly output: Uint8Array | undefined;
  readonly errors: Uint8Array | undefined;
  readonly end: End;
}

/** Runs a program from PATH without a shell and without stdin. */
export async function ranProgram(
  [program = '', ...args]: readonly string[],
  { limitMs, maxBytes = maxFileBytes, without = [] }: ProgramLimits,
): Promise<RanProgram> {
  const variables = Object.entries(process.env).filter(([name]) => !without.includes(name));
  const child = spawn(programPath(program), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(Object.fromEntries(variables)),
  });
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    // A child of the command may still hold the other end.
    child.stdout.destroy();
    child.stderr.destroy();
  }, limitMs);
  const finished = new Promise<End>((resolve) => {
    child.on('error', (error) => {
      resolve({ error });
    });
    child.on('close', (status, signal) => {
      resolve({ status, signal });
    });
  });
  const [output, errors, end] = await Promise.all([
    allOf(child.stdout, maxBytes),
    allOf(child.stderr, maxBytes),
    finished,
  ]);
  clearTimeout(timer);
  return { output, errors, end };
}

type End = { readonly error: Error } | { readonly status: number | null; readonly signal: string | null };

/** Why a program failed, with the last line of its errors; undefined if it did not. */
export function whyFailed(
  end: End,
  {
    errors,
    limitMs,
    masked,
  }: { readonly errors: string; readonly limitMs: number; readonly masked: (said: string) => string },
): string | undefined {
  if ('error' in end) {
    const isMissing = 'code' in end.error && end.error.code === 'ENOENT';
    return isMissing ? 'names a program that does not exist' : 'cannot be started';
  }
  if (end.status === 0) return undefined;
  const last = errors.trimEnd().split('\n').at(-1) ?? '';
  const said = last === '' ? '' : `: ${shownLine(masked(last))}`;
  if (end.signal === 'SIGKILL') return `was stopped after ${limitMs / 1000} seconds${said}`;
  return `ended with ${end.status ?? end.signal ?? 'no status'}${said}`;
}

/** The whole stream, or undefined if it is longer than the limit for files. */
async function allOf(stream: Readable, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const part of stream as AsyncIterable<Uint8Array>) {
      total += part.length;
      if (total <= maxBytes) parts.push(part);
    }
  } catch {
    // The command was killed: its output is ignored.
  }
  return total > maxBytes ? undefined : Buffer.concat(parts);
}
