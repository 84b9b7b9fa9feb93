import { spawn } from 'node:child_process';
import process from 'node:process';
import type { Readable } from 'node:stream';

import { shownLine } from '../../analysis/redact.js';
import { childEnvironment, secretValues, redactValues } from '../../core/child-environment.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { namesSecret } from '../../core/secrets.js';
import { programPath } from '../../disk/program-path.js';
import { maxFileBytes } from '../../disk/regular-file.js';
import { splitCommand } from '../../formats/split-command.js';

/** Option and time limit of a command; the default limit is long enough to type a passphrase. */
interface CommandSettings {
  /** Name of the option in messages. */
  readonly option: string;
  readonly limitMs?: number;
  /** Texts that messages must not contain; called when the command fails. */
  readonly secrets?: () => readonly string[];
}

/**
 * The standard output of a command. It runs without a shell: the program from PATH with its arguments and without stdin. Its stderr becomes
 * part of the problem if it fails.
 * Problem: state/command.
 */
export async function outputOfCommand(
  line: string,
  { option, limitMs = 120_000, secrets = () => [] }: CommandSettings,
): Promise<Result<Uint8Array>> {
  const failed = (what: string, hint?: string): Result<never> =>
    failure(problem('state/command', `the command of ${option} ${what}`, { hint }));
  const split = splitCommand(line);
  if ('fault' in split) {
    const hint = `quote literal characters, or run it with a shell: ${option} "sh -c '…'"`;
    return failed(split.fault, hint);
  }
  const [, ...args] = split.words;
  const { output, errors, end } = await ranProgram(split.words, { limitMs });
  const masked = (said: string): string =>
    redactValues(said, [...secrets(), ...secretValues(process.env), ...secretWords(args)]);
  const why = whyFailed(end, { errors: Buffer.from(errors ?? []).toString('utf8'), limitMs, masked });
  if (why !== undefined) return failed(why);
  if (output === undefined) return failed(`prints more than ${maxFileBytes} bytes`);
  return output.length === 0 ? failed('prints nothing') : success(output);
}

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

interface RanProgram {
  /** Absent if it is longer than the limit. */
  readonly output: Uint8Array | undefined;
  readonly errors: Uint8Array | undefined;
  readonly end: End;
}

async function ranProgram(
  [program = '', ...args]: readonly string[],
  { limitMs, maxBytes = maxFileBytes }: { readonly limitMs: number; readonly maxBytes?: number },
): Promise<RanProgram> {
  const child = spawn(programPath(program), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(process.env),
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

function whyFailed(
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

/** Arguments that are secret: the value of an option such as --passphrase, or the argument after it. */
function secretWords(args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    const [, option = '', value] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!namesSecret(option)) return [];
    return [value ?? args[index + 1] ?? ''];
  });
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
